"""Refunds an order that has been refunded already."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Cause, Context, Opinion, block, ok, refuse, specialist

WINDOW_DAYS = 30
_NAMES = {"table": "refunds", "order": "order_id", "status": "status", "issued_at": "issued_at"}
_SCHEMA = {**_NAMES, "completed": "completed"}  # `completed` is a value of the status column, the rest are names
_REFUNDS = (
    "SELECT {issued_at} AS issued_at FROM {table} WHERE {order} = :order AND {status} = :completed "
    "ORDER BY {issued_at} DESC LIMIT 100"
)
_IDENTIFIER = Pattern(r"[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?")


@specialist("refund", facts=["refund_window_days", "refunds"])
async def duplicate_refund_same_order(action: Action, context: Context) -> Opinion:
    order = action.get("order")
    order = str(order).strip() if isinstance(order, (str, int)) and not isinstance(order, bool) else ""
    if not order:
        return refuse("the refund names no order")
    days = context.facts.get("refund_window_days", WINDOW_DAYS)
    schema = _schema(context.facts.get("refunds", {}))
    if schema is None or isinstance(days, bool) or not isinstance(days, (int, float)) or not 0 < days <= 36_500:
        return refuse("the facts `refunds` and `refund_window_days` do not describe a table", Cause.INFRASTRUCTURE)
    rows = await context.query(_REFUNDS.format(**schema), order=order, completed=schema["completed"])
    since = context.now - timedelta(days=days)
    for row in rows:
        issued = _time(row["issued_at"])
        if issued is None:
            stored = str(row["issued_at"])[:40]
            return refuse(f"a refund of this order has no readable time: {stored!r}", Cause.INFRASTRUCTURE)
        if issued > since:
            return block(f"Order {order} was refunded on {issued:%Y-%m-%d}, within the last {days:g} days.")
    return ok()


def _schema(stated: Any) -> dict[str, str] | None:
    """The names of the table and its columns. They become part of the SQL text, so they must be identifiers."""
    if not isinstance(stated, Mapping) or not stated.keys() <= _SCHEMA.keys():
        return None
    schema = {**_SCHEMA, **stated}
    if not all(isinstance(name, str) for name in schema.values()):
        return None
    return schema if all(_IDENTIFIER.fullmatch(schema[part]) for part in _NAMES) else None


def _time(stored: Any) -> datetime | None:
    """A stored time: ISO 8601 text (UTC if it has no zone), or seconds since 1970."""
    try:
        if isinstance(stored, (int, float)):
            return datetime.fromtimestamp(stored, UTC)
        issued = datetime.fromisoformat(stored)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return issued if issued.tzinfo else issued.replace(tzinfo=UTC)
