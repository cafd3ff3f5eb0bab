"""One worker under watch: it is started, ended when it has to be, and leaves no process."""

from __future__ import annotations

import signal
import time
from collections.abc import Awaitable, Callable
from functools import partial

import anyio
from anyio import to_thread

from supervisor.runtime.drivers.driver import Job
from supervisor.runtime.processes.states import Liveness, State
from supervisor.runtime.processes.tree import Usage
from supervisor.runtime.processes.verdict import Limits, Verdict
from supervisor.runtime.processes.watch import Watch
from supervisor.runtime.processes.worker import Worker
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.spec import Spec

_GRACE = 5.0  # seconds to end after a polite signal
_LOOK = 0.1  # seconds between two looks whether it has ended, or somebody wants it to end
_QUICK = 0.01  # seconds between two looks whether it has ended, at the beginning
_QUICK_FOR = 1.0  # seconds: short commands are noticed at once
KEPT = 1_000_000  # bytes of a log that are kept of its beginning, and of its end


class Attended:
    """Watches one worker from its start to its end. `limits` says when silence is a hang; `every` is the seconds
    between two looks at what its processes use."""

    worker: Worker

    def __init__(self, job: Job, limits: Limits, every: float) -> None:
        self._job = job
        self._wanted: Outcome | None = None
        self.watch = Watch(self._usage, self.has_ended, self._act, limits, every)

    async def run(self, begin: Callable[[], Worker], work: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """Starts the worker and does the work with it, which has to return when the worker has ended. What somebody
        has asked for meanwhile, or its time has brought, is the outcome instead of the work's."""
        self.worker = await to_thread.run_sync(begin)
        outcome = Outcome(Ending.BROKEN, "it was ended for no reason")
        try:
            self._job.started(self.worker.tree)
            async with anyio.create_task_group() as tasks:
                self._scope = tasks.cancel_scope
                tasks.start_soon(self.watch.run)
                tasks.start_soon(self._end_when_asked)
                outcome = await work()
                tasks.cancel_scope.cancel()
            return self._wanted or outcome
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self.worker.close)

    def has_ended(self) -> bool:
        """Whether its leader has exited."""
        return self.worker.poll() is not None

    async def exited(self) -> int:
        """Waits for its leader's exit, and returns the exit code."""
        began = time.monotonic()
        while True:
            code = self.worker.poll()
            if code is not None:
                return code
            await anyio.sleep(_QUICK if time.monotonic() - began < _QUICK_FOR else _LOOK)

    async def _end_when_asked(self) -> None:
        began = time.monotonic()
        while True:
            wanted = self._job.control.wanted or _overdue(self._job.spec, time.monotonic() - began)
            if wanted is not None:
                break
            await anyio.sleep(_LOOK)
        if not self.has_ended():
            await self._end(wanted)

    async def _act(self, verdict: Verdict, liveness: Liveness) -> None:
        if verdict >= Verdict.INTERRUPT:
            if liveness.state is State.RESULT_BUT_NOT_EXITED:  # its result stands
                await self.kill()
            else:
                await self._end(Outcome(Ending.HUNG, f"no sign of life while {liveness.state}"))

    async def _end(self, wanted: Outcome) -> None:
        """Ends the worker, and the work with it, even if a process cannot be killed."""
        self._wanted = wanted
        await self.kill()
        self._scope.cancel()

    async def kill(self) -> None:
        """Asks the worker to end, and kills its whole tree if it does not."""
        await to_thread.run_sync(partial(self.worker.kill, signal.SIGINT, _GRACE))

    def _usage(self, now: float) -> Usage:
        return self.worker.tree.usage(now)


def _overdue(spec: Spec, seconds: float) -> Outcome | None:
    if spec.deadline is not None and time.time() >= spec.deadline:
        return Outcome(Ending.EXPIRED, "the deadline has passed")
    if spec.timeout is not None and seconds >= spec.timeout:
        return Outcome(Ending.TIMED_OUT, f"it took longer than {spec.timeout:g} s")
    return None
