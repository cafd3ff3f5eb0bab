"""The door to the deployment's own database. It is read-only, enforced by the database itself.

PostgreSQL: every query is a server-side cursor (`DECLARE … CURSOR FOR`, whose grammar takes one SELECT and nothing
else) in a transaction that is read-only and always rolled back. SQLite: the file is opened `mode=ro` and an authorizer
allows only reading.
"""

from __future__ import annotations

import functools
import logging
import sqlite3
import threading
import time
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import orjson

from supervisor.doors.plain import encoded
from supervisor.doors.querying import Querying
from supervisor.errors import DoorFailed
from supervisor.policy.doors import DatabaseDoor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import URL, Connection, Engine

MAX_ROWS = 1_000
MAX_BYTES = 1_000_000  # of one value (SQLite), and of a whole result as JSON
POOL = 4  # queries at a time; the others wait for a connection until their own deadline
_STEPS = 1_000  # SQLite's virtual machine instructions between two checks of the deadline
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})


class Database:
    """Runs read-only queries. Nothing is imported or connected before the first.

    Rows are plain JSON values (see `plain`). A result of more than MAX_ROWS rows or MAX_BYTES is an error, since a vote
    on a part of it could be wrong.
    """

    def __init__(self, door: DatabaseDoor) -> None:
        self.door = door
        self._engine: Engine | None = None
        self._opening = threading.Lock()
        self._running: set[Querying[list[dict[str, Any]]]] = set()

    def check(self) -> None:
        """Raises DoorFailed (`no_database`) if no database is configured."""
        if self.door.url is None:
            _warn()
            raise DoorFailed("no database is configured", code="no_database")

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of one SELECT with `:name` parameters.

        Parameters are bound without a type, so that PostgreSQL infers the type from the context: text compares with an
        integer key and with a timestamp. Raises DoorFailed (`no_database`, `database_unreachable`, `database_timeout`,
        `database_too_large`, `database_error`).
        """
        self.check()
        if self._engine is None:  # importing takes longer than a query, and does not count as the query's time
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

    def open(self) -> Engine:
        """Imports the driver and creates the pool, which connects on first use."""
        from sqlalchemy import event, make_url

        with self._opening:
            if self._engine is None:
                url = make_url(self.door.url or "")
                is_sqlite = url.get_backend_name() == "sqlite"
                engine = _sqlite(url, self._seconds) if is_sqlite else _postgres(url, self._seconds)
                # Before SQLAlchemy's own listener, which asks a new server for its version.
                event.listen(engine, "connect", _uses, insert=True)
                event.listen(engine, "checkout", _uses)
                event.listen(engine, "handle_error", _close_cursor)
                self._engine = engine
            return self._engine

    def close(self) -> None:
        """Closes all connections of the pool, including those in use. The next query opens it again."""
        for query in list(self._running):
            query.stop()
        with self._opening:
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.dispose()

    @property
    def _seconds(self) -> float:
        return self.door.timeout_ms / 1000

    def _run(self, sql: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        from sqlalchemy import bindparam, text
        from sqlalchemy.types import NullType

        bound = [bindparam(name, value, type_=NullType()) for name, value in parameters.items()]
        engine = self.open()
        with _failures(), engine.connect() as connection:
            _guard_sqlite(connection, self._seconds)
            try:
                with connection.execute(text(sql).bindparams(*bound)) as result:
                    rows = result.mappings().fetchmany(MAX_ROWS + 1)
            finally:
                Querying.leaves()
                if engine is not self._engine:  # closed meanwhile: the pool to return the connection to is gone
                    connection.detach()
        if len(rows) > MAX_ROWS:
            raise DoorFailed(f"more than {MAX_ROWS:,} rows; ask a narrower question", code="database_too_large")
        return _json_rows(rows)


def _uses(connection: Any, *_: Any) -> None:
    Querying.uses(connection)


def _close_cursor(failure: Any) -> None:
    """Closes the cursor of a lost connection. SQLAlchemy leaves it open, and psycopg warns about that."""
    if failure.is_disconnect and failure.execution_context is not None:
        failure.execution_context.cursor.close()


@functools.cache
def _warn() -> None:
    """Logs a warning once a process; each refusal contains the reason as well."""
    message = "a database is needed and none is configured (doors.database.url); what needs it refuses"
    logging.getLogger(__name__).warning(message)


def _json_rows(rows: Any) -> list[dict[str, Any]]:
    try:
        answer = encoded([dict(row) for row in rows])
    except TypeError as error:
        raise DoorFailed(f"a value cannot be recorded: {error}", code="database_error") from None
    if len(answer) > MAX_BYTES:
        raise DoorFailed(f"the answer has {len(answer):,} of at most {MAX_BYTES:,} bytes", code="database_too_large")
    plain_rows: list[dict[str, Any]] = orjson.loads(answer)
    return plain_rows


def _sqlite(url: URL, seconds: float) -> Engine:
    from sqlalchemy import create_engine
    from sqlalchemy.pool import QueuePool

    file = Path(url.database or "").absolute().as_uri() + "?mode=ro"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(file, uri=True, timeout=seconds, check_same_thread=False)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BYTES)
        connection.execute("PRAGMA query_only = ON")
        return connection

    return create_engine(
        "sqlite://", creator=connect, poolclass=QueuePool, pool_size=POOL, max_overflow=0, pool_timeout=seconds
    )


def _only_reading(operation: int, first: str | None, second: str | None, *_: str | None) -> int:
    """The authorizer that SQLite calls when it compiles a statement; `second` is the name of a SQLITE_FUNCTION."""
    allowed = operation in _READING or (operation == sqlite3.SQLITE_FUNCTION and second != "load_extension")
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _postgres(url: URL, seconds: float) -> Engine:
    from sqlalchemy import create_engine

    milliseconds = max(1, int(seconds * 1000))
    settings = f"-c default_transaction_read_only=on -c statement_timeout={milliseconds} -c timezone=UTC"
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        connect_args={"options": settings, "connect_timeout": max(1, round(seconds)), "tcp_user_timeout": milliseconds},
        execution_options={"postgresql_readonly": True, "stream_results": True, "max_row_buffer": MAX_ROWS + 1},
        pool_size=POOL,
        max_overflow=0,
        pool_timeout=seconds,
    )


def _guard_sqlite(connection: Connection, seconds: float) -> None:
    """Makes an SQLite connection read-only and sets its deadline. PostgreSQL gets both when it connects."""
    driver = connection.connection.dbapi_connection
    if isinstance(driver, sqlite3.Connection):
        deadline = time.monotonic() + seconds
        driver.set_authorizer(_only_reading)
        driver.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)


@contextmanager
def _failures() -> Iterator[None]:
    """Turns the driver's errors into DoorFailed. The message is the database's own first line: no URL, no password."""
    from sqlalchemy.exc import DBAPIError, SQLAlchemyError
    from sqlalchemy.exc import TimeoutError as PoolTimeout

    try:
        yield
    except PoolTimeout:
        raise DoorFailed("every connection is busy", code="database_timeout") from None
    except DBAPIError as error:
        line = (str(error.orig).splitlines() or [type(error.orig).__name__])[0]
        raise DoorFailed(line, code=_code_of(error, line)) from None
    except SQLAlchemyError as error:
        raise DoorFailed(str(error).splitlines()[0], code="database_error") from None


def _code_of(error: Any, line: str) -> str:
    state = getattr(error.orig, "sqlstate", "")  # None if PostgreSQL was not reached
    if state == "57014" or line in ("interrupted", "database is locked"):  # query_canceled
        return "database_timeout"
    if error.connection_invalidated or state is None or line == "unable to open database file":
        return "database_unreachable"
    return "database_error"
