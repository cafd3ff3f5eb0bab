"""The files of a memory: whole after a kill, nothing lost between writers, nobody else's to read."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.errors import DoorFailed
from supervisor.memory import (
    MOST_ACTS,
    MOST_PIECES,
    MOST_TIMES,
    AgentMemory,
    Piece,
    Pledge,
    RefusedAct,
    bounded,
    cut,
)
from supervisor.records import memories
from supervisor.records.memories import FOLDER, Memories

NOW = 2_000_000_000.0
WRITER = """
import sys
from pathlib import Path
from supervisor.memory import RefusedAct
from supervisor.records.memories import Memories
folder, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
begin = 2e9 + 1000 * int(who.strip("w"))  # later writers' acts are newer, so that theirs are not forgotten
print("ready", flush=True)
sys.stdin.readline()
number = 0
while number < count or not count:
    act = RefusedAct("shell", frozenset({f"rm {who}-{number % 20}"}), ("x",), (begin + number,), session=who)
    Memories(folder, 30).change("claude", begin + number, lambda memory: memory.stopped(act))
    number += 1
    print(number, flush=True)
"""


def act(name: str = "a", at: float = NOW) -> RefusedAct:
    return RefusedAct("shell", frozenset({f"rm {name}"}), ("guards_it",), (at,))


def add(store: Memories, agent: str, made: RefusedAct, now: float = NOW) -> None:
    store.change(agent, now, lambda memory: memory.stopped(made))


def start(folder: Path, who: str, count: int) -> subprocess.Popen[str]:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), who, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    return writer


def test_it_is_kept_by_the_agents_name(tmp_path: Path) -> None:
    add(Memories(tmp_path, 30), "claude", act())
    fresh = Memories(tmp_path, 30)
    assert fresh.knows("claude")
    assert fresh.of("claude", NOW).acts == (act(),)
    assert not fresh.knows("codex")
    assert fresh.of("codex", NOW) == AgentMemory()


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        add(Memories(tmp_path, 30), "claude", act())
    finally:
        os.umask(before)
    folder = tmp_path / FOLDER
    (file,) = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@given(st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=5))
def test_no_name_of_an_agent_leads_elsewhere(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = tmp_path_factory.mktemp("records")
    store = Memories(folder, 30)
    hostile = [*names, "../../etc/passwd", "a/b", "\0", "." * 5000, "\ud800", ""]
    for number, name in enumerate(dict.fromkeys(hostile)):
        add(store, name, act(str(number)))
    assert [each.name for each in folder.iterdir()] == [FOLDER]
    assert len(list((folder / FOLDER).iterdir())) == len(dict.fromkeys(hostile))
    for number, name in enumerate(dict.fromkeys(hostile)):
        assert Memories(folder, 30).of(name, NOW).acts == (act(str(number)),)


def test_what_is_too_old_is_gone_from_the_disk_as_well(tmp_path: Path) -> None:
    store = Memories(tmp_path, 30)
    add(store, "claude", act())
    later = NOW + 31 * 24 * 3600
    assert store.of("claude", later).acts == ()
    store.change("claude", later, lambda memory: memory)
    assert not store.knows("claude")


def test_a_folder_of_records_that_is_gone_is_not_made_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    add(Memories(tmp_path / "gone", 30), "claude", act())
    assert not (tmp_path / "gone").exists()
    assert "cannot be remembered" in caplog.text


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format":1}', b'{"format":9,"acts":[]}', b"\xff" * 9])
def test_a_damaged_file_is_reported_and_begun_anew(tmp_path: Path, content: bytes) -> None:
    store = Memories(tmp_path, 30)
    add(store, "claude", act())
    (file,) = (tmp_path / FOLDER).iterdir()
    file.write_bytes(content)
    with pytest.raises(DoorFailed, match="cannot be read"):
        store.of("claude", NOW)
    add(store, "claude", act("b"))
    assert store.of("claude", NOW).acts == (act("b"),)


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    store = Memories(tmp_path, 30)
    add(store, "claude", act())
    (file,) = (tmp_path / FOLDER).iterdir()
    target = tmp_path / "target"
    target.write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(target)
    with pytest.raises(DoorFailed):
        store.of("claude", NOW)
    file.with_suffix(".draft").symlink_to(target)
    before = target.read_bytes()
    add(store, "claude", act("b"))
    assert target.read_bytes() == before


def test_the_agent_that_was_stopped_longest_ago_is_forgotten_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "MOST_AGENTS", 3)
    store = Memories(tmp_path, 30)
    for number, name in enumerate("abcd"):
        add(store, name, act())
        os.utime(store._path(name), (number, number))
    add(store, "e", act())
    assert [name for name in "abcde" if store.knows(name)] == ["c", "d", "e"]


def test_another_process_sees_a_change_at_once(tmp_path: Path) -> None:
    one, other = Memories(tmp_path, 30), Memories(tmp_path, 30)
    for number in range(20):
        add(one, "claude", act(str(number)))
        assert len(other.of("claude", NOW).acts) == number + 1


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    writers = [start(tmp_path, who, 20) for who in ("w0", "w1")]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    acts = Memories(tmp_path, 30).of("claude", NOW).acts
    assert len(acts) == 40
    assert {each.session for each in acts} == {"w0", "w1"}


def test_a_kill_in_the_middle_of_a_write_leaves_a_whole_file(tmp_path: Path) -> None:
    """Each kill comes at another moment of the write; what was acknowledged is there, and the next writer goes on."""
    for number in range(12):
        with start(tmp_path, f"w{number}", 0) as writer:
            assert writer.stdin is not None
            assert writer.stdout is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
            writer.stdout.readline()
            time.sleep(0.003 * number)
            os.kill(writer.pid, signal.SIGKILL)
            acknowledged = 1 + len(writer.stdout.read().splitlines())
        kept = [each for each in Memories(tmp_path, 30).of("claude", NOW + 50_000).acts if each.session == f"w{number}"]
        assert len(kept) >= min(acknowledged, 20)
    assert {each.suffix for each in (tmp_path / FOLDER).iterdir()} <= {".json", ".draft"}
    assert len(list((tmp_path / FOLDER).iterdir())) <= 2


def test_a_draft_that_a_kill_left_is_used_again(tmp_path: Path) -> None:
    store = Memories(tmp_path, 30)
    add(store, "claude", act())
    (file,) = (tmp_path / FOLDER).iterdir()
    file.with_suffix(".draft").write_bytes(b'{"format":1,"acts":[{"ki')
    add(store, "claude", act("b"))
    assert store.of("claude", NOW).acts == (act(), act("b"))
    assert [each.suffix for each in (tmp_path / FOLDER).iterdir()] == [".json"]


def test_a_full_memory_of_the_longest_texts_can_be_read(tmp_path: Path) -> None:
    """Else an agent could make the guard forget by what it proposes."""
    text = cut("\U0001f600" * 900)
    features = bounded(f"rm {text[:14]}{number}" for number in range(200))
    full = RefusedAct(
        "shell",
        features,
        tuple(f"a_long_name_of_a_specialist_{number:>032}" for number in range(16)),
        tuple(NOW + number / 7 for number in range(MOST_TIMES)),
        session=text[:50],
        place=text[:50],
        shown=text,
        reason=text,
        correction=text,
        pledge=Pledge(text, NOW, "instead", ("x" * 60,) * 12, ("x" * 60,) * 12),
        pieces=(Piece(text[:50], NOW, features, 1.0),) * MOST_PIECES,
    )
    store = Memories(tmp_path, 30)
    store.change("claude", NOW, lambda _: AgentMemory((full,) * MOST_ACTS))
    assert len(Memories(tmp_path, 30).of("claude", NOW).acts) == MOST_ACTS


def test_what_is_too_large_all_the_same_loses_its_oldest_acts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memories, "MAX_BYTES", 4096)
    store = Memories(tmp_path, 30)
    for number in range(40):
        add(store, "claude", act(str(number), NOW + number), NOW + 100)
    kept = Memories(tmp_path, 30).of("claude", NOW + 100).acts
    assert kept[-1] == act("39", NOW + 39)
    assert len(kept) < 40
