"""The watch of real processes: work keeps an agent, a hang ends it."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from supervisor.runtime.processes.states import Event, Liveness, State
from supervisor.runtime.processes.tree import Usage
from supervisor.runtime.processes.verdict import Limit, Limits, Verdict
from supervisor.runtime.processes.watch import Watch, WatchedTime
from supervisor.runtime.processes.worker import Worker
from tests.runtime.processes.starting import begin, python

pytestmark = pytest.mark.anyio

# Further apart than a watcher that was held up counts at once, so that none is passed over.
QUICK = Limits({state: Limit(warn=0.2, interrupt=0.6, kill=1.0, work_counts=True) for state in State})
SILENT_BUILD = "import time\nend = time.monotonic() + 1.2\nwhile time.monotonic() < end: pass"
SILENT_COPY = """
import time
end = time.monotonic() + 1.2
while time.monotonic() < end:
    open('copy', 'wb').write(bytes(100_000)); time.sleep(0.05)
"""
WORK_OF_A_CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-I', '-S', '-c', {SILENT_BUILD!r}])"
HANG = "import time; time.sleep(60)"


async def watched(worker: Worker) -> tuple[list[Verdict], Liveness]:
    found: list[Verdict] = []

    async def act(verdict: Verdict, _: Liveness) -> None:
        found.append(verdict)
        if verdict is Verdict.KILL:
            worker.kill(polite=None)

    watch = Watch(worker.tree.usage, lambda: worker.poll() is not None, act, QUICK, every=0.1)
    watch.hear(Event.TURN_STARTED)
    watch.hear(Event.TOOL_STARTED)
    with anyio.fail_after(20):
        return found, await watch.run()


@pytest.mark.parametrize(
    ("method", "program"), [("cgroup", WORK_OF_A_CHILD), ("subreaper", SILENT_BUILD), ("group", SILENT_COPY)]
)
async def test_silent_work_is_left_alone(method: str, program: str, tmp_path: Path) -> None:
    with begin(python(program), tmp_path, method) as worker:
        found, last = await watched(worker)
        assert (max(found, default=Verdict.KEEP) <= Verdict.WARN, last.state, worker.poll()) == (True, State.EXITED, 0)


@pytest.mark.parametrize("method", ["cgroup", "subreaper"])
async def test_a_silent_hang_is_warned_of_interrupted_and_killed(method: str, tmp_path: Path) -> None:
    with begin(python(HANG), tmp_path, method) as worker:
        found, last = await watched(worker)
        assert (found, last.state) == ([Verdict.WARN, Verdict.INTERRUPT, Verdict.KILL], State.TOOL_RUNNING)
        assert worker.poll() == -signal.SIGKILL


async def test_events_keep_an_agent_and_each_verdict_comes_once() -> None:
    limits = Limits({state: replace(QUICK.states[state], work_counts=False) for state in State})
    found: list[Verdict] = []

    async def act(verdict: Verdict, _: Liveness) -> None:
        found.append(verdict)

    def unasked(now: float) -> Usage:
        raise AssertionError("in this state, work does not count")

    watch = Watch(unasked, lambda: False, act, limits, every=0.02)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch.run)
        for _ in range(5):
            await anyio.sleep(0.1)
            watch.hear(Event.SIGN_OF_LIFE)
        assert found == []
    assert found == [Verdict.WARN, Verdict.INTERRUPT, Verdict.KILL]


async def test_a_machine_that_slept_accuses_nobody() -> None:
    moment = [100.0]
    watched_time = WatchedTime(most=3.0, clock=lambda: moment[0])
    for step, now in ((1.0, 1.0), (2.5, 3.5), (8 * 3600.0, 6.5), (1.0, 7.5)):
        moment[0] += step
        assert watched_time.advance() == now
