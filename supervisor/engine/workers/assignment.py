"""One worker, and the range of a job's specialists that it asks."""

from __future__ import annotations

import contextlib
import sys
import time
from dataclasses import dataclass, field

from supervisor.decision.ask import is_opinion
from supervisor.engine.workers.pool import Pool, WorkerHandle
from supervisor.records.codec import opinion_of
from supervisor.specialist import ok
from supervisor.verdict import Opinion

_MOMENT = 0.002  # seconds
_PROCESSOR_TIME = 2  # CPUCLOCK_SCHED, as in Linux's posix-timers.h
_OK = ok()


@dataclass(slots=True)
class Assignment:
    """A worker of a pool, and the specialists from number `first` to before `end` that it asks.

    `end` shrinks when another worker takes over the rest; `last` is its first value. Times are `time.monotonic()`.
    """

    pool: Pool
    worker: WorkerHandle
    first: int
    end: int
    last: int
    asked: float = field(default_factory=time.monotonic)
    alarmed: float | None = None  # the start time of the specialist that received an alarm
    _since: float | None = None  # the start time of the current specialist, as last read
    _base: float = 0.0  # seconds that the worker had waited for a processor before that
    _total: float = 0.0  # the same, as last read
    _told: float = 0.0  # the same, as last told by `newly_waited`

    def __post_init__(self) -> None:
        self._total = self._told = _waited(self.worker.shared.process)

    @property
    def at(self) -> int | None:
        """The number of the specialist that is running; None between two, and if the shared memory is corrupt."""
        at = self.worker.shared.at
        return at if at is not None and self.first <= at < self.last else None

    @property
    def is_under_way(self) -> bool:
        """Whether the worker has imported its specialists and read the question, so that time budgets count."""
        return self.worker.shared.is_ready and self.worker.shared.is_read

    def waited(self, since: float) -> float:
        """Seconds that the worker was runnable and waited for a processor, since the current specialist began at
        `since`. They do not count as the specialist's time; the deadline of the whole job still bounds them."""
        if self._since != since:
            self._since, self._base = since, self._total
        self._total = _waited(self.worker.shared.process)
        return self._total - self._base

    def newly_waited(self) -> float:
        """Seconds that the worker was runnable and waited for a processor, since this was asked last."""
        before, self._told = self._told, _waited(self.worker.shared.process)
        return self._told - before

    def computed(self) -> float | None:
        """Seconds that the worker has computed for the current specialist; None if the platform does not report it."""
        process, before = self.worker.shared.process, self.worker.shared.computed
        if sys.platform != "linux":
            return None
        try:
            return time.clock_gettime(_clock_of(process)) - before
        except OSError:  # the process has just ended
            return None

    def goes_on(self) -> bool:
        """Whether the worker still runs although its channel is closed: a specialist may have closed it."""
        before = self.worker.shared.progress
        time.sleep(_MOMENT)
        return self.worker.shared.progress != before

    def collect(self, found: list[Opinion | None]) -> bool:
        """Copies the worker's opinions to `found`, and ignores malformed ones. Returns whether all are there."""
        with contextlib.suppress(ValueError, TypeError, LookupError):
            for number, *encoded in self.worker.shared.found():
                opinion = opinion_of(encoded[0]) if encoded else _OK
                if self.first <= number < self.last and found[number] is None and is_opinion(opinion):
                    found[number] = opinion
        return not self.missing(found)

    def missing(self, found: list[Opinion | None]) -> list[int]:
        """The numbers of its specialists without an opinion."""
        return [number for number in range(self.first, self.end) if found[number] is None]

    def pass_on(self, rest: int) -> tuple[Pool, int, int]:
        """Gives up the specialists from number `rest` on, and returns them as a range for another worker."""
        self.worker.shared.stop_before(rest)
        self.worker.is_stuck = True
        remainder, self.end = (self.pool, rest, self.end), rest
        return remainder


def _clock_of(process: int) -> int:
    """The clock of the time that a process computes, as `clock_getcpuclockid(3)` makes it on Linux."""
    return (~process << 3) | _PROCESSOR_TIME


def _waited(process: int) -> float:
    """Seconds that a process was runnable while others ran; 0 if the platform does not report it."""
    try:
        with open(f"/proc/{process}/schedstat", "rb", buffering=0) as statistics:
            return int(statistics.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):  # not Linux, or the process has just ended
        return 0.0
