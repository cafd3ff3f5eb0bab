"""Opens the database of the runtime: SQLite for one machine, or a PostgreSQL for many."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.database import Database
from supervisor.errors import SupervisorError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

USUAL_URL = "sqlite:///" + "~/.local/state/supervisor/runtime.db"
_FROZEN = 5_000  # milliseconds after which PostgreSQL ends a transaction whose process does not go on


class NoRuntime(SupervisorError):
    """The runtime's database cannot be opened or used."""

    code = "no_runtime"


class Store(Database):
    """The tables of tasks, attempts and executors. Raises NoRuntime wherever the database fails."""

    failure = NoRuntime
    subject = "the runtime"
    extra = "runtime"
    migrations = Path(__file__).parent / "migrations"
    version_table = "runtime_version"
    lock = 0x5441_534B_53  # any number that nothing else in the database takes
    is_single_writer = True  # a transition touches several tasks, and none of them may change meanwhile

    @contextlib.contextmanager
    def beating(self) -> Iterator[Connection]:
        """A transaction that waits for no other writer in PostgreSQL: a sign of life cannot wait."""
        with self._connected(is_writing=True) as connection:
            yield connection

    def _open(self, url: str) -> Engine:
        from sqlalchemy import event

        engine = super()._open(url)
        if engine.dialect.name == "postgresql":
            event.listen(engine, "connect", _end_frozen_transactions)
        return engine


def _end_frozen_transactions(connection: Any, _: object) -> None:
    """A process that is stopped in the middle of a transaction must not hold its locks for ever."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET idle_in_transaction_session_timeout = {_FROZEN}")
    connection.commit()


def resolved(url: str) -> str:
    """The URL with its home folder written out, and the folder of an SQLite file made."""
    prefix = "sqlite:///~"
    if url.startswith(prefix):
        url = f"sqlite:///{Path.home()}{url.removeprefix(prefix)}"
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return url
