"""A daemon whose package is replaced goes on as the installed version: nothing is refused, nothing is forgotten."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import supervisor
from supervisor.adapters.hooks import HOSTS
from supervisor.engine.session import Session
from supervisor.errors import BadInput
from supervisor.service.sessions import Sessions
from supervisor.service.succession import Estate, bequeath, inherited
from supervisor.service.watching import EVERY
from supervisor.version import VERSION
from tests.conftest import Ran, TinyTaxonomy
from tests.engine.waiting import eventually
from tests.service.daemons import Daemon

PACKAGE = Path(supervisor.__file__).parent


class Copied(Daemon):
    """A daemon of a copy of the package, whose version can be changed."""

    @property
    def version_file(self) -> Path:
        return self.folder / "lib" / "supervisor" / "version.py"

    def copy(self) -> None:
        shutil.copytree(PACKAGE, self.folder / "lib" / "supervisor", ignore=shutil.ignore_patterns("__pycache__"))
        for each in ("specialists", "taxonomy"):
            os.symlink(PACKAGE.parent / each, self.folder / "lib" / each)

    def command(self) -> list[str]:
        python = [sys.executable, "-P", *super().command()[1:]]
        return ["env", f"PYTHONPATH={self.folder / 'lib'}", *python]

    def become(self, version: str) -> None:
        fresh = self.version_file.with_suffix(".new")
        fresh.write_text(f'"""A version."""\n\nVERSION = "{version}"\n')
        fresh.replace(self.version_file)

    def status(self) -> dict[str, Any]:
        return self.get("/v1/status")  # type: ignore[no-any-return]


@pytest.fixture
def copied(tmp_path: Path, tiny: TinyTaxonomy) -> Any:
    running = Copied(tmp_path, tiny)
    running.copy()
    tiny.set_policy(records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")})
    running.start()
    yield running
    assert running.stop() == 0, running.log


def nudged(daemon: Daemon) -> tuple[str, str]:
    """The verdict on an action of one session, and the status line of the answer."""
    body = json.dumps({"tool": "bash", "args": {"command": "touch nudge"}, "session": "s"}).encode()
    head = f"POST /v1/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    status, _, answer = daemon.exchange(head.encode() + body).partition(b"\r\n")
    return json.loads(answer.partition(b"\r\n\r\n")[2])["verdict"], status.decode()


@pytest.mark.thorough
def test_the_installed_version_goes_on_in_the_same_process(copied: Copied) -> None:
    before, port = copied.status(), copied.port
    assert [nudged(copied)[0] for _ in range(2)] == ["nudge", "nudge"]
    over, refused = threading.Event(), []
    event = json.dumps(HOSTS["claude"].canary("ls")).encode()
    hooked = (
        b"POST /hook/claude HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(event) + event
    )

    def agent() -> None:
        while not over.is_set():
            try:
                answer = copied.exchange(hooked)
            except OSError as error:
                answer = repr(error).encode()
            if not answer.startswith(b"HTTP/1.1 200 "):
                refused.append(answer)

    agents = [threading.Thread(target=agent) for _ in range(3)]
    for each in agents:
        each.start()
    try:
        copied.become("9.9.9")
        assert eventually(lambda: copied.status()["supervisor"] == "9.9.9", 60), copied.log
    finally:
        over.set()
        for each in agents:
            each.join()
    after = copied.status()
    assert refused == []
    assert (after["pid"], after["sessions"], copied.port) == (before["pid"], 2, port)
    assert nudged(copied)[0] == "block"  # the third time: the sessions were handed over
    assert not list(copied.folder.glob("tmp*"))


@pytest.mark.thorough
def test_a_version_that_does_not_start_does_not_take_over(copied: Copied) -> None:
    broken = copied.folder / "lib" / "supervisor" / "cli" / "serve.py"
    text = broken.read_text()
    broken.write_text("raise ImportError('half installed')\n")
    copied.become("9.9.8")
    assert eventually(lambda: "half installed" in copied.status()["upgrade"], 60), copied.log
    status = copied.status()
    assert (status["supervisor"], status["status"]) == (VERSION, "stale")
    assert nudged(copied)[0] == "nudge"
    broken.write_text(text)
    copied.become(VERSION)
    assert eventually(lambda: copied.status()["status"] == "ok", 60), copied.log


@pytest.mark.thorough
def test_two_versions_serve_side_by_side(
    copied: Copied, tmp_path: Path, make_taxonomy: Callable[[Path], TinyTaxonomy], run: Callable[..., Ran]
) -> None:
    (tmp_path / "other").mkdir()
    other = Copied(tmp_path / "other", make_taxonomy(tmp_path / "other"))
    other.copy()
    other.become("7.7.7")
    other.tiny.set_policy(records={"path": str(other.folder / "records"), "key": str(other.folder / "key.pem")})
    other.start()
    pids = copied.status()["pid"], other.status()["pid"]
    try:
        copied.become("9.9.9")  # an upgrade of the one: the other watches its own package alone
        assert eventually(lambda: copied.status()["supervisor"] == "9.9.9", 60), copied.log
        time.sleep(2 * EVERY)
        for daemon, version in ((copied, "9.9.9"), (other, "7.7.7")):
            shown = run("status", "--socket", daemon.socket)  # 1: this command is of another version
            assert (shown.code, f"Supervisor {version}, process {daemon.status()['pid']}" in shown.out) == (1, True)
            assert nudged(daemon)[0] == "nudge"
        assert (copied.status()["pid"], other.status()["pid"]) == pids
        assert json.loads(run("stop", "--socket", other.socket, "--json").out)["pid"] == pids[1]
        assert other.process is not None
        assert other.process.wait(30) == 0, other.log
        assert nudged(copied)[0] == "nudge"
        assert run("stop", "--socket", other.socket).code == 1
    finally:
        if other.process is not None and other.process.poll() is None:
            other.stop()


def test_what_is_left_is_checked(tmp_path: Path) -> None:
    kept, digest = bequeath(b"[]", tmp_path)
    assert os.fstat(kept).st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == []
    assert inherited(Estate(0, 0, None, kept, digest)) == b"[]"
    kept, _ = bequeath(b"[1]", tmp_path)
    with pytest.raises(ValueError, match="digest"):
        inherited(Estate(0, 0, None, kept, digest))


@pytest.mark.parametrize("text", ["", "1,2,3", "a,b,c,d,e", "999,999,-1,999,x", "1,2,3,4,5,6"])
def test_only_a_daemon_gives_a_succession(text: str) -> None:
    with pytest.raises(BadInput, match="--succession"):
        Estate.of_text(text)


def test_a_session_goes_on_as_it_was() -> None:
    sessions = Sessions()
    session = sessions.named("s", 7)
    session.ask("tidy up")
    session.learn(workspace="/w")
    session.nudged(["a"], frozenset({"x", "y"}))
    session.paused("call", "question")
    session.stop("stopped: rm; to allow it, …")
    again = Sessions.of_json(sessions.to_json())
    assert again.to_json() == sessions.to_json()
    found = again.named("s")
    assert isinstance(found, Session)
    assert (found.task, found.times_nudged("a", frozenset({"x", "y"})), found.awaited) == (
        *("tidy up", 1, {"call": "question"}),
    )
    assert found.stopped() == ["stopped: rm; to allow it, …"]


def test_a_session_of_the_version_before_has_stopped_nothing() -> None:
    left = Session(name="s").to_json()
    del left["stopped"]
    assert Session.of_json(left).stopped() == []


NO_SESSIONS = (b"", b"{", b"[1]", b'[{"name": 1}]', b'[{"name": "s", "bytes": 1}]', b"[[]]", b"\xff", b'{"a": 1}', b"7")


@pytest.mark.parametrize("content", NO_SESSIONS)
def test_sessions_that_are_none_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        Sessions.of_json(content)
