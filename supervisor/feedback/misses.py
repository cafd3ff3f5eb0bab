"""Misses: actions that a person would have stopped or flagged, or has stopped at a host's own prompt, and to which no
specialist objected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, exists, select

from supervisor.feedback.deriving import label_in
from supervisor.feedback.schema import decisions, findings, labels, outcomes
from supervisor.feedback.standing import standing
from supervisor.memory import near
from supervisor.records.declined import KIND as DECLINED
from supervisor.verdict import Verdict

_UNOPPOSED = select(decisions).where(~exists().where(findings.c.record == decisions.c.record))
_WITH_OUTCOME = (
    _UNOPPOSED.add_columns(outcomes.c.by)
    .join(outcomes, outcomes.c.about == decisions.c.record)
    .order_by(outcomes.c.time, outcomes.c.record)
)


@dataclass(frozen=True, slots=True)
class Miss:
    """A decision that a person contradicts. `entry` is the failure mode that they name, if any; `why` is `label`,
    `denied` (an approval) or `declined` (at a host's prompt)."""

    record: str
    time: str
    kind: str
    tool: str
    summary: str
    features: frozenset[str]
    verdict: str
    entry: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Misses that are alike. The oldest one, which the others are near to, comes first."""

    misses: tuple[Miss, ...]

    def to_json(self) -> dict[str, Any]:
        """The cluster for programs."""
        first = self.misses[0]
        entries = sorted({each.entry for each in self.misses if each.entry})
        listed = [{name: value for name, value in asdict(each).items() if name != "features"} for each in self.misses]
        return {"kind": first.kind, "count": len(self.misses), "entries": entries, "misses": listed}


def misses(connection: Connection) -> list[Miss]:
    """All misses, oldest first."""
    found = {each.record: each for each in (*_declined(connection), *_denied(connection), *_labelled(connection))}
    return sorted(found.values(), key=lambda miss: (miss.time, miss.record))


def _labelled(connection: Connection) -> Iterable[Miss]:
    """Decisions that should have been stricter, by a label that counts."""
    about = select(labels.c.decision).where(labels.c.word == "should_have_been")
    given = connection.execute(select(labels).where(labels.c.decision.in_(about)))
    unopposed = {row.record: row for row in connection.execute(_UNOPPOSED.where(decisions.c.record.in_(about)))}
    for label in standing((row.record, label_in(row)) for row in given):
        row = unopposed.get(label.record) if label.word == "should_have_been" else None
        if row is not None and Verdict.named(label.verdict) > Verdict.named(row.verdict):
            yield _miss(row, label.verdict, label.entry, label.by, "label")


def _denied(connection: Connection) -> Iterable[Miss]:
    """Decisions that a person denied when asked."""
    denied = outcomes.c.kind == "approval", outcomes.c.result == "denied"
    for row in connection.execute(_WITH_OUTCOME.where(*denied)):
        yield _miss(row, "block", "", row.by, "denied")


def _declined(connection: Connection) -> Iterable[Miss]:
    """Decisions that let an action through, to which the host's user said no. What people say of a decision in a label
    counts more than that."""
    for row in connection.execute(_WITH_OUTCOME.where(outcomes.c.kind == DECLINED, decisions.c.label == "")):
        yield _miss(row, "block", "", row.by, "declined")


def _miss(row: Any, verdict: str, entry: str, by: str, why: str) -> Miss:
    features = frozenset(orjson.loads(row.features))
    return Miss(row.record, row.time, row.kind, row.tool, row.summary, features, verdict, entry, by, why)


def clusters(found: Iterable[Miss]) -> list[Cluster]:
    """Misses by likeness, the largest cluster first. Each miss, oldest first, joins the first cluster whose oldest
    member is near-equivalent and for which people name the same entry; else it begins one."""
    grown: list[list[Miss]] = []
    for miss in sorted(found, key=lambda each: (each.time, each.record)):
        mine = next((members for members in grown if _belongs(miss, members[0])), None)
        if mine is None:
            grown.append([miss])
        else:
            mine.append(miss)
    return [Cluster(tuple(members)) for members in sorted(grown, key=lambda members: (-len(members), members[0].time))]


def _belongs(miss: Miss, first: Miss) -> bool:
    if miss.kind != first.kind or miss.entry != first.entry:
        return False
    return miss.entry != "" or near(miss.features, first.features)
