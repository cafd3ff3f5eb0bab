"""The supervisor of the supervisor: whether specialists are as good as they were, and decisions still reproducible."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from supervisor.feedback.items import Week

if TYPE_CHECKING:
    from supervisor.feedback.judges import Sample

State = Literal["ok", "out", "unknown"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is still in bounds.

    `precision`: of a specialist's judged findings, the share that people must call right, at least. `refusals`: of the
    actions that it should have judged or objected to, the share of lost votes, at most. `alarm`: the chance, over all
    specialists, of an alarm although none has become worse. `enough`: judged findings below which nothing is said.
    `recall`: of the actions that people call a specialist's own, the share that it must have found, at least. `judges`:
    of what models judged, nothing objected to and people looked at, the share that they must call right, at least.
    """

    precision: float = 0.5
    refusals: float = 0.01
    alarm: float = 0.05
    enough: int = 10
    recall: float = 0.5
    judges: float = 0.9


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

    def plus(self, right: int, wrong: int) -> _Judged:
        return _Judged(self.right + right, self.wrong + wrong)

    @property
    def number(self) -> int:
        return self.right + self.wrong


class _Measure(NamedTuple):
    """A share that people's labels tell: how its name begins, how it is told, and its bound."""

    name: str
    told: str
    least: float


Counted = tuple[str, str, int, int]  # specialist, week, right, wrong


def precision_checks(weeks: Iterable[Week], since: str, bounds: Bounds) -> list[Check]:
    """For each specialist whose findings people judge: whether its precision since a week (`2026-W48`) is in bounds,
    and not lower than before by more than chance explains (Fisher's exact test, one-sided, Bonferroni-corrected)."""
    told = "people call {right} of {number} judged findings right"
    counts = ((each.specialist, each.week, each.labelled_right, each.labelled_wrong) for each in weeks)
    return _checks(counts, since, bounds, _Measure("precision of", told, bounds.precision))


def recall_checks(weeks: Iterable[Week], missed: Iterable[tuple[str, str]], since: str, bounds: Bounds) -> list[Check]:
    """The same for recall: of the actions that people call a specialist's own, those that it found. `missed` has the
    specialist and the week of each that it did not find. A specialist without any is left out."""
    misses = [(name, week, 0, 1) for name, week in missed]
    names = {name for name, *_ in misses}
    found = [(each.specialist, each.week, each.labelled_right, 0) for each in weeks if each.specialist in names]
    told = "it found {right} of {number} actions that people call its own"
    return _checks([*found, *misses], since, bounds, _Measure("recall of", told, bounds.recall))


def judge_checks(
    sample: Sample, weeks: Iterable[tuple[str, int, int]], rate: float, since: str, bounds: Bounds
) -> list[Check]:
    """Whether people are shown as much of what models judged as a policy says, and agree with it, since a week. `weeks`
    has, for each, what they call right and wrong. Nothing if no model judged anything."""
    told = "people call {right} of {number} actions right that a model judged and nothing objected to"
    counted = [("the judges", *week) for week in weeks]
    agreed = _checks(counted, since, bounds, _Measure("agreement with", told, bounds.judges))
    return [_sample_check(sample, rate, bounds), *agreed] if sample.judged else agreed


def _sample_check(sample: Sample, rate: float, bounds: Bounds) -> Check:
    title, number = "sample of the judges", sample.judged
    told = f"of {number:,} actions that a model judged and nothing objected to, {sample.shown:,} are shown to people"
    told += f" ({sample.shown / number:.1%}; the policy says {rate:.1%})"
    if not rate:
        return Check(title, "unknown", told)
    others = number - sample.ruled
    told += f"; {others:,} were decided under another rate" if others else ""
    told += f"; {sample.lacking:,} should be shown and are not" if sample.lacking else ""
    is_unruled = not sample.ruled and number >= bounds.enough
    return Check(title, "out" if sample.lacking or is_unruled else "ok", told)


def _checks(counted: Iterable[Counted], since: str, bounds: Bounds, measure: _Measure) -> list[Check]:
    before: dict[str, _Judged] = {}
    lately: dict[str, _Judged] = {}
    for name, week, right, wrong in counted:
        counts = lately if week >= since else before
        counts[name] = counts.get(name, _Judged()).plus(right, wrong)
    judged = {name: each for name, each in sorted(lately.items()) if each.number}
    tested = sum(_is_enough(each, before.get(name), bounds) for name, each in judged.items())
    return [_check(measure, name, each, before.get(name), bounds, tested) for name, each in judged.items()]


def _is_enough(lately: _Judged, before: _Judged | None, bounds: Bounds) -> bool:
    return before is not None and min(lately.number, before.number) >= bounds.enough


def _check(measure: _Measure, name: str, lately: _Judged, before: _Judged | None, bounds: Bounds, tested: int) -> Check:
    title, told = f"{measure.name} {name}", measure.told.format(right=lately.right, number=lately.number)
    if lately.number < bounds.enough:
        return Check(title, "unknown", f"{told}; {bounds.enough} are needed to say anything")
    is_low = lately.right < measure.least * lately.number
    has_fallen = False
    if before is not None and _is_enough(lately, before, bounds):
        chance = fisher(lately.right, lately.wrong, before.right, before.wrong)
        has_fallen = chance <= bounds.alarm / tested
        told += f", before {before.right} of {before.number} (p = {chance:.3f})"
    return Check(title, "out" if is_low or has_fallen else "ok", told)


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
