"""Runs one agent for one attempt: starts it, listens to it, hands it its task, and ends it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import anyio
from anyio import from_thread, to_thread
from anyio.lowlevel import current_token

from supervisor.runtime.drivers.agents.accounting import Accounting
from supervisor.runtime.drivers.agents.channel import Channel, NoReply
from supervisor.runtime.drivers.agents.judging import agent_guard
from supervisor.runtime.drivers.agents.notes import Notes
from supervisor.runtime.drivers.agents.talk import Dialect, Listener, Talk
from supervisor.runtime.drivers.attended import KEPT, Attended
from supervisor.runtime.drivers.driver import Capabilities, Job, worker_environment
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.processes.output import Bound
from supervisor.runtime.processes.states import Event
from supervisor.runtime.processes.verdict import Limits
from supervisor.runtime.processes.worker import Sink, Worker, start
from supervisor.runtime.tasks.outcome import Ending, Outcome

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

_SAMPLE = 1.0  # seconds between two looks at what the processes use
_LAST_WORDS = 1.0  # seconds to read what a program has written before its end
_ERRORS = Bound(2_000, 2_000)  # bytes of the standard error
_TOLD = 500  # characters of it that a reason has


@dataclass(frozen=True, slots=True)
class AgentDriver:
    """Runs an agent that speaks a dialect over its standard input and output. `limits` says when silence is a hang."""

    speaks: Callable[[Talk], Dialect]
    host: str
    capabilities: Capabilities
    guard: CommandGuard
    limits: Limits = field(default_factory=Limits)
    every: float = _SAMPLE
    guards = True

    def run(self, job: Job) -> Outcome:
        try:
            return anyio.run(_Run(self, job).run)
        except ExceptionGroup as group:
            if len(group.exceptions) == 1:
                raise group.exceptions[0] from None
            raise


class _Run:
    """One attempt."""

    def __init__(self, driver: AgentDriver, job: Job) -> None:
        from supervisor.adapters.hooks import HOSTS

        self._job = job
        self._attended = Attended(job, driver.limits, driver.every)
        self._memory = job.home / "guard.json"
        self._guard = agent_guard(HOSTS[driver.host], driver.guard.engine, job, self._memory)
        channel, hear = Channel(lambda: self._attended.worker.stdin), self._attended.watch.hear
        self._talk = Talk(job, self._guard, driver.guard.allows_unhooked, Notes.read(job.home), channel, hear)
        self._dialect = driver.speaks(self._talk)
        self._accounting = Accounting(job, self._talk, self._dialect)
        self._guard.may_go_on = self._accounting.settled
        self._outcome: Outcome | None = None

    async def run(self) -> Outcome:
        self._token, self._has_outcome = current_token(), anyio.Event()
        self._chunks, self._incoming = anyio.create_memory_object_stream[bytes](math.inf)
        with self._chunks, self._incoming:
            try:
                async with self._dialect.ready():
                    outcome = await self._attended.run(self._start, self._work)
                await self._talk.steering.note()
                await self._accounting.close()
                return replace(outcome, spent=self._talk.spent)
            finally:
                self._guard.remember(self._memory)
                if self._job.control.wanted is None:  # else a session that has not begun yet is gone on with later
                    self._talk.notes.write(self._job.home)

    def _start(self) -> Worker:
        job = self._job
        out = Sink(bound=Bound(KEPT, KEPT), file=job.log, listener=self._arrived)
        environment = {**worker_environment(os.environ, job), **self._dialect.environment()}
        command, errors = self._dialect.command(), Sink(bound=_ERRORS)
        return start(command, cwd=job.folder, env=environment, stdin="pipe", stdout=out, stderr=errors, plan=job.plan)

    def _arrived(self, chunk: bytes) -> None:
        """Hands over what the agent prints, from the thread that reads it."""
        from_thread.run_sync(self._chunks.send_nowait, chunk, token=self._token)

    async def _work(self) -> Outcome:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._listen, tasks)
            tasks.start_soon(self._notice_the_end, tasks.cancel_scope)
            tasks.start_soon(self._accounting.run)
            tasks.start_soon(self._accounting.leave_for_quota)
            tasks.start_soon(self._talk.steering.run, self._dialect.steer)
            self._outcome = await self._conversed()
            self._has_outcome.set()
            if self._outcome.ending is Ending.REFUSED:
                await self._attended.kill()  # it runs unguarded
            self._talk.heard(Event.RESULT)
            await self._talk.channel.close()
            await anyio.sleep_forever()  # the watch ends what does not exit by itself
        return self._outcome or self._ended_early()

    async def _conversed(self) -> Outcome:
        try:
            return await self._dialect.converse()
        except NoReply as error:
            return Outcome(Ending.FAILED, str(error))

    async def _notice_the_end(self, work: anyio.CancelScope) -> None:
        """Ends the work when the program has exited and everything that it has said is heard."""
        await self._attended.exited()
        if self._attended.worker.stdout is not None:
            await to_thread.run_sync(self._attended.worker.stdout.finish, _LAST_WORDS)
        with anyio.move_on_after(_LAST_WORDS):
            await self._has_outcome.wait()
        work.cancel()

    def _ended_early(self) -> Outcome:
        worker = self._attended.worker
        told = worker.stderr.content().decode(errors="replace").strip() if worker.stderr is not None else ""
        code = worker.poll()
        return Outcome(Ending.FAILED, f"it ended with {code} before its turn did: {told[-_TOLD:] or 'no error'}", code)

    async def _listen(self, tasks: TaskGroup) -> None:
        listener = Listener(self._talk, self._dialect)
        async for chunk in self._incoming:
            listener.hear(chunk, tasks)
