"""Filling the index from journals: by segment, from where each was read to, in batches that are kept whole.

A batch is one transaction: its rows, what is derived from them, and the mark behind it. So a process that is killed
leaves an index that is right up to a mark, and two that read the same journal add nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Table, delete, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from supervisor.errors import BadInput, BadRecord
from supervisor.feedback.deriving import derive_groups, derive_heeded, derive_labels, derive_sessions
from supervisor.feedback.rows import Row, Rows
from supervisor.feedback.schema import FROM_JOURNALS, decisions, metadata, segments, states
from supervisor.feedback.store import Store
from supervisor.records.marks import Mark, Verified, trusted_keys, verified_after
from supervisor.records.verify import segment_paths

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

BATCH = 500  # records
_MOST_VALUES = 900  # in one statement, for SQLite
_REBUILDING = "rebuilding"
_OTHERS = (
    "the index also has the records of {}, which a rebuild from these folders would lose; name them too, or drop them"
    " with --drop-others"
)


@dataclass(slots=True)
class Taken:
    """What an update has read. `unread` names each segment whose rest does not verify, and each record of another
    form."""

    segments: int = 0
    records: int = 0
    unread: list[BadRecord] = field(default_factory=list)


Progress = Callable[[Taken], object]


def update(store: Store, folders: Sequence[Path], progress: Progress = lambda _: None, batch: int = BATCH) -> Taken:
    """Adds what was written to these journals since the last update. Raises BadRecord if a folder is no journal,
    NoIndex."""
    taken = Taken()
    for folder in folders:
        paths = segment_paths(folder)
        try:
            keys = trusted_keys(folder)
        except BadRecord as error:
            taken.unread.append(error)
            continue
        for path in paths:
            _take_segment(store, path, keys, taken, progress, batch)
            taken.segments += 1
    with store.writing() as connection:
        connection.execute(delete(states).where(states.c.name == _REBUILDING))
    return taken


def take_segment(store: Store, path: Path, batch: int = BATCH) -> Taken:
    """Adds what was written to one segment since the last update: the quick way for whoever has written to it. Raises
    BadRecord if its folder does not say whose records count, NoIndex."""
    taken = Taken(segments=1)
    _take_segment(store, path, trusted_keys(path.parent), taken, lambda _: None, batch)
    return taken


def rebuild(
    store: Store, folders: Sequence[Path], progress: Progress = lambda _: None, *, drop_others: bool = False
) -> Taken:
    """Empties the index and fills it anew. One that was cut off goes on where it was. Raises BadInput if the index has
    the records of other folders, unless `drop_others`; BadRecord, NoIndex."""
    with store.writing() as connection:
        if connection.scalar(select(states.c.value).where(states.c.name == _REBUILDING)) is None:
            _check_places(connection, folders, drop_others=drop_others)
            for table in FROM_JOURNALS:
                connection.execute(delete(table))
            connection.execute(insert(states).values(name=_REBUILDING, value="1"))
    return update(store, folders, progress)


def is_rebuilding(connection: Connection) -> bool:
    """Whether a rebuild has not come to its end: the index may lack what it had."""
    return connection.scalar(select(states.c.value).where(states.c.name == _REBUILDING)) is not None


def _check_places(connection: Connection, folders: Sequence[Path], *, drop_others: bool) -> None:
    named = {place_of(folder) for folder in folders}
    others = sorted(set(connection.scalars(select(segments.c.place).distinct())) - named)
    if others and not drop_others:
        raise BadInput(_OTHERS.format(", ".join(others)), place="--records", code="other_journals")


def place_of(folder: Path) -> str:
    """Where a journal is, as the index names it."""
    return str(folder.absolute())


def _take_segment(store: Store, path: Path, keys: Keys, taken: Taken, progress: Progress, batch: int) -> None:
    """Reads a segment on from its mark. What does not verify ends it, and is reported."""
    with store.reading() as connection:
        mark = _mark(connection, path)
    if mark.is_sealed and path.stat().st_size == mark.bytes:
        return
    lines = verified_after(path, keys, mark)
    while records := _next(lines, batch, taken):
        if not _keep(store, path, mark, records, taken):
            return  # another process has read on from the same mark
        mark = records[-1].mark
        taken.records += len(records)
        progress(taken)


def _next(lines: Iterator[Verified], count: int, taken: Taken) -> list[Verified]:
    found: list[Verified] = []
    try:
        for each in islice(lines, count):  # what came before an error is kept
            found.append(each)  # noqa: PERF402
    except BadRecord as error:
        taken.unread.append(error)
    return found


def _mark(connection: Connection, path: Path) -> Mark:
    row = connection.execute(select(segments).where(segments.c.segment == path.stem)).one_or_none()
    return Mark(row.bytes, row.records, row.digest, bool(row.is_sealed)) if row else Mark()


def _keep(store: Store, path: Path, before: Mark, records: list[Verified], taken: Taken) -> bool:
    """Writes a batch. Returns False if the segment's mark has moved meanwhile."""
    rows = _rows(path, records, taken)
    with store.writing() as connection:
        if _mark(connection, path) != before:
            return False
        for name, found in rows.of.items():
            _insert(connection, metadata.tables[name], found)
        _derive(connection, rows)
        mark = records[-1].mark
        connection.execute(delete(segments).where(segments.c.segment == path.stem))
        reached = {"bytes": mark.bytes, "records": mark.records, "digest": mark.digest}
        place = {"segment": path.stem, "place": place_of(path.parent), "is_sealed": int(mark.is_sealed)}
        connection.execute(insert(segments).values(**place, **reached))
    return True


def _rows(path: Path, records: list[Verified], taken: Taken) -> Rows:
    rows = Rows(path.stem)
    for each in records:
        try:
            rows.take(each)
        except (KeyError, TypeError, ValueError, AttributeError):
            place = f"{path.name}, record {each.mark.records - 1}"
            taken.unread.append(BadRecord(f"is no whole {each.kind}", place=place, code="bad_record"))
    return rows


def _insert(connection: Connection, table: Table, rows: list[Row]) -> None:
    """Adds rows. One that is there already is the same: its key is the address of its record."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    at_once = _MOST_VALUES // len(table.c)
    for start in range(0, len(rows), at_once):
        added = dialect.insert(table).values(rows[start : start + at_once])
        connection.execute(added.on_conflict_do_nothing())


def _derive(connection: Connection, rows: Rows) -> None:
    for session, since in rows.sessions.items():
        derive_heeded(connection, session, since)
    changed = rows.labelled | rows.decided
    derive_labels(connection, changed)
    about = select(decisions.c.fingerprint, decisions.c.session)
    found = [
        row
        for start in range(0, len(changed), BATCH)
        for row in connection.execute(about.where(decisions.c.record.in_(sorted(changed)[start : start + BATCH])))
    ]
    derive_groups(connection, {row.fingerprint for row in found})
    derive_sessions(connection, {row.session for row in found if row.session is not None})
