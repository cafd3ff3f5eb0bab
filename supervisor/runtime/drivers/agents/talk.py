"""A talk with one agent, whatever its protocol: what is heard and what is answered."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import anyio

from supervisor.runtime.drivers.agents.channel import Channel, Lines, Message, NoReply, message_of
from supervisor.runtime.drivers.agents.judging import AgentGuard
from supervisor.runtime.drivers.agents.notes import Notes
from supervisor.runtime.drivers.agents.observation import EVENTS, Kind, Observation
from supervisor.runtime.drivers.agents.steering import Steering
from supervisor.runtime.drivers.driver import Job
from supervisor.runtime.processes.states import Event
from supervisor.runtime.tasks.outcome import Outcome
from supervisor.runtime.tasks.said import Said
from supervisor.runtime.tasks.usage import Spent, Usage, total

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Talk:
    """One attempt of an agent, as its dialect sees it. `turns` are the ends of turns that nobody has looked at yet,
    `usage` is what the attempt has spent so far, and `quota_until` when a quota that is used up comes back. `spends` is
    told each reading of the former, `steering` has what people say meanwhile."""

    job: Job
    guard: AgentGuard
    allows_unguarded: bool
    notes: Notes
    channel: Channel
    heard: Callable[[Event], None]
    turns: list[Observation] = field(default_factory=list)
    usage: Usage | None = None
    spends: Callable[[Usage], None] = lambda usage: None
    quota_until: float | None = None
    steering: Steering = field(init=False)
    _turn_ended: anyio.Event = field(default_factory=anyio.Event)

    def __post_init__(self) -> None:
        self.steering = Steering(self.job, self.guard)

    def note(self, observation: Observation) -> None:
        """Takes in what the agent does."""
        if observation.kind in (Kind.TOOL_PROPOSED, Kind.MESSAGE) and self.quota_until is not None:
            # The model answers again.
            self.quota_until = None
            self.heard(Event.QUOTA_RESTORED)
        self.heard(EVENTS.get(observation.kind, Event.SIGN_OF_LIFE))
        if observation.kind is Kind.TURN_ENDED:
            self.turns.append(observation)
            self._turn_ended.set()
        if observation.kind is Kind.QUOTA:
            self.quota_until = observation.until
        if observation.kind is Kind.USAGE and observation.usage is not None:
            self.usage = observation.usage
            self.spends(observation.usage)
        if self.notes.take(observation):
            self.notes.write(self.job.home)

    @property
    def spent(self) -> Spent | None:
        """What the attempt has spent so far, on all models."""
        return None if self.usage is None else total(self.usage)

    async def turn(self, within: float = math.inf) -> Observation:
        """The end of the turn that runs. Raises NoReply after so many seconds."""
        with anyio.move_on_after(within):
            await self._turn_ended.wait()
        if not self.turns:
            raise NoReply(f"its turn has not ended for {within:g} s")
        ended = self.turns.pop(0)
        if not self.turns:
            self._turn_ended = anyio.Event()
        return ended


class Dialect(Protocol):
    """How one attempt speaks with one kind of agent. `observe` and `answer` take whatever the agent prints: what they
    do not know is no fault."""

    def ready(self) -> AbstractAsyncContextManager[None]:
        """What has to be there from before the program starts until it has ended. Raises OSError."""

    def command(self) -> tuple[str, ...]:
        """The program and its arguments. Raises OSError, SupervisorError."""

    def environment(self) -> Mapping[str, str]:
        """Variables beside those of the task."""

    def observe(self, message: Message) -> Iterator[Observation]:
        """What a message tells."""

    def reply_to(self, message: Message) -> tuple[str, Message | None] | None:
        """The request that a message replies to, with its result; None as a result is a refusal. None if the message is
        no reply."""

    def asks(self, message: Message) -> bool:
        """Whether the agent waits for an answer to a message."""

    async def answer(self, message: Message) -> Message:
        """The answer to what the agent asks."""

    async def converse(self) -> Outcome:
        """Makes sure that the agent is guarded, gives it its task, and waits for the end. Raises NoReply."""

    @property
    def provider(self) -> str:
        """At which provider the agent spends, as far as only the agent tells; empty if the gateway counts there."""

    async def steer(self, said: Said) -> None:
        """Adds a person's message to the turn that runs. Raises NoReply if it cannot be joined."""

    async def interrupt(self) -> None:
        """Asks the agent to end its turn. Raises NoReply."""


@dataclass(slots=True)
class Listener:
    """Hears what an agent prints. What is no message, or one that nobody knows, ends nothing."""

    talk: Talk
    dialect: Dialect
    _lines: Lines = field(default_factory=Lines)

    def hear(self, chunk: bytes, tasks: TaskGroup) -> None:
        """Takes in what comes next. Answers are given in the group of tasks."""
        for line in self._lines.feed(chunk):
            if line.strip():
                self._take(line, tasks)

    def _take(self, line: bytes, tasks: TaskGroup) -> None:
        message = message_of(line)
        if message is None:
            self.talk.note(Observation(Kind.WARNING, "a line is no message"))
            return
        for observation in self.dialect.observe(message):
            self.talk.note(observation)
        if reply := self.dialect.reply_to(message):
            self.talk.channel.resolve(*reply)
        elif self.dialect.asks(message):
            tasks.start_soon(self._answer, message)

    async def _answer(self, message: Message) -> None:
        answer = await self.dialect.answer(message)
        try:
            await self.talk.channel.send(answer)
        except NoReply as error:
            _log.warning("an answer was not read: %s", error)
