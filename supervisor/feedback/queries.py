"""Questions to the index. Each takes a connection of `Store.reading` (`hold` and `release`: of `Store.writing`)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    union_all,
)

from supervisor.decision.sampling import end_of_sample
from supervisor.feedback.agreement import Agreement, agreement_of
from supervisor.feedback.deriving import label_in
from supervisor.feedback.items import COLUMNS, Item, Objection, SessionSummary, Week, Whole, item_of
from supervisor.feedback.schema import (
    ENTRIES_BEGIN,
    decisions,
    findings,
    groups,
    holds,
    labels,
    outcomes,
    refusals,
    segments,
    sessions,
)
from supervisor.feedback.standing import standing
from supervisor.feedback.times import percentile, stored_time
from supervisor.memory import near

HOLD_SECONDS = 300.0
_COMPARED = 1_000  # decisions, the newest of a kind, that are compared with one
_ITEM = [decisions.c[name] for name in COLUMNS]


def next_items(connection: Connection, count: int, by: str, now: datetime) -> list[Item]:
    """What a person looks at next: one of each group of near-duplicates first, those of which nobody has judged any
    before the others; of these the riskiest, of these the oldest. What others hold is left out."""
    found = connection.execute(next_leads(count, by, now)).all()
    items = [item_of(row, row.waiting) for row in found]
    if len(items) < count:
        leads = select(groups.c.lead)
        rest = _waiting(by, now).where(decisions.c.record.not_in(leads)).limit(count - len(items))
        items += [item_of(row) for row in connection.execute(rest)]
    return items


def second_looks(connection: Connection, count: int, by: str, now: datetime, share: float) -> list[Item]:
    """What this person judges a second time: decisions of a sample that one other person has judged as a whole, oldest
    first. What others hold is left out."""
    as_a_whole = (labels.c.entry == "", labels.c.word != "withdrawn")
    sampled = select(labels.c.decision).where(labels.c.decision < end_of_sample(share), *as_a_whole)
    given = labels.alias()
    own = select(given.c.record).where(given.c.decision == decisions.c.record, given.c.by == by)
    others = sampled.group_by(labels.c.decision).having(func.count(labels.c.by.distinct()) == 1)
    free = (decisions.c.label != "", ~own.exists(), _is_free(decisions.c.record, by, now))
    wanted = select(*_ITEM).where(decisions.c.record.in_(others), *free)
    order = (decisions.c.time, decisions.c.record)
    return [item_of(row) for row in connection.execute(wanted.order_by(*order).limit(count))]


def elsewhere(connection: Connection, records: Iterable[str], place: str) -> set[str]:
    """Those of these decisions that are known to be recorded in another folder than `place`."""
    joined = select(decisions.c.record).join(segments, segments.c.segment == decisions.c.segment)
    wanted = joined.where(decisions.c.record.in_(list(records)), segments.c.place != place)
    return set(connection.scalars(wanted))


def next_leads(count: int, by: str, now: datetime) -> Select[Any]:
    """The query for the first member of each group."""
    order = (groups.c.is_labelled, groups.c.rank, groups.c.time, groups.c.lead)
    joined = select(*_ITEM, groups.c.waiting).join(groups, groups.c.lead == decisions.c.record)
    return joined.where(_is_free(groups.c.lead, by, now)).order_by(*order).limit(count)


def _waiting(by: str, now: datetime) -> Select[Any]:
    order = (decisions.c.rank, decisions.c.time, decisions.c.record)
    return select(*_ITEM).where(decisions.c.is_waiting == 1, _is_free(decisions.c.record, by, now)).order_by(*order)


def _is_free(record: ColumnElement[str], by: str, now: datetime) -> ColumnElement[bool]:
    """Whether nobody else holds an item."""
    held = select(holds.c.record).where(
        holds.c.record == record, holds.c.holder != by, holds.c.until > stored_time(now)
    )
    return ~held.exists()


def hold(connection: Connection, record: str, by: str, now: datetime, seconds: float = HOLD_SECONDS) -> bool:
    """Holds an item, or holds it longer. Returns False if somebody else holds it. It is free again after `seconds`."""
    free = or_(holds.c.holder == by, holds.c.until <= stored_time(now))
    connection.execute(delete(holds).where(holds.c.record == record, free))
    if connection.scalar(select(holds.c.holder).where(holds.c.record == record)) is not None:
        return False
    connection.execute(
        insert(holds).values(record=record, holder=by, until=stored_time(now + timedelta(seconds=seconds)))
    )
    return True


def release(connection: Connection, record: str, by: str) -> None:
    """Lets go of an item that this person holds."""
    connection.execute(delete(holds).where(holds.c.record == record, holds.c.holder == by))


def like(connection: Connection, record: str, most: int = 100) -> list[Item]:
    """All like a decision, newest first: its group of near-duplicates, and near-equivalent actions among the newest of
    its kind. Raises KeyError if there is no such decision."""
    one = connection.execute(select(decisions).where(decisions.c.record == record)).one_or_none()
    if one is None:
        raise KeyError(record)
    features, newest = frozenset(orjson.loads(one.features)), (decisions.c.time.desc(), decisions.c.record.desc())
    wanted = select(*_ITEM, decisions.c.features)
    same = connection.execute(wanted.where(decisions.c.fingerprint == one.fingerprint).order_by(*newest).limit(most))
    # A condition on `entries` beside the one on its beginning makes SQLite pass over the index.
    of_kind = (decisions.c.kind == one.kind, one.entries[:512] == ENTRIES_BEGIN)
    others = connection.execute(wanted.where(*of_kind).order_by(*newest).limit(_COMPARED))
    found = {row.record: row for row in same}
    objected = (row for row in others if row.entries == one.entries)
    found |= {row.record: row for row in objected if near(features, frozenset(orjson.loads(row.features)))}
    ordered = sorted(found.values(), key=lambda row: row.record)
    return [item_of(row) for row in sorted(ordered, key=lambda row: row.time, reverse=True)[:most]]


def weeks(connection: Connection, specialist: str | None = None, since: str = "") -> list[Week]:
    """The counts of each specialist and week, from the week `since` (`2026-W48`) on."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    classes: dict[tuple[str, str], dict[int, int]] = {}
    for row in connection.execute(_counted(findings, _finding_counts(), specialist, since)):
        own = counts.setdefault((row.specialist, row.week), {})
        for name in ("stopped", "flagged", "labelled_right", "labelled_wrong", "heeded", "known"):
            own[name] = own.get(name, 0) + getattr(row, name)
        classes.setdefault((row.specialist, row.week), {})[row.latency] = row.found
    lost = _counted(refusals, [func.count().label("refusals")], specialist, since)
    for row in connection.execute(lost):
        counts.setdefault((row.specialist, row.week), {})["refusals"] = row.refusals
    return [_week(key, counts[key], classes.get(key, {})) for key in sorted(counts)]


def _finding_counts() -> list[Any]:
    def number(condition: ColumnElement[bool], name: str) -> Any:
        return func.sum(case((condition, 1), else_=0)).label(name)

    stopping = findings.c.is_stopping == 1
    return [
        findings.c.latency,
        func.count().label("found"),
        number(stopping, "stopped"),
        number(~stopping, "flagged"),
        number(findings.c.label == "right", "labelled_right"),
        number(findings.c.label == "wrong", "labelled_wrong"),
        number(and_(stopping, findings.c.heeded == "heeded"), "heeded"),
        number(and_(stopping, findings.c.heeded != "unknown"), "known"),
    ]


def _counted(table: Table, counts: list[Any], specialist: str | None, since: str) -> Select[Any]:
    keys = [table.c.specialist, table.c.week]
    wanted = select(*keys, *counts).where(table.c.week >= since)
    if specialist is not None:
        wanted = wanted.where(table.c.specialist == specialist)
    return wanted.group_by(*keys, *([table.c.latency] if table is findings else []))


def _week(key: tuple[str, str], counts: dict[str, int], classes: dict[int, int]) -> Week:
    known = counts.get("known", 0)
    names = ("stopped", "flagged", "labelled_right", "labelled_wrong", "refusals")
    rate = round(counts["heeded"] / known, 4) if known else None
    p50, p99 = percentile(classes, 0.5), percentile(classes, 0.99)
    numbers = {name: counts.get(name, 0) for name in names}
    return Week(key[0], key[1], heeded_rate=rate, p50_ms=p50, p99_ms=p99, **numbers)


def whole(connection: Connection, record: str) -> Whole | None:
    """One decision with everything; None if the index does not have it."""
    row = connection.execute(select(decisions).where(decisions.c.record == record)).one_or_none()
    if row is None:
        return None
    given = select(labels).where(labels.c.decision == record).order_by(labels.c.time, labels.c.record)
    return Whole(
        item_of(row),
        _rows(connection, select(findings).where(findings.c.record == record).order_by(findings.c.specialist)),
        _rows(connection, select(refusals).where(refusals.c.record == record).order_by(refusals.c.specialist)),
        _rows(connection, _outcomes(row)),
        _rows(connection, given),
        connection.scalar(select(holds.c.holder).where(holds.c.record == record)),
    )


def _outcomes(row: Any) -> Select[Any]:
    """Answers about a decision and attempts to undo it; and, from its time on, outcomes of the same action in its
    session."""
    same = (outcomes.c.session == row.session, outcomes.c.action == row.action, outcomes.c.time >= row.time)
    mine = select(outcomes).where(outcomes.c.about == row.record)
    after = select(outcomes).where(*same, outcomes.c.kind == "outcome", outcomes.c.record != row.record)
    both = union_all(mine, after).subquery()
    return select(both).order_by(both.c.time, both.c.record)


def _rows(connection: Connection, query: Select[Any]) -> tuple[dict[str, Any], ...]:
    return tuple(dict(row) for row in connection.execute(query).mappings())


def newest_sessions(connection: Connection, count: int = 50) -> list[SessionSummary]:
    """The sessions with the newest decisions."""
    order = (sessions.c.last.desc(), sessions.c.session)
    found = connection.execute(select(sessions).order_by(*order).limit(count))
    return [SessionSummary(**row._mapping) for row in found]


def session_items(connection: Connection, session: str, most: int = 1_000) -> list[Item]:
    """The decisions of a session, oldest first."""
    order = (decisions.c.time, decisions.c.record)
    found = connection.execute(select(*_ITEM).where(decisions.c.session == session).order_by(*order).limit(most))
    return [item_of(row) for row in found]


def newest_items(connection: Connection, count: int) -> list[Item]:
    """The newest decisions, newest first."""
    order = (decisions.c.time.desc(), decisions.c.record)
    return [item_of(row) for row in connection.execute(select(*_ITEM).order_by(*order).limit(count))]


def items_of(connection: Connection, specialist: str, count: int) -> list[Item]:
    """The newest decisions to which a specialist objected, newest first."""
    joined = select(*_ITEM).join(findings, findings.c.record == decisions.c.record)
    order = (decisions.c.time.desc(), decisions.c.record)
    found = connection.execute(joined.where(findings.c.specialist == specialist).order_by(*order).limit(count))
    return [item_of(row) for row in found]


def objections_of(connection: Connection, specialist: str, count: int) -> list[Objection]:
    """The newest objections of a specialist, newest first: its feedback log."""
    own = (findings.c[name].label(f"own_{name}") for name in ("verdict", "reason", "heeded", "label"))
    joined = select(*_ITEM, *own).join(findings, findings.c.record == decisions.c.record)
    order = (decisions.c.time.desc(), decisions.c.record)
    found = connection.execute(joined.where(findings.c.specialist == specialist).order_by(*order).limit(count)).all()
    said = _said(connection, [row.record for row in found], specialist)
    own_of = [(row.own_verdict, row.own_reason, row.own_heeded, row.own_label) for row in found]
    return [
        Objection(item_of(row), specialist, *own, said.get(row.record, ()))
        for row, own in zip(found, own_of, strict=True)
    ]


def _said(connection: Connection, records: list[str], specialist: str) -> dict[str, tuple[dict[str, Any], ...]]:
    """What people said of these decisions as a whole, or of this specialist's part."""
    about = (labels.c.decision.in_(records), labels.c.entry.in_(("", specialist)))
    given = connection.execute(select(labels).where(*about).order_by(labels.c.time, labels.c.record))
    found: dict[str, tuple[dict[str, Any], ...]] = {}
    for row in given:
        told = {name: getattr(row, name) for name in ("by", "time", "word", "verdict", "note", "via")}
        found[row.decision] = (*found.get(row.decision, ()), told)
    return found


def people(connection: Connection, count: int) -> list[str]:
    """Those who have labelled most, by name."""
    most = select(labels.c.by).group_by(labels.c.by).order_by(func.count().desc(), labels.c.by).limit(count)
    return sorted(connection.scalars(most))


def agreement(connection: Connection, one: str, other: str) -> Agreement:
    """How far two people agree on the decisions that both have labelled as a whole."""
    own = (labels.c.by.in_((one, other)), labels.c.entry == "")
    shared = select(labels.c.decision).where(*own).group_by(labels.c.decision)
    shared = shared.having(func.count(labels.c.by.distinct()) == 2)
    given = connection.execute(select(labels).where(*own, labels.c.decision.in_(shared)))
    words: dict[str, dict[str, str]] = {}
    for label in standing((row.record, label_in(row)) for row in given):
        words.setdefault(label.record, {})[label.by] = f"{label.word} {label.verdict}".strip()
    pairs: Iterable[tuple[str, str]] = ((each[one], each[other]) for each in words.values() if len(each) == 2)
    return agreement_of(pairs)
