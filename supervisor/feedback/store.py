"""The database of the index: SQLite beside the records, or a PostgreSQL for a fleet.

SQLAlchemy and Alembic are imported when a store is opened. One writer writes at a time: SQLite locks the file, and in
PostgreSQL a lock of the index's own does it. So what is derived from several rows is always derived from all of them.
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

_LOCK = 0x5355_5045_5256  # in PostgreSQL: any number that nothing else in the database takes
_PATIENCE = 60.0  # seconds to wait for another writer
_EXTRA = "the index needs {}: pip install 'supervisor-guard[{}]'"


class NoIndex(SupervisorError):
    """The index cannot be opened or used."""

    code = "no_index"


def usual_place(records: Path) -> str:
    """The URL of the index of a folder of records: a file beside it."""
    return f"sqlite:///{records.absolute().with_name(records.name + '.index.db')}"


class Store:
    """An index that is there, with the tables of this version."""

    def __init__(self, url: str) -> None:
        """Opens the index, and creates or migrates its tables. Raises NoIndex."""
        self.engine = _engine(url)
        try:
            self._migrate()
        except _database_errors() as error:
            raise NoIndex(_told(error), place=self.place) from None

    @property
    def place(self) -> str:
        """The URL without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection whose queries all see one state. Raises NoIndex."""
        with self._connected(is_writing=False) as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction in which nobody else writes: all of it is kept, or nothing. Raises NoIndex."""
        with self._connected(is_writing=True) as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
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
            raise NoIndex(_told(error), place=self.place) from None

    def _migrate(self) -> None:
        try:
            from alembic import command
            from alembic.config import Config
        except ImportError:
            raise NoIndex(_EXTRA.format("Alembic", "feedback"), code="missing_extra") from None
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
        with self.writing() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _engine(url: str) -> Engine:
    from sqlalchemy import create_engine, event, make_url
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    try:
        parsed = make_url(url)
        if parsed.drivername in ("postgresql", "postgres"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() == "sqlite":
            _create_file(parsed.database)
            engine = create_engine(parsed, connect_args={"timeout": _PATIENCE})
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        return create_engine(parsed, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError) as error:
        raise NoIndex(f"no URL of a database: {error}", code="bad_url") from None
    except ImportError:
        raise NoIndex(_EXTRA.format("psycopg", "feedback,postgres"), code="missing_extra") from None
    except OSError as error:
        raise NoIndex(f"cannot be created: {error.strerror}", place=str(error.filename)) from None


def _create_file(path: str | None) -> None:
    """Creates the file for its owner alone. SQLite gives the files beside it the same rights."""
    if path and path != ":memory:":
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _set_up_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # sqlite3 must not begin transactions on its own
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")  # a power cut may cost the last batches, which are read again


def _begin_sqlite(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get("is_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _database_errors() -> tuple[type[Exception], ...]:
    from sqlalchemy.exc import DBAPIError

    return (DBAPIError,)


def _told(error: Exception) -> str:
    """A driver's error on one line, without the statement and its values."""
    return " ".join(str(getattr(error, "orig", error)).split())
