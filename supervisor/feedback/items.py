"""What queries of the index answer with: plain values, the same from every database."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Item:
    """A decision in a list. `like` counts what waits in its group of near-duplicates, itself included."""

    record: str
    id: str
    stage: str
    time: str
    session: str | None
    agent: str | None
    project: str | None
    kind: str
    tool: str
    verdict: str
    entries: tuple[str, ...]
    confidence: float
    fingerprint: str
    summary: str
    heeded: str
    label: str
    elapsed_ms: float
    like: int = 1

    def to_json(self) -> dict[str, Any]:
        """The item for programs."""
        return asdict(self)


COLUMNS = tuple(each.name for each in fields(Item) if each.name != "like")


def item_of(row: Any, like: int | None = None) -> Item:
    """The item in a row with COLUMNS."""
    values = {name: getattr(row, name) for name in COLUMNS}
    return Item(**values | {"entries": tuple(orjson.loads(row.entries)), "like": like or 1})


@dataclass(frozen=True, slots=True)
class Objection:
    """One specialist's objection to an action, and what became of it. `heeded` is what the agent did next, `label` what
    people say of it together; `said` has each of their words, oldest first."""

    item: Item
    specialist: str
    verdict: str
    reason: str
    heeded: str
    label: str
    said: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Week:
    """One specialist in one week. `heeded_rate` is the share of its refusals whose consequence is known; percentiles
    (ms) are those of the decisions to which it objected."""

    specialist: str
    week: str
    stopped: int
    flagged: int
    labelled_right: int
    labelled_wrong: int
    refusals: int
    heeded_rate: float | None
    p50_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session with its counts. `first` and `last` are the times of its decisions."""

    session: str
    agent: str | None
    project: str | None
    first: str
    last: str
    decisions: int
    stopped: int
    flagged: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Whole:
    """A decision with all that the index has about it. `labels` are all that were ever given, oldest first."""

    item: Item
    findings: tuple[dict[str, Any], ...]
    refusals: tuple[dict[str, Any], ...]
    outcomes: tuple[dict[str, Any], ...]
    labels: tuple[dict[str, Any], ...]
    holder: str | None
