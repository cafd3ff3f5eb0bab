"""SQLite behind the database door. The file is opened `mode=ro`, and an authorizer allows only reading."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from supervisor.doors.limits import MAX_BYTES, MAX_ROWS, POOL
from supervisor.doors.querying import Querying
from supervisor.errors import DoorFailed

_STEPS = 1_000  # SQLite's virtual machine instructions between two checks of the deadline
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
# `Warning` is no `Error`: Python 3.11 raises it for a second statement.
_FAILURES = (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeError)


class Sqlite:
    """A file of SQLite, with at most POOL connections, which stay open between queries."""

    def __init__(self, url: str, seconds: float) -> None:
        path = unquote(url.removeprefix("sqlite:///").partition("?")[0])
        self._uri = Path(path).absolute().as_uri() + "?mode=ro"
        self._seconds = seconds
        self._free = threading.BoundedSemaphore(POOL)
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._is_closed = False

    def run(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """At most MAX_ROWS rows and one more. Raises DoorFailed."""
        if not self._free.acquire(timeout=self._seconds):
            raise DoorFailed("every connection is busy", code="database_timeout")
        try:
            with _failures(), self._connection() as connection:
                cursor = connection.execute(sql, parameters)
                names = [each[0] for each in cursor.description or ()]
                return [dict(zip(names, row, strict=True)) for row in cursor.fetchmany(MAX_ROWS + 1)]
        finally:
            self._free.release()

    def close(self) -> None:
        """Closes the idle connections; the others are closed as their queries end."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection with the deadline of one query. After a failure it is closed."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = self._connect()
        is_fine = False
        try:
            Querying.uses(connection)
            deadline = time.monotonic() + self._seconds
            connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
            yield connection
            is_fine = True
        finally:
            Querying.leaves()
            with self._lock:
                is_kept = is_fine and not self._is_closed
                if is_kept:
                    self._idle.append(connection)
            if not is_kept:
                connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._uri, uri=True, timeout=self._seconds, check_same_thread=False)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BYTES)
        connection.execute("PRAGMA query_only = ON")
        connection.set_authorizer(_only_reading)
        return connection


def _only_reading(operation: int, first: str | None, second: str | None, *_: str | None) -> int:
    """The authorizer that SQLite calls when it compiles a statement; `second` is the name of a SQLITE_FUNCTION."""
    allowed = operation in _READING or (operation == sqlite3.SQLITE_FUNCTION and second != "load_extension")
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


@contextmanager
def _failures() -> Iterator[None]:
    """Turns SQLite's errors into DoorFailed."""
    try:
        yield
    except _FAILURES as error:
        line = (str(error).splitlines() or [type(error).__name__])[0]
        raise DoorFailed(line, code=_CODES.get(line, "database_error")) from None


_CODES = {
    "interrupted": "database_timeout",
    "database is locked": "database_timeout",
    "unable to open database file": "database_unreachable",
}
