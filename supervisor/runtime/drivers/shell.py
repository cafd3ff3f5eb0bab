"""Runs any command: a process in a tree of its own, watched, bounded and killed as a whole."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field

import anyio

from supervisor.runtime.drivers.attended import KEPT, Attended
from supervisor.runtime.drivers.driver import Capabilities, Job, worker_environment
from supervisor.runtime.drivers.terminal import Judge, Prompts
from supervisor.runtime.processes import terminal
from supervisor.runtime.processes.output import Bound
from supervisor.runtime.processes.states import Event
from supervisor.runtime.processes.verdict import Limits
from supervisor.runtime.processes.worker import Sink, Worker, start
from supervisor.runtime.tasks.outcome import Ending, Outcome

_PLAIN = {"TERM": "dumb"}  # what programs take for a terminal that only shows text
_SAMPLE = 1.0  # seconds between two looks at what the processes use


@dataclass(frozen=True, slots=True)
class ShellDriver:
    """Runs a command without a shell, on a terminal of its own if its task says so. `is_needless` says which of its
    prompts are answered there without a person: none by default. `limits` says when silence is a hang: the command
    counts as one running tool, so CPU time, reading and writing of any of its processes are signs of life, and so is
    what it prints."""

    limits: Limits = field(default_factory=Limits)
    every: float = _SAMPLE
    is_needless: Judge = lambda task, question, folder: False
    capabilities = Capabilities()
    guards = False

    def run(self, job: Job) -> Outcome:
        prompts = Prompts(job, self.is_needless) if job.spec.pty else None
        return anyio.run(_Run(job, Attended(job, self.limits, self.every), prompts).run)


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of a command."""

    job: Job
    attended: Attended
    prompts: Prompts | None

    async def run(self) -> Outcome:
        return await self.attended.run(self._start, self._ended)

    def _start(self) -> Worker:
        job = self.job
        sink = Sink(bound=Bound(KEPT, KEPT), file=job.log, listener=self._hear)
        environment = worker_environment(os.environ, job)
        if self.prompts is not None:
            environment = {**environment, **_PLAIN, **job.spec.environment}
        return start(
            job.spec.command,
            cwd=job.folder,
            env=environment,
            stdin="nothing" if self.prompts is None else "terminal",
            stdout=sink,
            stderr="stdout",
            plan=job.plan,
        )

    async def _ended(self) -> Outcome:
        self.attended.watch.hear(Event.TURN_STARTED)
        self.attended.watch.hear(Event.TOOL_STARTED)
        if self.prompts is None:
            return _outcome(await self.attended.exited())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.prompts.run, self._hides, self._put, self.attended.kill)
            code = await self.attended.exited()
            tasks.cancel_scope.cancel()
        return self.prompts.outcome or _outcome(code)

    def _hides(self) -> bool:
        return terminal.hides(self._side)

    def _put(self, line: str) -> None:
        """Types a line. If the command has just ended, nobody reads it."""
        with contextlib.suppress(OSError):
            terminal.put(self._side, line)

    @property
    def _side(self) -> int:
        side = self.attended.worker.stdin
        if side is None:
            raise ValueError("it has no terminal")
        return side.fileno()

    def _hear(self, chunk: bytes) -> None:
        if self.prompts is not None:
            self.prompts.hear(chunk)
        self.attended.watch.hear(Event.SIGN_OF_LIFE)


def _outcome(code: int) -> Outcome:
    if code == 0:
        return Outcome(Ending.SUCCEEDED, "", 0)
    reason = f"exit code {code}" if code > 0 else f"signal {-code}"
    return Outcome(Ending.FAILED, reason, code)
