"""What the index derives from several rows: what was heeded, which labels count, sessions, and groups that wait.

Each function derives for a few sessions, decisions or groups from all of their rows, so the order in which rows came
makes no difference. They run in the transaction that has added the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import Connection, Select, bindparam, case, delete, func, insert, select, update

from supervisor.feedback.heeding import LOOK_AHEAD, Proposal, heedings
from supervisor.feedback.schema import decisions, findings, groups, labels, sessions
from supervisor.feedback.standing import standing, word_on_decision, word_on_finding
from supervisor.records.labels import Label

if TYPE_CHECKING:
    from sqlalchemy import Row

_AT_ONCE = 500  # values in one statement
_OLDEST_FIRST = (decisions.c.time, decisions.c.record)


def derive_heeded(connection: Connection, session: str, since: str) -> None:
    """Derives anew what came of the refusals of a session, as far as decisions from `since` on may change it."""
    rows = _proposals(connection, session, since)
    found = heedings([_proposal(row) for row in rows])
    changed = [(row.record, heeded) for row, heeded in zip(rows, found, strict=True) if row.heeded != heeded]
    if changed:
        values = [{"r": record, "h": heeded} for record, heeded in changed]
        for table in (decisions, findings):
            connection.execute(
                update(table).where(table.c.record == bindparam("r")).values(heeded=bindparam("h")), values
            )


def _proposals(connection: Connection, session: str, since: str) -> list[Row[Any]]:
    """The proposals of a session, from LOOK_AHEAD of them before `since` on."""
    own = (decisions.c.session == session, decisions.c.stage == "before")
    before = select(decisions.c.time).where(*own, decisions.c.time < since).order_by(decisions.c.time.desc())
    times = list(connection.scalars(before.limit(LOOK_AHEAD)))
    columns = ("record", "kind", "features", "verdict", "entries", "heeded")
    wanted = select(*(decisions.c[name] for name in columns)).where(*own, decisions.c.time >= min(times, default=since))
    return list(connection.execute(wanted.order_by(*_OLDEST_FIRST)))


def _proposal(row: Row[Any]) -> Proposal:
    features, entries = frozenset(orjson.loads(row.features)), frozenset(orjson.loads(row.entries))
    return Proposal(row.kind, features, row.verdict, entries)


def derive_labels(connection: Connection, records: Iterable[str]) -> None:
    """Derives anew what people say of these decisions and their findings."""
    for chunk in _chunks(records):
        given = connection.execute(select(labels).where(labels.c.decision.in_(chunk)))
        by_decision: dict[str, list[tuple[str, Label]]] = {}
        for row in given:
            by_decision.setdefault(row.decision, []).append((row.record, label_in(row)))
        for record, found in by_decision.items():
            _apply(connection, record, standing(found))


def label_in(row: Row[Any]) -> Label:
    """The label in a row."""
    about = (row.decision, row.word, row.by, datetime.fromisoformat(row.time))
    return Label(*about, row.via, row.verdict, row.entry, row.note)


def _apply(connection: Connection, record: str, found: list[Label]) -> None:
    waits = decisions.c.is_reviewable if not found else 0
    values = {"label": word_on_decision(found), "is_waiting": waits}
    connection.execute(update(decisions).where(decisions.c.record == record).values(values))
    for row in connection.execute(select(findings).where(findings.c.record == record)).all():
        word = word_on_finding(found, row.specialist, is_deciding=bool(row.is_deciding))
        this = (findings.c.record == record, findings.c.specialist == row.specialist)
        connection.execute(update(findings).where(*this).values(label=word))


def derive_sessions(connection: Connection, names: Iterable[str]) -> None:
    """Counts these sessions anew."""
    is_proposal = decisions.c.stage == "before"
    for chunk in _chunks(names):
        connection.execute(delete(sessions).where(sessions.c.session.in_(chunk)))
        counted = select(
            decisions.c.session,
            func.min(decisions.c.agent),
            func.min(decisions.c.project),
            func.min(decisions.c.time),
            func.max(decisions.c.time),
            func.sum(case((is_proposal, 1), else_=0)),
            func.sum(case((is_proposal & decisions.c.verdict.in_(("nudge", "block")), 1), else_=0)),
            func.sum(case((decisions.c.verdict == "flag", 1), else_=0)),
            func.sum(decisions.c.is_waiting),
        )
        grouped = counted.where(decisions.c.session.in_(chunk)).group_by(decisions.c.session)
        connection.execute(insert(sessions).from_select([column.name for column in sessions.c], grouped))


def derive_groups(connection: Connection, fingerprints: Iterable[str]) -> None:
    """Derives anew what waits in these groups of near-duplicates. A group's lead is the riskiest that waits, of these
    the oldest."""
    for chunk in _chunks(fingerprints):
        connection.execute(delete(groups).where(groups.c.fingerprint.in_(chunk)))
        judged = set(connection.scalars(_judged(chunk)))
        rows = [
            {**row._mapping, "is_labelled": int(row.fingerprint in judged)} for row in connection.execute(_leads(chunk))
        ]
        if rows:
            connection.execute(insert(groups), rows)


def _leads(fingerprints: list[str]) -> Select[Any]:
    """The lead of each group in which something waits, and how much does."""
    own, order = decisions.c.fingerprint, (decisions.c.rank, decisions.c.time, decisions.c.record)
    place = func.row_number().over(partition_by=own, order_by=order).label("place")
    waiting = func.count().over(partition_by=own).label("waiting")
    columns = (own, decisions.c.rank, decisions.c.time, decisions.c.record.label("lead"), waiting, place)
    members = select(*columns).where(own.in_(fingerprints), decisions.c.is_waiting == 1).subquery()
    return select(*(column for column in members.c if column.name != "place")).where(members.c.place == 1)


def _judged(fingerprints: list[str]) -> Select[Any]:
    """The groups of which a person has judged a member."""
    is_judged = (decisions.c.is_waiting == 0, decisions.c.label != "")
    return select(decisions.c.fingerprint).where(decisions.c.fingerprint.in_(fingerprints), *is_judged).distinct()


def _chunks(values: Iterable[str]) -> Iterator[list[str]]:
    rest = sorted(set(values))
    return (rest[start : start + _AT_ONCE] for start in range(0, len(rest), _AT_ONCE))
