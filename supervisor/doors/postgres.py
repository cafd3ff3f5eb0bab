"""PostgreSQL behind the database door (extra `postgres`).

Every query is a server-side cursor (`DECLARE … CURSOR FOR`, whose grammar takes one SELECT and nothing else) in a
transaction that is read-only and always rolled back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from supervisor.doors.limits import MAX_ROWS, POOL
from supervisor.doors.querying import Querying
from supervisor.errors import DoorFailed

_EXTRA = "a PostgreSQL database needs {}: pip install 'supervisor-guard[postgres]'"


class Postgres:
    """A pool of connections to PostgreSQL, which connects on first use."""

    def __init__(self, url: str, seconds: float) -> None:
        """Imports the driver. Raises DoorFailed (`missing_extra`)."""
        try:
            from sqlalchemy import create_engine, event, make_url

            milliseconds = max(1, int(seconds * 1000))
            settings = f"-c default_transaction_read_only=on -c statement_timeout={milliseconds} -c timezone=UTC"
            engine = create_engine(
                make_url(url).set(drivername="postgresql+psycopg"),
                connect_args={
                    "options": settings,
                    "connect_timeout": max(1, round(seconds)),
                    "tcp_user_timeout": milliseconds,
                },
                execution_options={
                    "postgresql_readonly": True,
                    "stream_results": True,
                    "max_row_buffer": MAX_ROWS + 1,
                },
                pool_size=POOL,
                max_overflow=0,
                pool_timeout=seconds,
            )
        except ImportError as error:
            raise DoorFailed(_EXTRA.format(error.name), code="missing_extra") from None
        # Before SQLAlchemy's own listener, which asks a new server for its version.
        event.listen(engine, "connect", _uses, insert=True)
        event.listen(engine, "checkout", _uses)
        event.listen(engine, "handle_error", _close_cursor)
        self._engine = engine
        self._is_closed = False

    def run(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """At most MAX_ROWS rows and one more. Raises DoorFailed.

        Parameters are bound without a type, so that PostgreSQL infers the type from the context.
        """
        from sqlalchemy import bindparam, text
        from sqlalchemy.types import NullType

        bound = [bindparam(name, value, type_=NullType()) for name, value in parameters.items()]
        with _failures(), self._engine.connect() as connection:
            try:
                with connection.execute(text(sql).bindparams(*bound)) as result:
                    return [dict(row) for row in result.mappings().fetchmany(MAX_ROWS + 1)]
            finally:
                Querying.leaves()
                if self._is_closed:  # the pool to return the connection to is gone
                    connection.detach()

    def close(self) -> None:
        """Closes the connections that no query uses; the others are closed as their queries end."""
        self._is_closed = True
        self._engine.dispose()


def _uses(connection: Any, *_: Any) -> None:
    Querying.uses(connection)


def _close_cursor(failure: Any) -> None:
    """Closes the cursor of a lost connection. SQLAlchemy leaves it open, and psycopg warns about that."""
    if failure.is_disconnect and failure.execution_context is not None:
        failure.execution_context.cursor.close()


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
        raise DoorFailed(line, code=_code_of(error)) from None
    except SQLAlchemyError as error:
        raise DoorFailed(str(error).splitlines()[0], code="database_error") from None


def _code_of(error: Any) -> str:
    state = getattr(error.orig, "sqlstate", "")  # None if PostgreSQL was not reached
    if state == "57014":  # query_canceled
        return "database_timeout"
    return "database_unreachable" if error.connection_invalidated or state is None else "database_error"
