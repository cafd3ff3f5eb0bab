"""Records as rows for other programs: one flat row a record, with what most questions ask for in columns of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from supervisor.errors import BadRecord
from supervisor.records.read import Record, read_records

_OF_THE_CHAIN = ("segment", "end")  # records about a file of records, not about an agent
TEXTS = ("record", "place", "kind", "time", "id", "session", "agent", "task", "tool", "action_kind", "verdict")
COLUMNS = (*TEXTS, "by", "elapsed_ms", "predicate")

Row = dict[str, Any]  # by COLUMNS: texts or None; `by` is a list of texts, `elapsed_ms` a number, `predicate` an object


@dataclass(frozen=True, slots=True)
class Span:
    """The time from `since` until before `until`. None does not limit."""

    since: datetime | None = None
    until: datetime | None = None

    def has(self, time: Any) -> bool:
        """Whether a record's time is inside. A record whose time cannot be read is: nothing may be left out unseen."""
        try:
            when = datetime.fromisoformat(time)
        except (TypeError, ValueError):
            return True
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return (self.since is None or self.since <= when) and (self.until is None or when < self.until)


def rows_of(folder: Path, span: Span, unread: Callable[[BadRecord], None]) -> Iterator[tuple[str, Row]]:
    """Each record of a span of time as its segment and its row, in the order written. Raises BadRecord if there is no
    journal; `unread` is called for everything that cannot be read. Signatures are `verify`'s to check."""
    for record in read_records(folder, unread):
        if record.kind not in _OF_THE_CHAIN and span.has(record.predicate.get("time")):
            yield record.place.rpartition(".jsonl:")[0], _row(record)


def _row(record: Record) -> Row:
    told = record.predicate
    action, decision, scene = _object(told.get("action")), _object(told.get("decision")), _scene(record)
    found = {
        "record": record.address,
        "place": record.place,
        "kind": record.kind,
        **{name: told.get(name) for name in ("time", "id", "session")},
        **{name: scene.get(name) for name in ("agent", "task")},
        "tool": action.get("tool"),
        "action_kind": action.get("kind"),
        "verdict": decision.get("verdict"),
    }
    row: Row = {name: value if isinstance(value, str) else None for name, value in found.items()}
    by, elapsed = decision.get("by"), told.get("elapsed_ms")
    row["by"] = [each for each in by if isinstance(each, str)] if isinstance(by, list) else []
    row["elapsed_ms"] = float(elapsed) if isinstance(elapsed, int | float) else None
    return row | {"predicate": told}


def _scene(record: Record) -> dict[str, Any]:
    """The task and the agent; empty if they are not there, which a replay would report."""
    address = record.predicate.get("scene")
    if not isinstance(address, str) or address not in record.contents:
        return {}
    try:
        return _object(record.content(address))
    except BadRecord:
        return {}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
