"""The door to the deployment's own database. It is read-only, enforced by the database itself.

`sqlite` and `postgres` say how.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import anyio
import orjson

from supervisor.doors.limits import MAX_BYTES, MAX_ROWS
from supervisor.doors.plain import encoded
from supervisor.doors.querying import Querying
from supervisor.errors import DoorFailed
from supervisor.policy.doors import DatabaseDoor

if TYPE_CHECKING:
    from supervisor.doors.postgres import Postgres
    from supervisor.doors.sqlite import Sqlite


class Database:
    """Runs read-only queries. Nothing is imported or connected before the first.

    Rows are plain JSON values (see `plain`). A result of more than MAX_ROWS rows or MAX_BYTES is an error, since a vote
    on a part of it could be wrong.
    """

    def __init__(self, door: DatabaseDoor) -> None:
        self.door = door
        self._opened: Sqlite | Postgres | None = None
        self._opening = threading.Lock()
        self._running: set[Querying[list[dict[str, Any]]]] = set()

    def check(self) -> None:
        """Raises DoorFailed (`no_database`) if no database is configured."""
        if self.door.url is None:
            _warn()
            raise DoorFailed("no database is configured", code="no_database")

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of one SELECT with `:name` parameters.

        In PostgreSQL parameters have the type of their place: text compares with an integer key and with a timestamp.
        Raises DoorFailed (`no_database`, `missing_extra`, `database_unreachable`, `database_timeout`,
        `database_too_large`, `database_error`).
        """
        self.check()
        if self._opened is None:  # importing takes longer than a query, and does not count as the query's time
            await anyio.to_thread.run_sync(self.open)
        query = Querying(functools.partial(self._run, sql, dict(parameters)))
        self._running.add(query)
        try:
            with anyio.fail_after(self._seconds):
                return await query.answer()
        except TimeoutError:
            raise DoorFailed(f"no answer within {self.door.timeout_ms} ms", code="database_timeout") from None
        finally:
            self._running.discard(query)
            query.stop()

    def open(self) -> Sqlite | Postgres:
        """Imports the driver; the first query connects. Raises DoorFailed (`missing_extra`)."""
        with self._opening:
            if self._opened is None:
                self._opened = _opened(self.door.url or "", self._seconds)
            return self._opened

    def close(self) -> None:
        """Closes all connections, including those in use. The next query opens it again."""
        for query in list(self._running):
            query.stop()
        with self._opening:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    @property
    def _seconds(self) -> float:
        return self.door.timeout_ms / 1000

    def _run(self, sql: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        rows = self.open().run(sql, parameters)
        if len(rows) > MAX_ROWS:
            raise DoorFailed(f"more than {MAX_ROWS:,} rows; ask a narrower question", code="database_too_large")
        return _json_rows(rows)


def _opened(url: str, seconds: float) -> Sqlite | Postgres:
    if url.startswith("sqlite:"):
        from supervisor.doors.sqlite import Sqlite

        return Sqlite(url, seconds)
    from supervisor.doors.postgres import Postgres

    return Postgres(url, seconds)


@functools.cache
def _warn() -> None:
    """Logs a warning once a process; each refusal contains the reason as well."""
    message = "a database is needed and none is configured (doors.database.url); what needs it refuses"
    logging.getLogger(__name__).warning(message)


def _json_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    try:
        answer = encoded(rows)
    except TypeError as error:
        raise DoorFailed(f"a value cannot be recorded: {error}", code="database_error") from None
    if len(answer) > MAX_BYTES:
        raise DoorFailed(f"the answer has {len(answer):,} of at most {MAX_BYTES:,} bytes", code="database_too_large")
    plain_rows: list[dict[str, Any]] = orjson.loads(answer)
    return plain_rows
