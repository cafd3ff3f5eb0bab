"""Runs any command: a process in a tree of its own, watched, bounded and killed as a whole."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import anyio

from supervisor.runtime.drivers.attended import KEPT, Attended
from supervisor.runtime.drivers.driver import Capabilities, Job, worker_environment
from supervisor.runtime.processes.output import Bound
from supervisor.runtime.processes.states import Event
from supervisor.runtime.processes.verdict import Limits
from supervisor.runtime.processes.worker import Sink, Worker, start
from supervisor.runtime.tasks.outcome import Ending, Outcome

_SAMPLE = 1.0  # seconds between two looks at what the processes use


@dataclass(frozen=True, slots=True)
class ShellDriver:
    """Runs a command without a shell. `limits` says when silence is a hang: the command counts as one running tool, so
    CPU time, reading and writing of any of its processes are signs of life, and so is what it prints."""

    limits: Limits = field(default_factory=Limits)
    every: float = _SAMPLE
    capabilities = Capabilities()
    guards = False

    def run(self, job: Job) -> Outcome:
        return anyio.run(_Run(job, Attended(job, self.limits, self.every)).run)


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of a command."""

    job: Job
    attended: Attended

    async def run(self) -> Outcome:
        return await self.attended.run(self._start, self._ended)

    def _start(self) -> Worker:
        job = self.job
        sink = Sink(bound=Bound(KEPT, KEPT), file=job.log, listener=self._hear)
        environment = worker_environment(os.environ, job)
        return start(job.spec.command, cwd=job.folder, env=environment, stdout=sink, stderr="stdout", plan=job.plan)

    async def _ended(self) -> Outcome:
        self.attended.watch.hear(Event.TURN_STARTED)
        self.attended.watch.hear(Event.TOOL_STARTED)
        return _outcome(await self.attended.exited())

    def _hear(self, chunk: bytes) -> None:
        self.attended.watch.hear(Event.SIGN_OF_LIFE)


def _outcome(code: int) -> Outcome:
    if code == 0:
        return Outcome(Ending.SUCCEEDED, "", 0)
    reason = f"exit code {code}" if code > 0 else f"signal {-code}"
    return Outcome(Ending.FAILED, reason, code)
