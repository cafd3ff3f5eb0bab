"""Journals that seem to have grown over many days: the writers' clock is set, everything else is as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock

from supervisor.records import journal as journal_module
from supervisor.records.envelope import Signer
from supervisor.records.journal import Journal

NOW = datetime.now(UTC)


@contextmanager
def days_ago(days: float) -> Iterator[str]:
    """Segments that are begun meanwhile have the names and headers of that day. Yields the time, for the records."""
    then = datetime.now(UTC) - timedelta(days=days)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return then

    with mock.patch.object(journal_module, "datetime", Clock):
        yield then.isoformat()


def write_day(folder: Path, signer: Signer, days: float, records: int = 3, *, seal: bool = True) -> str:
    """Adds a segment of that day; its name."""
    with days_ago(days) as time:
        journal = Journal(folder, signer)
        for number in range(records):
            journal.append("decision", {"id": f"{days}-{number}", "time": time}, "0" * 64)
        assert journal._segment is not None
        name = journal._segment.name
        if seal:
            journal.close()
        else:
            journal._abandon()  # as the death of its process would
    return name


def write_days(folder: Path, signer: Signer, *days: float) -> list[str]:
    """Adds a sealed segment for each day."""
    return [write_day(folder, signer, each) for each in days]
