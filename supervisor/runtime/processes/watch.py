"""Watches one agent: hears its events, samples what its processes use, and has somebody act on the verdict."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import anyio
from anyio import to_thread

from supervisor.runtime.processes.states import Event, Liveness
from supervisor.runtime.processes.tree import Usage
from supervisor.runtime.processes.verdict import Limits, Verdict, remember, verdict

Act = Callable[[Verdict, Liveness], Awaitable[None]]


class WatchedTime:
    """Seconds that were really watched. When the watcher itself was stopped (a machine that sleeps, a debugger), the
    time that it missed does not count: it could not have heard a sign of life."""

    def __init__(self, most: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._most = most
        self._before = clock()
        self.now = 0.0

    def advance(self) -> float:
        """Moves on to now, by `most` seconds at most."""
        moment = self._clock()
        self.now += min(moment - self._before, self._most)
        self._before = moment
        return self.now


class Watch:
    """One agent. `usage` measures its processes at a time, `has_exited` says whether its leader has ended, and `act`
    gets each verdict once, when it gets worse."""

    def __init__(
        self,
        usage: Callable[[float], Usage],
        has_exited: Callable[[], bool],
        act: Act,
        limits: Limits | None = None,
        every: float = 1.0,
    ) -> None:
        self._usage = usage
        self._has_exited = has_exited
        self._act = act
        self._limits = limits or Limits()
        self._every = every
        self._time = WatchedTime(most=3 * every)
        self._history: tuple[Usage, ...] = ()
        self._reached = Verdict.KEEP
        self.liveness = Liveness.starting(0.0)

    def hear(self, event: Event) -> None:
        """Takes in an event of the agent."""
        self.liveness = self.liveness.after(event, self._time.now)

    async def run(self) -> Liveness:
        """Watches until the agent has exited, or a kill was asked for. Returns the last state."""
        while self._reached < Verdict.KILL:
            now = self._time.advance()
            if self._has_exited():
                self.hear(Event.EXITED)
                break
            await self._look(now)
            await anyio.sleep(self._every)
        return self.liveness

    async def _look(self, now: float) -> None:
        """Acts if the verdict has become worse."""
        if self._limits.states[self.liveness.state].work_counts:
            sample = await to_thread.run_sync(self._usage, now)
            self._history = remember(self._history, sample, self._limits)
        seen = self.liveness
        found = verdict(seen.state, seen.since, seen.last_event, self._history, self._limits, now)
        if found > self._reached:
            await self._act(found, seen)
        self._reached = found
