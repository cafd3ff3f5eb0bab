"""Runs any command: a process in a tree of its own, watched, bounded and killed as a whole."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass, field

import anyio
from anyio import to_thread

from supervisor.runtime.drivers.driver import Job, worker_environment
from supervisor.runtime.processes.output import Bound
from supervisor.runtime.processes.states import Event, Liveness, State
from supervisor.runtime.processes.tree import Usage
from supervisor.runtime.processes.verdict import Limits, Verdict
from supervisor.runtime.processes.watch import Watch
from supervisor.runtime.processes.worker import Sink, Worker, start
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.spec import Spec

_GRACE = 5.0  # seconds to end after a polite signal
_QUICK, _SLOW = 0.01, 0.1  # seconds between two looks whether the command has ended
_QUICK_FOR = 1.0  # seconds: short commands are noticed at once
_SAMPLE = 1.0  # seconds between two looks at what the processes use
_KEPT = 1_000_000  # bytes of a log that are kept of its beginning, and of its end


@dataclass(frozen=True, slots=True)
class ShellDriver:
    """Runs a command without a shell. `limits` says when silence is a hang: the command counts as one running tool, so
    CPU time, reading and writing of any of its processes are signs of life, and so is what it prints."""

    limits: Limits = field(default_factory=Limits)
    every: float = _SAMPLE

    def run(self, job: Job) -> Outcome:
        return anyio.run(_Run(job, self.limits, self.every).run)


class _Run:
    """One run of a command."""

    def __init__(self, job: Job, limits: Limits, every: float) -> None:
        self._job = job
        self._watch = Watch(self._usage, self._has_ended, self._act, limits, every)
        self._hung: State | None = None

    async def run(self) -> Outcome:
        self._worker = await to_thread.run_sync(self._start)
        try:
            self._job.started(self._worker.tree)
            return await self._watched()
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self._worker.close)

    def _start(self) -> Worker:
        job = self._job
        sink = Sink(bound=Bound(_KEPT, _KEPT), file=job.log, listener=self._hear)
        environment = worker_environment(os.environ, job)
        return start(job.spec.command, cwd=job.folder, env=environment, stdout=sink, stderr="stdout", plan=job.plan)

    async def _watched(self) -> Outcome:
        self._watch.hear(Event.TURN_STARTED)
        self._watch.hear(Event.TOOL_STARTED)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch.run)
            wanted = await self._end()
            tasks.cancel_scope.cancel()
        if wanted is not None:
            return wanted
        if self._hung is not None:
            return Outcome(Ending.HUNG, f"no sign of life while {self._hung}", self._worker.poll())
        return _outcome(self._worker.wait())

    async def _end(self) -> Outcome | None:
        """Waits until the command has ended, or has to. Returns the end that somebody asked for or its time brings."""
        began = time.monotonic()
        while not self._has_ended():
            wanted = self._job.control.wanted or _overdue(self._job.spec, time.monotonic() - began)
            if wanted is not None:
                await self._kill()
                return wanted
            await anyio.sleep(_QUICK if time.monotonic() - began < _QUICK_FOR else _SLOW)
        return None

    async def _act(self, verdict: Verdict, liveness: Liveness) -> None:
        if verdict >= Verdict.INTERRUPT:
            self._hung = liveness.state
            await self._kill()

    async def _kill(self) -> None:
        await to_thread.run_sync(self._worker.kill, signal.SIGINT, _GRACE)

    def _usage(self, now: float) -> Usage:
        return self._worker.tree.usage(now)

    def _has_ended(self) -> bool:
        return self._worker.poll() is not None

    def _hear(self, chunk: bytes) -> None:
        self._watch.hear(Event.SIGN_OF_LIFE)


def _overdue(spec: Spec, seconds: float) -> Outcome | None:
    if spec.deadline is not None and time.time() >= spec.deadline:
        return Outcome(Ending.EXPIRED, "the deadline has passed")
    if spec.timeout is not None and seconds >= spec.timeout:
        return Outcome(Ending.TIMED_OUT, f"it took longer than {spec.timeout:g} s")
    return None


def _outcome(code: int) -> Outcome:
    if code == 0:
        return Outcome(Ending.SUCCEEDED, "", 0)
    reason = f"exit code {code}" if code > 0 else f"signal {-code}"
    return Outcome(Ending.FAILED, reason, code)
