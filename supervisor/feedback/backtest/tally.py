"""What a backtest has found so far: counts, and the worst actions. Tallies of parts add up in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from supervisor.verdict import Verdict

MOST_SHOWN = 200  # actions that the report shows
MOST_PROBLEMS = 100  # that the report shows; all are counted
MOST_NAMES = 2_000  # projects, weeks


@dataclass(frozen=True, slots=True)
class Item:
    """An action that would have been stopped or flagged. All texts are masked and cut."""

    verdict: str
    entries: tuple[str, ...]
    place: str
    time: str
    project: str
    tool: str
    action: str
    reason: str
    said: str  # the user's words before it
    after: str  # what became of the call
    then: str  # the user's next words
    asked: bool  # most of its words stand in the user's
    severity: int = 0

    @property
    def rank(self) -> tuple[int, int, str, str]:
        """Sorts the worst first."""
        return -Verdict.named(self.verdict).value, -self.severity, self.time, self.place


@dataclass(frozen=True, slots=True)
class Change:
    """An action that the other version judges otherwise. `label` is what people said of its record, if they did."""

    before: str
    now: str
    entries: tuple[str, ...]
    place: str
    tool: str
    action: str
    label: str = ""

    @property
    def rank(self) -> tuple[str, str, str]:
        """Sorts by place."""
        return self.now, self.before, self.place


@dataclass(slots=True)
class Tally:
    """Counts by entry, project and week are `(name, what)` → number. `what` is a verdict; of an entry also `asked` and
    `ran`, of a project and a week also `actions`."""

    parts: int = 0  # of files, that are judged
    sources: int = 0  # files
    sessions: int = 0
    actions: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    entries: Counter[tuple[str, str]] = field(default_factory=Counter)
    projects: Counter[tuple[str, str]] = field(default_factory=Counter)
    weeks: Counter[tuple[str, str]] = field(default_factory=Counter)
    unasked: Counter[str] = field(default_factory=Counter)  # specialists that could not judge, by how often
    changed: Counter[tuple[str, str]] = field(default_factory=Counter)  # entry → `stopped` or `let through`
    items: list[Item] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    problem_count: int = 0

    def add(self, other: Tally) -> None:
        """Adds the tally of another part."""
        for name in ("parts", "sources", "sessions", "actions", "problem_count"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in _COUNTERS:
            getattr(self, name).update(getattr(other, name))
        self.projects, self.weeks = _bounded(self.projects), _bounded(self.weeks)
        self.items = worst([*self.items, *other.items])
        self.changes = first([*self.changes, *other.changes])
        self.problems = sorted([*self.problems, *other.problems])[:MOST_PROBLEMS]

    def problem(self, place: str, why: str) -> None:
        """Reports something that could not be read."""
        self.problem_count += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append((place, why))

    @property
    def stopped(self) -> int:
        """The actions that would not have run."""
        return self.verdicts["nudge"] + self.verdicts["block"]

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        values: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        for name in _PAIRED:
            values[name] = [[*pair, number] for pair, number in sorted(values[name].items())]
        for name in ("items", "changes"):
            values[name] = [asdict(each) for each in values[name]]
        return {**values, "verdicts": dict(self.verdicts), "unasked": dict(self.unasked)}

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Tally:
        """Raises KeyError, TypeError or ValueError if the values are no tally."""
        given = dict(values)
        for name in _PAIRED:
            given[name] = Counter({(one, two): number for one, two, number in given[name]})
        given["verdicts"], given["unasked"] = Counter(given["verdicts"]), Counter(given["unasked"])
        given["items"] = [Item(**{**each, "entries": tuple(each["entries"])}) for each in given["items"]]
        given["changes"] = [Change(**{**each, "entries": tuple(each["entries"])}) for each in given["changes"]]
        given["problems"] = [(place, why) for place, why in given["problems"]]
        return cls(**given)


_PAIRED = ("entries", "projects", "weeks", "changed")
_COUNTERS = (*_PAIRED, "verdicts", "unasked")


def worst(items: Iterable[Item]) -> list[Item]:
    """The worst of these, at most MOST_SHOWN."""
    return sorted(items, key=lambda each: each.rank)[:MOST_SHOWN]


def first(changes: Iterable[Change]) -> list[Change]:
    """The first of these, at most MOST_SHOWN."""
    return sorted(changes, key=lambda each: each.rank)[:MOST_SHOWN]


def rows(counts: Counter[tuple[str, str]]) -> list[tuple[str, dict[str, int]]]:
    """The names with their numbers, those with the most stopped actions first."""
    by_name: dict[str, dict[str, int]] = {}
    for (name, what), number in sorted(counts.items()):
        by_name.setdefault(name, {})[what] = number
    return sorted(by_name.items(), key=lambda row: (-stopped(row[1]), -row[1].get("flag", 0), row[0]))


def stopped(numbers: Mapping[str, int]) -> int:
    """How many were nudged or blocked."""
    return numbers.get("nudge", 0) + numbers.get("block", 0)


def _bounded(counts: Counter[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Counts of at most MOST_NAMES names; the others are added under "others"."""
    names = {name for name, _ in counts}
    if len(names) <= MOST_NAMES:
        return counts
    kept = {name for name, _ in rows(counts)[: MOST_NAMES - 1]} | {OTHERS}
    bounded: Counter[tuple[str, str]] = Counter()
    for (name, what), number in counts.items():
        bounded[name if name in kept else OTHERS, what] += number
    return bounded


OTHERS = "others"
