"""Workers begin with the first decision and end with their host, however it ends."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.engine.waiting import eventually
from tests.engine.workers.deployments import ISOLATIONS
from tests.engine.workers.hosts import host

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts processes in /proc")
DECIDE_AND_WAIT = "say(decide('echo forbidden'))\ninput()\n"


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_nothing_is_started_before_the_first_decision(tmp_path: Path, isolation: str) -> None:
    with host("say('open')\ninput()\n" + DECIDE_AND_WAIT, tmp_path, isolation=isolation) as running:
        assert running.line() == "open"
        assert running.workers == set()
        running.tell()
        assert running.line() == "block"
        assert running.workers


@pytest.mark.parametrize("isolation", ISOLATIONS)
@pytest.mark.parametrize("how", ["close", "exit", "os._exit", "kill -9", "kill -9 while one is stuck"])
def test_nothing_is_left_however_the_host_ends(tmp_path: Path, isolation: str, how: str) -> None:
    endings = {"close": "supervisor.close()\nsay('closed')\ninput()\n", "exit": "", "os._exit": "os._exit(3)\n"}
    program = DECIDE_AND_WAIT + endings.get(how, "decide('echo stuck')\n")
    with host(program, tmp_path, isolation=isolation) as running:
        assert running.line() == "block"
        assert running.workers
        running.tell()
        if how == "close":
            assert running.line() == "closed"
        elif how.startswith("kill"):
            if "stuck" in how:
                assert eventually(lambda: any(map(_is_busy, running.workers)))
            running.process.kill()
        assert eventually(lambda: not running.workers)


def _is_busy(process: int) -> bool:
    return Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()[0] == "R"


def test_a_host_goes_on_after_its_zygote_was_killed(tmp_path: Path) -> None:
    with host(DECIDE_AND_WAIT + "say(decide('echo forbidden'))\ninput()\n", tmp_path) as running:
        assert running.line() == "block"
        old = running.workers
        for process in old:
            os.kill(process, signal.SIGKILL)
        assert eventually(lambda: not running.workers & old)
        running.tell()
        assert running.line() == "block"
        assert running.workers


def test_a_forked_child_has_workers_of_its_own_and_leaves_its_parents_alone(tmp_path: Path) -> None:
    """As under gunicorn --preload, or multiprocessing with fork."""
    program = """
say(decide('echo forbidden'))
child = os.fork()
if not child:
    say('child', decide('echo forbidden'), decide('echo'))
    os._exit(0)
os.waitpid(child, 0)
say('parent', decide('echo forbidden'), decide('echo'))
"""
    with host(program, tmp_path) as running:
        assert [running.line() for _ in range(3)] == ["block", "child block ok", "parent block ok"]
        assert running.wait() == 0
        assert eventually(lambda: not running.workers)


def test_workers_end_with_a_host_whose_forked_child_lives_on(tmp_path: Path) -> None:
    """The child has inherited the host's end of every channel."""
    program = """
say(decide('echo forbidden'))
if not os.fork():
    say(os.getpid())
    time.sleep(600)
time.sleep(600)
"""
    with host(program, tmp_path) as running:
        assert running.line() == "block"
        child = int(running.line())
        running.process.kill()
        assert eventually(lambda: running.workers == {child})


def test_threads_and_event_loops_share_one_pool(tmp_path: Path) -> None:
    program = """
import asyncio
from concurrent.futures import ThreadPoolExecutor

async def many():
    actions = [supervisor.action("bash", {"command": f"echo {word}"}) for word in ("forbidden", "fine") * 20]
    return [decision.verdict.label for decision in await asyncio.gather(*map(supervisor.decide, actions))]

with ThreadPoolExecutor(8) as threads:
    loops = [threads.submit(lambda: asyncio.run(many())) for _ in range(2)]
    calls = list(threads.map(decide, ["echo forbidden", "echo"] * 40))
    assert calls == ["block", "ok"] * 40, calls
    for loop in loops:
        assert loop.result() == ["block", "ok"] * 20
say("fine")
"""
    with host(program, tmp_path) as running:
        assert running.line() == "fine"
        assert running.wait() == 0


def test_a_sync_call_inside_a_running_loop_is_answered(tmp_path: Path) -> None:
    """As in a notebook, whose cells run inside a loop."""
    program = """
import asyncio

async def cell():
    return decide("echo forbidden")

say(asyncio.run(cell()))
"""
    with host(program, tmp_path) as running:
        assert running.line() == "block"


def test_uvloop(tmp_path: Path) -> None:
    program = """
import uvloop

async def main():
    return [(await supervisor.decide(supervisor.action("bash", {"command": f"echo {word}"}))).verdict.label
            for word in ("forbidden", "fine")]

say(*uvloop.run(main()))
"""
    with host(program, tmp_path) as running:
        assert running.line() == "block ok"


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_modules_beside_the_agent_are_not_imported(tmp_path: Path, isolation: str) -> None:
    """Where the host works, an agent may write: a module called like one of ours must not be ours."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for name in ("orjson.py", "supervisor.py", "sitecustomize.py"):
        (workspace / name).write_text("raise SystemExit('imported from the workspace')\n")
    program = f"os.chdir({str(workspace)!r})\n" + DECIDE_AND_WAIT
    with host(program, tmp_path, isolation=isolation) as running:
        assert running.line() == "block"
