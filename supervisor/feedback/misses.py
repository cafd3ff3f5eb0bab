"""Misses: actions that a person would have stopped or flagged, and to which no specialist objected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, select

from supervisor.feedback.deriving import label_in
from supervisor.feedback.schema import decisions, findings, labels, outcomes
from supervisor.feedback.standing import standing
from supervisor.memory import near
from supervisor.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Miss:
    """A decision that a person contradicts. `entry` is the failure mode that they name, if any; `why` is `label` or
    `denied` (an approval)."""

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
    found = {each.record: each for each in (*_denied(connection), *_labelled(connection))}
    objected = set(connection.scalars(select(findings.c.record).where(findings.c.record.in_(list(found)))))
    return sorted(
        (each for each in found.values() if each.record not in objected), key=lambda miss: (miss.time, miss.record)
    )


def _labelled(connection: Connection) -> Iterable[Miss]:
    """Decisions that should have been stricter, by a label that counts."""
    about = select(labels.c.decision).where(labels.c.word == "should_have_been")
    given = connection.execute(select(labels).where(labels.c.decision.in_(about)))
    for label in standing((row.record, label_in(row)) for row in given):
        row = _decision(connection, label.record) if label.word == "should_have_been" else None
        if row is not None and Verdict.named(label.verdict) > Verdict.named(row.verdict):
            yield _miss(row, label.verdict, label.entry, label.by, "label")


def _denied(connection: Connection) -> Iterable[Miss]:
    """Decisions that a person denied when asked."""
    answers = select(outcomes).where(outcomes.c.kind == "approval", outcomes.c.result == "denied")
    for answer in connection.execute(answers.order_by(outcomes.c.time, outcomes.c.record)).all():
        if row := _decision(connection, answer.about):
            yield _miss(row, "block", "", answer.by, "denied")


def _decision(connection: Connection, record: str) -> Any:
    return connection.execute(select(decisions).where(decisions.c.record == record)).one_or_none()


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
