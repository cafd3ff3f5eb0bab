"""Who is alive, without comparing the clocks of two machines.

An executor raises a number as long as it lives. Whoever has watched the number stand still for the length of a lease
knows that the executor has been silent for that long at least. The executor itself stops earlier: after FENCE of the
lease without a sign of life that was stored, it kills its workers. So no work runs twice, whatever any clock says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from supervisor.runtime.processes.keeper import clock_of

FENCE = 2 / 3  # of a lease
_BEATS = 6  # in a lease
_LEAST = 0.5  # seconds


@dataclass(frozen=True, slots=True)
class Timing:
    """`lease` is how long an executor may be silent, in seconds. `clock` is `boottime` where several machines share the
    work: the others do not sleep when this one does."""

    lease: float = 15.0
    clock: str = "monotonic"

    @property
    def beat(self) -> float:
        """Seconds between two signs of life."""
        return max(self.lease, _LEAST) / _BEATS

    @property
    def fence(self) -> float:
        """Seconds without a stored sign of life, after which an executor stops its work."""
        return max(self.lease, _LEAST) * FENCE


class Lease:
    """How long this executor may go on."""

    def __init__(self, timing: Timing, clock: Callable[[], float] | None = None) -> None:
        self._clock = clock or (lambda: time.clock_gettime(clock_of(timing.clock)))
        self._fence = timing.fence
        self._renewed = self._clock()

    def now(self) -> float:
        """What `renew` takes: the time before the sign of life was sent."""
        return self._clock()

    def renew(self, sent: float) -> None:
        """A sign of life that was sent at this time has been stored."""
        self._renewed = max(self._renewed, sent)

    @property
    def is_held(self) -> bool:
        """Whether nobody can have taken over the work of this executor."""
        return self._clock() - self._renewed < self._fence


@dataclass(slots=True)
class Observer:
    """Watches the numbers of the others. Only time between looks counts, at most `most` seconds of it at once: an
    observer that was stopped itself has not watched meanwhile."""

    lease: float
    most: float
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict)
    _watched: float = 0.0
    _looked: float | None = None

    def look(self, beats: Iterable[tuple[str, int]], now: float) -> set[str]:
        """Takes in the number of each executor at a time. Returns the ids of those that were silent for a lease."""
        self._watched += 0.0 if self._looked is None else min(now - self._looked, self.most)
        self._looked = now
        seen: dict[str, tuple[int, float]] = {}
        for id, beat in beats:
            before = self._seen.get(id)
            seen[id] = before if before is not None and before[0] == beat else (beat, self._watched)
        self._seen = seen
        return {id for id, (_, since) in seen.items() if self._watched - since >= self.lease}
