"""One worker at one stretch of the specialists that a job asks."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field

from supervisor.decision.ask import is_opinion
from supervisor.engine.workers.pool import Pool, Remote
from supervisor.records.codec import opinion_of
from supervisor.specialist import ok
from supervisor.verdict import Opinion

_MOMENT = 0.002  # seconds
_OK = ok()


@dataclass(slots=True)
class Assignment:
    """A worker of a pool at the specialists from number `first` to before `end`.

    `end` shrinks when others go on with the rest; `last` is where it was at first. Times are `time.monotonic()`.
    """

    pool: Pool
    worker: Remote
    first: int
    end: int
    last: int
    asked: float = field(default_factory=time.monotonic)
    alarmed: float | None = None  # since when the specialist at hand has been at work that was told to stop
    _since: float | None = None  # when the specialist began that was at hand at the last look
    _base: float = 0.0  # how long the worker had waited for a processor, all in all, before that
    _total: float = 0.0  # and by the last look

    def __post_init__(self) -> None:
        self._total = _waited(self.worker.shared.process)

    @property
    def at(self) -> int | None:
        """Whom the worker is asking; None also where its memory makes no sense any more."""
        at = self.worker.shared.at
        return at if at is not None and self.first <= at < self.last else None

    @property
    def is_under_way(self) -> bool:
        """Whether the worker has imported and read all that it needs, so that clocks run."""
        return self.worker.shared.is_ready and self.worker.shared.is_read

    def waited(self, since: float) -> float:
        """Seconds that the worker was ready to run and waited for a processor, since before the specialist at hand
        began at `since`. A busy machine's time is not the input's; the whole deadline bounds what this spares."""
        if self._since != since:
            self._since, self._base = since, self._total
        self._total = _waited(self.worker.shared.process)
        return self._total - self._base

    def goes_on(self) -> bool:
        """Whether the worker is at work although it has hung up: a specialist may have closed its channel."""
        before = self.worker.shared.progress
        time.sleep(_MOMENT)
        return self.worker.shared.progress != before

    def collect(self, found: list[Opinion | None]) -> bool:
        """Takes over what the worker has found; whether that is everything. What makes no sense was not found."""
        with contextlib.suppress(ValueError, TypeError, LookupError):
            for number, *told in self.worker.shared.found():
                opinion = opinion_of(told[0]) if told else _OK
                if self.first <= number < self.last and found[number] is None and is_opinion(opinion):
                    found[number] = opinion
        return not self.missing(found)

    def missing(self, found: list[Opinion | None]) -> list[int]:
        """Those of its specialists that nobody has an opinion of."""
        return [number for number in range(self.first, self.end) if found[number] is None]

    def pass_on(self, rest: int) -> tuple[Pool, int, int]:
        """Leaves the specialists from number `rest` on to somebody else; returns what that is."""
        self.worker.shared.stop_before(rest)
        self.worker.is_stuck = True
        left, self.end = (self.pool, rest, self.end), rest
        return left


def _waited(process: int) -> float:
    """Seconds that a process has been ready to run while others ran; 0 where the platform does not tell."""
    try:
        with open(f"/proc/{process}/schedstat", "rb", buffering=0) as told:
            return int(told.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):  # no Linux, or it has just ended
        return 0.0
