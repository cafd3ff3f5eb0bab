"""One axis of a measurement: points measured in turns; medians, 99th percentiles and decisions a second."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.latency import Call

BATCH = 20  # decisions of an agent before it is the next point's turn
Decide = Callable[[Sequence[Call]], list[float]]  # returns the duration of each decision, in milliseconds


@dataclass
class Point:
    """One point of an axis: how decisions are made there, and how long they took."""

    at: int
    decide: Decide
    calls: Iterator[Call]
    took: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def turn(self) -> None:
        """Measures one batch."""
        started = time.perf_counter()
        self.took += self.decide(list(itertools.islice(self.calls, BATCH)))
        self.seconds += time.perf_counter() - started

    def to_json(self) -> dict[str, float]:
        """The point's results."""
        took = sorted(self.took)
        p50, p99 = statistics.median(took), took[int(len(took) * 0.99)]
        return {"at": self.at, "p50_ms": p50, "p99_ms": p99, "per_second": len(took) / self.seconds}


@dataclass(frozen=True)
class Axis:
    """What grows, and the goals: the greatest growth of the median, and the least decisions a second at the end."""

    name: str
    points: list[Point]
    most_growth: float | None = None
    least_per_second: float | None = None

    def measure(self, rounds: int) -> None:
        """Fills the points; the first two rounds only warm them up."""
        for number in range(-2, rounds):
            first = number % len(self.points)
            for point in self.points[first:] + self.points[:first]:
                point.turn()
                if number < 0:
                    point.took, point.seconds = [], 0.0

    def to_json(self) -> dict[str, Any]:
        """The axis's results."""
        points = [point.to_json() for point in self.points]
        growth = points[-1]["p50_ms"] / points[0]["p50_ms"]
        goals = {"most_growth": self.most_growth, "least_per_second": self.least_per_second}
        return {"axis": self.name, "points": points, "growth": growth, **goals}


def show(axis: dict[str, Any]) -> None:
    """Prints the table of one axis, and its goals."""
    print(f"\n{axis['axis']:>42} {'p50 ms':>10} {'p99 ms':>10} {'a second':>10}")
    for point in axis["points"]:
        print(f"{point['at']:>42,} {point['p50_ms']:>10.2f} {point['p99_ms']:>10.2f} {point['per_second']:>10,.0f}")
    if axis["most_growth"]:
        print(f"{'':>42} the median grows {axis['growth']:.1f} times (wanted: {axis['most_growth']:g} at most)")
    if axis["least_per_second"]:
        print(f"{'':>42} (wanted: {axis['least_per_second']:,} decisions a second at least)")
