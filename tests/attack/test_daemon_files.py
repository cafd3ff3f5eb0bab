"""Where the daemon and its clients put files, something else may lie; what they remember does not grow for ever."""

from __future__ import annotations

import functools
import gc
import itertools
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.action import Context, Step
from supervisor.adapters.hooks import client
from supervisor.engine.replay import Replayer
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import SupervisorError
from supervisor.evidence.effects import effects
from supervisor.history import History
from supervisor.intake.parsing import action_from
from supervisor.policy import Policy, Records
from supervisor.records import segment
from supervisor.records.verify import verify
from supervisor.service.engines import Opened
from supervisor.service.places import Places
from supervisor.service.policies import Policies
from supervisor.service.server import Start, serve
from supervisor.service.sessions import Sessions, decide_line
from tests.attack.test_queue_files import ODD, Odd, fifo, link
from tests.service.daemons import Daemon


def started(folder: Path) -> str:
    """What a daemon says that cannot be started there; no engine is opened."""

    def open_engine(files: Policies) -> Opened:
        raise AssertionError("it would have begun")

    try:
        anyio.run(serve, Start(open_engine, None, ()), Places(folder / "d.sock", None, folder / "token"))
    except (OSError, SupervisorError) as error:
        return str(error)
    return ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir(mode=0o700)
    return tmp_path / "state"


@pytest.mark.parametrize("odd", ODD)
def test_the_lock_is_no_way_into_another_file(folder: Path, odd: Odd) -> None:
    odd(folder / "d.sock.lock")
    if odd.__name__ != "huge":  # that is a file like any other
        assert "would have begun" not in started(folder)
    if odd is link:
        assert (folder / "target").read_bytes() == b"x"


@pytest.mark.parametrize("odd", ODD)
def test_no_token_of_another_kind_counts(folder: Path, odd: Odd, caplog: pytest.LogCaptureFixture) -> None:
    odd(folder / "token")
    with pytest.raises(AssertionError, match="would have begun"):
        started(folder)
    assert "approvals are refused" in caplog.text


def test_a_folder_into_which_others_write_holds_no_socket(folder: Path) -> None:
    folder.chmod(0o770)
    assert "others may write into it" in started(folder)
    with pytest.raises(OSError, match="others may write into it"):
        client.start(str(folder / "d.sock"))


def test_what_lies_where_the_socket_belongs_is_not_taken_away(tmp_path: Path, tiny: Any) -> None:
    (tmp_path / "d.sock").write_text("mine")
    tiny.set_policy()
    ended = subprocess.run(Daemon(tmp_path, tiny).command(), capture_output=True, text=True, check=False)
    assert (ended.returncode, "not a socket" in ended.stderr) == (2, True)
    assert (tmp_path / "d.sock").read_text() == "mine"


@pytest.mark.parametrize("odd", [fifo, link])
@pytest.mark.parametrize("file", ["d.sock.lock", "d.sock.log"])
def test_a_hook_that_starts_a_daemon_follows_nothing(folder: Path, odd: Odd, file: str) -> None:
    odd(folder / file)
    with pytest.raises(OSError, match=r"\w"):
        client._is_claimed(str(folder / "d.sock")) if file.endswith("lock") else client.start(str(folder / "d.sock"))
    if odd is link:
        assert (folder / "target").read_bytes() == b"x"


def test_a_daemon_is_started_without_what_would_load_other_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[dict[str, Any]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **named: begun.append(named))
    hostile = ("PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PERL5OPT", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES")
    for name in hostile:
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("OPENAI_API_KEY", "a door's own")
    client.start(str(folder / "d.sock"))
    (named,) = begun
    assert {name: named["env"].get(name) for name in hostile} == dict.fromkeys(hostile) | {
        "PYTHONPATH": client._INSTALLED
    }
    assert (named["env"]["OPENAI_API_KEY"], named["cwd"]) == ("a door's own", "/")


# What is remembered

WORDS = itertools.count()


def varied(number: int) -> dict[str, Any]:
    """An action of which no word has been seen before."""
    word = f"w{next(WORDS)}x"
    tools: list[tuple[str, dict[str, Any]]] = [
        ("bash", {"command": f"git {word} --{word} && {word} /tmp/{word} | tee {word}"}),
        ("bash", {"command": f"aws {word} {word}-{word} --{word}; kubectl {word} {word}; npm i {word}"}),
        ("python", {"code": f"import {word}\n{word}.{word}('{word}')\n"}),
        ("sql", {"query": f"SELECT {word} FROM {word} WHERE {word} = {number}"}),
        ("send_email", {"to": f"{word}@{word}.com", "body": f"See https://{word}.{word}.com, {word}"}),
        (f"tool_{word}", {f"x_{word}": word, "n": number}),
    ]
    tool, args = tools[number % len(tools)]
    return {"tool": tool, "args": args, "context": {"agent": word, "task": f"Do {word}", "facts": {"cwd": f"/{word}"}}}


def decided(supervisor: Supervisor, sessions: Sessions, count: int, **more: Any) -> None:
    async def deciding() -> None:
        for number in range(count):
            await decide_line(supervisor, varied(number) | more, sessions, 1000)

    anyio.run(deciding)


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    made = Supervisor(Policy(records=Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))))
    yield made
    made.close()


def boundless() -> dict[str, int]:
    """How much each cache holds that has no bound. What was set aside at the start of the tests counts, too."""
    gc.unfreeze()
    caches = (each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper))
    return {
        f"{each.__module__}.{each.__qualname__}": each.cache_info().currsize
        for each in caches
        if each.cache_info().maxsize is None and each.__module__.startswith("supervisor")
    }


def test_no_cache_without_a_bound_grows_with_what_agents_write(supervisor: Supervisor) -> None:
    def judging(count: int) -> None:
        """In this process, what workers do in theirs."""
        for number in range(count):
            action = action_from(varied(number), {})
            list(effects(action, Context(facts={"cwd": "/w"})))

    judging(24)
    before = boundless()
    judging(48)
    assert before == boundless()
    assert before


def test_what_a_journal_remembers_of_a_segment_is_bounded(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(segment, "MOST_STORED", 16)
    sessions = Sessions()
    for _ in range(3):
        decided(supervisor, sessions, 12, session="one")
        decided(supervisor, sessions, 12)
        assert supervisor._ledger._journal is not None
        assert supervisor._ledger._journal._segment is not None
        assert len(supervisor._ledger._journal._segment.stored) <= 16
    supervisor.close()
    assert verify(tmp_path / "records").problems == []

    async def replaying() -> int:
        replayer = Replayer()
        results = [each async for each in replayer.replay(tmp_path / "records")]
        replayer.close()
        assert not [each for each in results if each.differences or each.missing]
        return len(results)

    assert anyio.run(replaying) == 72


def test_sessions_that_lines_name_count_what_they_were_told(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supervisor.service.sessions.MAX_BYTES", 10_000)
    sessions = Sessions()
    for number in range(30):
        decided(supervisor, sessions, 1, session=f"s{number}")
    assert len(sessions) == 10


def test_a_history_keeps_what_it_says_and_no_more() -> None:
    """orjson's bytes keep the 4 KB in which they were made, for each session that is remembered."""
    histories = [History([Step("t", {"n": number}, None)]) for number in range(200)]
    tracemalloc.start()
    try:
        for history in histories:
            assert history.address()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept / len(histories) < 1500
