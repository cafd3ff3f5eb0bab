"""The daemon's metrics, in the text format of Prometheus (exposition format 0.0.4)."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterator, Mapping

from supervisor.decision.decision import Decision

TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
Labels = tuple[tuple[str, str], ...]


class Metrics:
    """Counters since the start. Labels come only from closed sets, so that clients cannot make them grow."""

    def __init__(self) -> None:
        self._decisions: Counter[Labels] = Counter()
        self._findings: Counter[Labels] = Counter()
        self._refusals: Counter[Labels] = Counter()
        self._answers: Counter[Labels] = Counter()
        self._failures: Counter[Labels] = Counter()
        self._approvals: Counter[Labels] = Counter()
        self._times = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0

    def decided(self, decision: Decision) -> None:
        """Counts a decision, its findings and its refusals."""
        self._decisions[(("kind", decision.action.kind), ("verdict", decision.verdict.label))] += 1
        for name, finding in decision.findings:
            self._findings[(("specialist", name), ("verdict", finding.verdict.label))] += 1
        for name, refusal in decision.refusals:
            self._refusals[(("cause", refusal.cause.value), ("specialist", name))] += 1
        for what, problem in (("judged", decision.unjudged), ("recorded", decision.record_error)):
            self._failures[(("what", what),)] += bool(problem)
        if decision.approval:
            self._approvals[(("state", decision.approval.state),)] += 1
        seconds = decision.elapsed_ms / 1000
        self._times[bisect.bisect_left(_BOUNDS, seconds)] += 1
        self._seconds += seconds

    @property
    def total(self) -> int:
        """The number of decisions."""
        return self._decisions.total()

    def answered(self, route: str, status: int) -> None:
        """Counts an answer; `route` is an existing route, or `none`."""
        self._answers[(("route", route), ("status", str(status)))] += 1

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> bytes:
        """All counters, and `gauges`: current values by name, each with its meaning."""
        lines = [
            *_counter("decisions", "Decisions by kind of action and verdict.", self._decisions),
            *_counter("findings", "Findings by specialist and verdict.", self._findings),
            *_counter("refusals", "Specialists without a vote, by cause.", self._refusals),
            *_counter("failures", "Decisions that could not be judged or recorded.", self._failures),
            *_counter("approvals", "Decisions about which a person is asked, by state.", self._approvals),
            *_counter("answers", "Answers by route and HTTP status.", self._answers),
            *self._histogram(),
        ]
        for name, (meaning, value) in gauges.items():
            lines += [*_head(name, meaning, "gauge"), f"supervisor_{name} {value:g}"]
        return ("\n".join(lines) + "\n").encode()

    def _histogram(self) -> Iterator[str]:
        name = "decision_seconds"
        yield from _head(name, "Time from a proposal to its decision.", "histogram")
        total = 0
        for bound, count in zip((*map(str, _BOUNDS), "+Inf"), self._times, strict=True):
            total += count
            yield f'supervisor_{name}_bucket{{le="{bound}"}} {total}'
        yield f"supervisor_{name}_sum {self._seconds:.6f}"
        yield f"supervisor_{name}_count {total}"


def _counter(name: str, meaning: str, counts: Counter[Labels]) -> list[str]:
    lines = _head(f"{name}_total", meaning, "counter")
    for labels, count in sorted(counts.items()):
        pairs = ",".join(f'{key}="{value}"' for key, value in labels)
        lines.append(f"supervisor_{name}_total{{{pairs}}} {count}")
    return lines


def _head(name: str, meaning: str, type: str) -> list[str]:
    return [f"# HELP supervisor_{name} {meaning}", f"# TYPE supervisor_{name} {type}"]
