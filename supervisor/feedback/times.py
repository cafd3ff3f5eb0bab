"""Times, weeks and classes of latency, as the index has them."""

from __future__ import annotations

import math
from datetime import UTC, datetime

_CLASSES = 10  # to a doubling: a percentile is within 4% of the time that was measured


def stored_time(time: datetime) -> str:
    """A time as a text that sorts: UTC, with microseconds."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def week_of(time: str) -> str:
    """The ISO week of a stored time: `2026-W48`."""
    year, week, _ = datetime.fromisoformat(time).isocalendar()
    return f"{year}-W{week:02d}"


def latency_class(elapsed_ms: float) -> int:
    """The class of a duration. Classes are counted in place of durations, so that percentiles need no sorting."""
    return round(_CLASSES * math.log2(max(elapsed_ms, 0.001)))


def percentile(counts: dict[int, int], share: float) -> float | None:
    """The duration (ms) that this share of all does not exceed, from the number in each class; None if there are
    none."""
    left = share * sum(counts.values())
    for latency in sorted(counts):
        left -= counts[latency]
        if left <= 0:
            return round(math.exp2(latency / _CLASSES), 3)
    return None
