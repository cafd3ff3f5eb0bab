"""Hosts that are unlike others, callers that do not wait, machines that have nothing left."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from supervisor.engine.supervisor import Supervisor
from supervisor.engine.workers.pool import Pool
from supervisor.engine.workers.shared_memory import SIZE, SharedMemory
from supervisor.errors import NoWorker
from supervisor.policy import Policy, Records
from supervisor.verdict import Verdict
from tests.catalog import taxonomies
from tests.engine.workers.deployments import ISOLATIONS, add, decide, supervisor
from tests.engine.workers.hosts import host

_SETTINGS = {
    "sockets have a timeout": "import socket; socket.setdefaulttimeout(10)",
    "children are not waited for": "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "the alarm is blocked": "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])",
}


@pytest.mark.parametrize("isolation", ISOLATIONS)
@pytest.mark.parametrize("setting", _SETTINGS.values(), ids=list(_SETTINGS))
def test_what_a_host_has_set_for_itself_disturbs_no_worker(tmp_path: Path, setting: str, isolation: str) -> None:
    program = f"""
import logging; logging.basicConfig(stream=sys.stdout)
{setting}
supervisor.start()
for command in ("forbidden", "stuck", "forbidden"):
    say(decide(command))
    time.sleep(0.2)
lane = supervisor._dispatch._theirs
say(any(worker.wait(0) for worker in lane._free))
"""
    with host(program, tmp_path, isolation=isolation, budgets={"pure_ms": 100}) as running:
        assert [running.line() for _ in range(4)] == ["block", "flag", "block", "False"]


def test_a_caller_that_is_cancelled_takes_no_worker_along(tmp_path: Path) -> None:
    add(tmp_path, "objects", "slow", "import time; time.sleep(0.05)")
    with supervisor(tmp_path) as opened:
        large = opened.action("bash", {"command": "slow " + "x " * 100_000})  # begun in a thread

        async def impatient() -> None:
            for milliseconds in (1, 2, 4, 8, 16, 32) * 4:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(opened.decide(large), milliseconds / 1000)

        asyncio.run(impatient())
        decision = decide(opened, "forbidden " + "x" * 9000)
        assert decision.verdict is Verdict.BLOCK
        assert not decision.unjudged


def test_callers_that_do_not_wait_for_the_start_do_not_prevent_it(tmp_path: Path) -> None:
    add(tmp_path, "objects")
    opened = Supervisor(Policy(records=Records(None), taxonomy=taxonomies.alone(tmp_path)))
    action = opened.action("bash", {"command": "forbidden " + "x" * 9000})

    async def impatient() -> None:
        for _ in range(6):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(opened.decide(action), 0.01)

    try:
        asyncio.run(impatient())
        assert not opened.decide_from_thread(action).unjudged
    finally:
        opened.close()


class _Poor:
    """An origin on a machine that has no files left."""

    is_closed = False

    def start_worker(self, number: int, needs: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    def close(self) -> None:
        self.is_closed = True


def test_where_files_are_short_those_at_work_go_on() -> None:
    origin = _Poor()
    pool = Pool(lambda: origin, 2)  # type: ignore[arg-type, return-value]
    for _ in range(2):
        with pytest.raises(NoWorker, match="Too many open files"):
            pool.take((), 0)
    assert not origin.is_closed


class _Barren:
    """An origin whose workers are dead before anybody asks them."""

    def start_worker(self, number: int, needs: object) -> tuple[SharedMemory, socket.socket]:
        ours, theirs = socket.socketpair()
        theirs.close()
        memory = os.memfd_create("shared memory")
        os.ftruncate(memory, SIZE)
        shared = SharedMemory(memory)
        os.close(memory)
        return shared, ours

    def kill(self, number: int) -> None: ...


_WORKER = """
import os, socket, threading, time
from supervisor.engine.workers.shared_memory import SIZE, SharedMemory
from supervisor.engine.workers.loader import Specialists
from supervisor.engine.workers.worker import Worker
memory = os.memfd_create("shared memory")
os.ftruncate(memory, SIZE)
host, channel = socket.socketpair()
worker = Worker(SharedMemory(memory), channel, Specialists([]))
"""
_LIVES = {
    "its host waits no longer": """
worker._answer = host.close
host.send(b"1")
worker.serve()
""",
    "nobody asks, so that it reads on": """
steps, worker._answer = [], lambda: None
def reading():
    while len(steps) < 3:
        yield steps.append(host.recv(1) if not steps else None)  # it has answered before
worker._ahead = reading()
def ask():
    host.send(b"1")
    while len(steps) < 3:
        time.sleep(0.001)
    host.close()
threading.Thread(target=ask).start()
worker.serve()
assert steps[0], "it reads on before it has answered"
""",
    "it is asked, so that it reads no further": """
asked, steps, worker._answer = [], [], lambda: None
def reading():
    while True:
        steps.append(host.send(b"1") if len(steps) == 2 else None)
        yield
def answered():
    asked.append(len(steps))
    if len(asked) == 2:
        host.close()
worker._ahead, worker._answer = reading(), answered
host.send(b"1")
worker.serve()
assert asked == [0, 3], asked
""",
    "one step would take for ever": """
worker._answer = lambda: None
def reading():
    while True:
        pass
    yield
worker._ahead = reading()
host.send(b"1")
threading.Timer(1, host.close).start()
worker.serve()
assert worker._is_spoiled
""",
}


@pytest.mark.parametrize("life", _LIVES.values(), ids=list(_LIVES))
def test_a_worker_ends_in_peace_where(life: str) -> None:
    assert subprocess.run([sys.executable, "-c", _WORKER + life], capture_output=True, check=True).stderr == b""


def test_nobody_waits_for_workers_that_die_at_birth() -> None:
    with pytest.raises(NoWorker, match="in a row"):
        Pool(_Barren, 2).take((), 3600)  # type: ignore[arg-type]


def test_without_an_interpreter_nothing_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path, "objects")
    monkeypatch.setattr(sys, "executable", None)  # as where Python is embedded
    opened = Supervisor(Policy(records=Records(None), taxonomy=taxonomies.alone(tmp_path)))
    try:
        decision = decide(opened, "echo")
        assert decision.verdict is Verdict.BLOCK
        assert "which Python" in (decision.unjudged or "")
    finally:
        opened.close()


def test_a_forked_child_leaves_its_parents_files_alone(tmp_path: Path) -> None:
    program = """
supervisor.start()
child = os.fork()
if not child:
    sys.exit()
os.waitpid(child, 0)
say(supervisor._dispatch._theirs._origin._folder.exists())
"""
    with host(program, tmp_path, isolation="spawn") as running:
        assert running.line() == "True"


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_worker_is_as_closed_as_its_host(tmp_path: Path, isolation: str) -> None:
    """`python -I` does not read the home of whoever runs it, where an agent may write, and neither do its workers."""
    told = subprocess.run(
        [sys.executable, "-c", "import site; print(site.getusersitepackages())"],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    planted = Path(told.stdout.strip()) / "usercustomize.py"
    planted.parent.mkdir(parents=True)
    planted.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    add(tmp_path, "objects")
    program = f"""
import os, sys
sys.path[:] = {sys.path!r}
from pathlib import Path
from supervisor import Policy, Supervisor
from supervisor.policy import Records, Taxonomy

if __name__ == "__main__":
    taxonomy = Taxonomy(folders=({str(tmp_path)!r},), shipped=False)
    opened = Supervisor(Policy(isolation={isolation!r}, records=Records(None), taxonomy=taxonomy))
    opened.start()
    opened.close()
"""
    base = getattr(sys, "_base_executable", sys.executable)  # a virtual environment has no user site
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONINSPECT": ""}
    subprocess.run([base, "-I", "-c", program], env=environment, check=True, timeout=60)
    assert not (tmp_path / "ran").exists()
