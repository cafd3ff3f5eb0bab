"""A database of this project: an SQLite file for its owner alone, or a PostgreSQL that several machines share.

SQLAlchemy and Alembic are imported when a database is opened.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import SupervisorError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_PATIENCE = 60.0  # seconds to wait for another writer


class Database:
    """A database that is open. Each use of it has a subclass, which names the extra that it needs.

    `failure` is what is raised, `subject` what the message calls the database, `lock` a number of its own in
    PostgreSQL: whoever creates or migrates tables holds it, and with `is_single_writer` whoever writes. SQLite has one
    writer anyway, and with `is_safe_from_power_cuts` waits for the disk at each commit.
    """

    failure: type[SupervisorError]
    subject: str
    extra: str
    migrations: Path
    lock: int
    version_table = "alembic_version"
    is_single_writer = False
    is_safe_from_power_cuts = True

    def __init__(self, url: str) -> None:
        """Opens the database, and creates or migrates its tables. Raises `failure`."""
        self.engine = self._open(url)
        try:
            self._migrate()
        except _database_errors() as error:
            raise self.failure(_told(error), place=self.place) from None

    @property
    def place(self) -> str:
        """The URL without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    @property
    def is_postgres(self) -> bool:
        """Whether several machines may share it."""
        return self.engine.dialect.name == "postgresql"

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection whose queries all see one state in SQLite. Raises `failure`."""
        with self._connected(is_writing=False) as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all of it is kept, or nothing. Raises `failure`."""
        with self._connected(is_writing=True) as connection:
            if self.is_single_writer:
                self._lock(connection)
            yield connection

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()

    @contextlib.contextmanager
    def _connected(self, *, is_writing: bool) -> Iterator[Connection]:
        try:
            with self.engine.connect() as connection:
                connection = connection.execution_options(is_writing=is_writing)
                with connection.begin():
                    yield connection
        except _database_errors() as error:
            raise self.failure(_told(error), place=self.place) from None

    def _lock(self, connection: Connection) -> None:
        """Waits until nobody else holds the lock, and holds it until the transaction ends. SQLite always locks."""
        if self.is_postgres:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({self.lock})")

    def _migrate(self) -> None:
        try:
            from alembic import command
            from alembic.config import Config
        except ImportError:
            raise self._missing("Alembic", self.extra) from None
        config = Config()
        config.set_main_option("script_location", str(self.migrations).replace("%", "%%"))
        with self._connected(is_writing=True) as connection:
            self._lock(connection)
            config.attributes["connection"] = connection
            config.attributes["version_table"] = self.version_table
            command.upgrade(config, "head")

    def _open(self, url: str) -> Engine:
        try:
            from sqlalchemy import create_engine, event, make_url
            from sqlalchemy.exc import ArgumentError, NoSuchModuleError
        except ImportError:
            raise self._missing("SQLAlchemy", self.extra) from None
        try:
            parsed = make_url(url)
            if parsed.drivername in ("postgresql", "postgres"):
                parsed = parsed.set(drivername="postgresql+psycopg")
            if parsed.get_backend_name() == "sqlite":
                _create_file(parsed.database)
                engine = create_engine(parsed, connect_args={"timeout": _PATIENCE})
                event.listen(engine, "connect", self._set_up_sqlite)
                event.listen(engine, "begin", _begin_sqlite)
                return engine
            return create_engine(parsed, pool_pre_ping=True)
        except (ArgumentError, NoSuchModuleError) as error:
            raise self.failure(f"no URL of a database: {error}", code="bad_url") from None
        except ImportError:
            raise self._missing("psycopg", f"{self.extra},postgres") from None
        except OSError as error:
            raise self.failure(f"cannot be created: {error.strerror}", place=str(error.filename)) from None

    def _missing(self, library: str, extras: str) -> SupervisorError:
        told = f"{self.subject} needs {library}: pip install 'supervisor-guard[{extras}]'"
        return self.failure(told, code="missing_extra")

    def _set_up_sqlite(self, connection: Any, _: object) -> None:
        connection.isolation_level = None  # sqlite3 must not begin transactions on its own
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={'FULL' if self.is_safe_from_power_cuts else 'NORMAL'}")


def _create_file(path: str | None) -> None:
    """Creates the file for its owner alone. SQLite gives the files beside it the same rights."""
    if path and path != ":memory:":
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _begin_sqlite(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get("is_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _database_errors() -> tuple[type[Exception], ...]:
    from sqlalchemy.exc import DBAPIError

    return (DBAPIError,)


def _told(error: Exception) -> str:
    """A driver's error on one line, without the statement and its values."""
    return " ".join(str(getattr(error, "orig", error)).split())
