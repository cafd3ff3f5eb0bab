"""What the index has, and what it lacks of some journals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from supervisor.feedback.ingest import is_rebuilding
from supervisor.feedback.schema import decisions, findings, labels, outcomes, refusals, segments, sessions
from supervisor.records.verify import segment_paths


@dataclass(frozen=True, slots=True)
class State:
    """The number of rows in each table, the journals that the index has, and how far it is behind those asked for."""

    counts: dict[str, int]
    places: tuple[str, ...]
    behind_bytes: int
    is_rebuilding: bool

    def to_json(self) -> dict[str, Any]:
        """The state for programs."""
        return asdict(self)


def state_of(connection: Connection, folders: Iterable[Path]) -> State:
    """The state of the index. Raises BadRecord if a folder is no journal."""
    tables = (decisions, findings, refusals, outcomes, labels, sessions)
    counts = {str(table.name): connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables}
    read = {row.segment: row.bytes for row in connection.execute(select(segments.c.segment, segments.c.bytes))}
    paths = [path for folder in folders for path in segment_paths(folder)]
    behind = sum(max(path.stat().st_size - read.get(path.stem, 0), 0) for path in paths)
    return State(counts, places_of(connection), behind, is_rebuilding(connection))


def places_of(connection: Connection) -> tuple[str, ...]:
    """The folders whose records the index has."""
    return tuple(connection.scalars(select(segments.c.place).distinct().order_by(segments.c.place)))
