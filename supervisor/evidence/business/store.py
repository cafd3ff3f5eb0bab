"""Records in the deployment's database, queried through the door with the names of tables and columns in the policy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.errors import DoorFailed
from supervisor.evidence.business import Business, Record
from supervisor.evidence.business.operations import Named
from supervisor.evidence.business.records import record_from
from supervisor.policy.business import IDENTIFIER, Column, Shape

_NAME = re.compile(IDENTIFIER)  # bounded repeats without backtracking


async def record_of(kind: str, identifier: str, known: Business, context: Context) -> Record | None:
    """The record of this kind and id: from the facts, else from the table that the policy names, else from the outputs
    of the session's tools; None if there is none.

    If the query fails, a record from facts or outputs is used, since no vote at all would be worse. Raises DoorFailed
    if there is no such record and the facts contain no records.
    """
    found = known.find(kind, identifier)
    shape = known.schema.records.get(kind)
    if (found is not None and known.facts.records.get((found.kind, found.id.casefold())) is found) or shape is None:
        return found
    query = _query(shape)
    if not query:
        return found
    try:
        rows = await context.query(query, id=identifier)
    except DoorFailed:
        if found is None and not known.facts.records:
            raise
        return found
    return record_from(rows[0], kind, known.schema) if len(rows) == 1 else found


def _query(shape: Shape) -> str:
    """The query for one record; "" if the policy names no table, or a name that is not an identifier."""
    names = list(dict.fromkeys(_columns(shape)))
    if not shape.table or not shape.id or not all(_NAME.fullmatch(name) for name in (shape.table, *names)):
        return ""
    return f"SELECT {', '.join(names)} FROM {shape.table} WHERE {shape.id} = :id LIMIT 2"  # noqa: S608 - identifiers only


def _columns(shape: Shape) -> Iterator[str]:
    for each in (shape.id, shape.owner, shape.state, shape.instrument, shape.currency):
        if each:
            yield each
    for column in (shape.total, shape.paid, shape.refunded, shape.due):
        name = column.column if isinstance(column, Column) else column
        if name:
            yield name


async def named_records(
    named: tuple[Named, ...], known: Business, action: Action, context: Context
) -> list[tuple[Named, Record]]:
    """The first twenty things that an action names, each with its record if one is known."""
    found = []
    for each in named[:20]:
        record = await record_of(each.kind, each.id, known, context)
        if record is not None:
            found.append((each, record))
    return found
