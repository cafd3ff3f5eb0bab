"""The supervisor of the supervisor: whether specialists are as good as they were, and decisions still reproducible."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from supervisor.feedback.items import Week

State = Literal["ok", "out", "unknown"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is still in bounds.

    `precision`: of a specialist's judged findings, the share that people must call right, at least. `refusals`: of the
    actions that it should have judged or objected to, the share of lost votes, at most. `alarm`: the chance, over all
    specialists, of an alarm although none has become worse. `enough`: judged findings below which nothing is said.
    """

    precision: float = 0.5
    refusals: float = 0.01
    alarm: float = 0.05
    enough: int = 10


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `unknown`: too little is known to say."""

    name: str
    state: State
    told: str


@dataclass(frozen=True, slots=True)
class _Judged:
    right: int = 0
    wrong: int = 0

    def plus(self, week: Week) -> _Judged:
        return _Judged(self.right + week.labelled_right, self.wrong + week.labelled_wrong)

    @property
    def number(self) -> int:
        return self.right + self.wrong


def precision_checks(weeks: Iterable[Week], since: str, bounds: Bounds) -> list[Check]:
    """For each specialist whose findings people judge: whether its precision since a week (`2026-W48`) is in bounds,
    and not lower than before by more than chance explains (Fisher's exact test, one-sided, Bonferroni-corrected)."""
    before: dict[str, _Judged] = {}
    lately: dict[str, _Judged] = {}
    for week in weeks:
        counts = lately if week.week >= since else before
        counts[week.specialist] = counts.get(week.specialist, _Judged()).plus(week)
    judged = {name: each for name, each in sorted(lately.items()) if each.number}
    tested = sum(_is_enough(each, before.get(name), bounds) for name, each in judged.items())
    return [_precision(name, each, before.get(name), bounds, tested) for name, each in judged.items()]


def _is_enough(lately: _Judged, before: _Judged | None, bounds: Bounds) -> bool:
    return before is not None and min(lately.number, before.number) >= bounds.enough


def _precision(name: str, lately: _Judged, before: _Judged | None, bounds: Bounds, tested: int) -> Check:
    told = f"people call {lately.right} of {lately.number} judged findings right"
    if lately.number < bounds.enough:
        return Check(f"precision of {name}", "unknown", f"{told}; {bounds.enough} are needed to say anything")
    is_low = lately.right < bounds.precision * lately.number
    has_fallen = False
    if before is not None and _is_enough(lately, before, bounds):
        chance = fisher(lately.right, lately.wrong, before.right, before.wrong)
        has_fallen = chance <= bounds.alarm / tested
        told += f", before {before.right} of {before.number} (p = {chance:.3f})"
    return Check(f"precision of {name}", "out" if is_low or has_fallen else "ok", told)


def refusal_checks(weeks: Iterable[Week], since: str, decided: int, bounds: Bounds) -> list[Check]:
    """For each specialist that lost votes since a week, by deadlines or crashes: whether that is in bounds. `decided`
    is the number of decisions since then."""
    lost: dict[str, int] = {}
    for week in weeks:
        if week.week >= since and week.refusals:
            lost[week.specialist] = lost.get(week.specialist, 0) + week.refusals
    if not decided:
        return []
    return [
        Check(
            f"votes of {name}",
            "out" if number > bounds.refusals * decided and number >= bounds.enough else "ok",
            f"{number} lost in {decided:,} decisions",
        )
        for name, number in sorted(lost.items())
    ]


def fisher(right: int, wrong: int, right_before: int, wrong_before: int) -> float:
    """The chance of at most `right` right ones among these if nothing has changed: the hypergeometric tail."""
    number, rights = right + wrong, right + right_before
    everything = number + right_before + wrong_before
    ways = math.comb(everything, number)
    fewest = max(0, number - (everything - rights))
    counts = range(fewest, right + 1)
    return sum(math.comb(rights, each) * math.comb(everything - rights, number - each) for each in counts) / ways


def summed(checks: Iterable[Check]) -> Mapping[State, int]:
    """How many checks have each state."""
    counts: dict[State, int] = {"ok": 0, "out": 0, "unknown": 0}
    for check in checks:
        counts[check.state] += 1
    return counts
