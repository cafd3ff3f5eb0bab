"""Passes on what people say to an agent while it works."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from supervisor.runtime.drivers.agents.channel import NoReply
from supervisor.runtime.drivers.agents.judging import AgentGuard
from supervisor.runtime.drivers.driver import Job
from supervisor.runtime.tasks.said import Said

if TYPE_CHECKING:
    from supervisor.runtime.drivers.agents.observation import Observation

_LOOK = 0.1  # seconds between two looks whether there is a message
_AGAIN = 1.0  # seconds after a message could not be passed on
Pass = Callable[[Said], Awaitable[None]]


@dataclass(slots=True)
class Steering:
    """The messages of one attempt. While it `is_open`, the agent has heard its task and its turn runs. `awaited` are
    those that were sent to a program which says itself when the agent hears them."""

    job: Job
    guard: AgentGuard
    is_open: bool = False
    awaited: set[str] = field(default_factory=set)
    _heard: list[str] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)
    _lock: anyio.Lock = field(default_factory=anyio.Lock)

    async def run(self, join: Pass) -> None:
        """Passes on each message as soon as the agent can take it. `join` adds it to the turn that runs, and raises
        NoReply if none does."""
        while True:
            await self.note()
            await anyio.sleep(_LOOK if await self._joins(join) else _AGAIN)

    async def through(
        self, turn: Callable[[], Awaitable[Observation]], begin: Pass, may: Callable[[], bool]
    ) -> Observation:
        """The end of the agent's last turn: a message that comes too late for a turn begins another one. `may` says
        whether one may begin after the last. Raises NoReply."""
        self.is_open = True
        ended = await turn()
        while may() and not ended.failed:
            async with self._lock:
                if not self.awaited:
                    said = self._next()
                    if said is None:
                        break
                    await begin(said)
            ended = await turn()
        self.is_open = False
        return ended

    def hears(self, id: str) -> None:
        """The agent hears a message."""
        self.awaited.discard(id)
        self._heard.append(id)

    async def note(self) -> None:
        """Stores what was heard."""
        while self._heard:
            await to_thread.run_sync(self.job.heard, self._heard[0])
            del self._heard[0]  # only now: whoever waits here may be cancelled

    async def _joins(self, join: Pass) -> bool:
        """Passes on the next message, if there is one. Returns False if it could not be: the turn has just ended, or
        may not be joined."""
        async with self._lock:
            said = self._next() if self.is_open else None
            if said is None:
                return True
            try:
                await join(said)
            except NoReply:
                self.job.control.give_back(said)
                return False
            return True

    def _next(self) -> Said | None:
        """Takes the next message. The guard knows it before the agent can act on it: a person's words belong to the
        task."""
        said = self.job.control.next_said()
        if said is not None and said.id not in self._known:
            self._known.add(said.id)
            self.guard.hears(said.text)
        return said
