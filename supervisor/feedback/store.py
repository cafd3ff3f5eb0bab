"""The database of the index: SQLite beside the records, or a PostgreSQL for a fleet.

One writer writes at a time: SQLite locks the file, and in PostgreSQL a lock of the index's own does it. So what is
derived from several rows is always derived from all of them.
"""

from __future__ import annotations

from pathlib import Path

from supervisor.database import Database
from supervisor.errors import SupervisorError


class NoIndex(SupervisorError):
    """The index cannot be opened or used."""

    code = "no_index"


def usual_place(records: Path) -> str:
    """The URL of the index of a folder of records: a file beside it."""
    return f"sqlite:///{records.absolute().with_name(records.name + '.index.db')}"


class Store(Database):
    """An index that is there, with the tables of this version. Raises NoIndex wherever a database fails."""

    failure = NoIndex
    subject = "the index"
    extra = "feedback"
    migrations = Path(__file__).parent / "migrations"
    lock = 0x5355_5045_5256  # any number that nothing else in the database takes
    is_single_writer = True
    is_safe_from_power_cuts = False  # one may cost the last batches, which are read again
