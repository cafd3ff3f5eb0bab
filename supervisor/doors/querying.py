"""A query in a thread of its own, which ends when nobody waits for it any longer.

A driver waits for its server in C, and a server may ignore every time-out that it is told. So what is stopped is the
connection: its socket is shut down, and the wait is over. The thread is a daemon, so that one that is still connecting
(for two seconds at most, the driver's own limit) keeps no interpreter from exiting.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

import anyio
from anyio.lowlevel import current_token

T = TypeVar("T")


class Querying(threading.Thread, Generic[T]):
    """Runs `work` once. Whoever takes a connection for it calls `Querying.uses`, and `Querying.leaves` in the end."""

    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__(name="supervisor query", daemon=True)
        self._work = work
        self._answer: list[T] = []
        self._error: BaseException | None = None
        self._connection: Any = None
        self._stopped = False
        self._lock = threading.Lock()

    async def answer(self) -> T:
        """What `work` returns or raises, however long it takes."""
        self._done, self._loop = anyio.Event(), current_token()
        self.start()
        await self._done.wait()
        if self._error is not None:
            raise self._error
        return self._answer[0]

    def run(self) -> None:
        try:
            self._answer.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is waited for
            self._error = error
        with suppress(anyio.RunFinishedError):  # nobody waits any longer
            anyio.from_thread.run_sync(self._done.set, token=self._loop)

    def stop(self) -> None:
        """Ends the work, or lets it end as soon as it has a connection."""
        with self._lock:
            self._stopped = True
            _hang_up(self._connection)

    @staticmethod
    def uses(connection: Any) -> None:
        """The query of this thread has got a connection of the driver's."""
        query = threading.current_thread()
        if isinstance(query, Querying):
            with query._lock:
                query._connection = connection
                if query._stopped:
                    _hang_up(connection)

    @staticmethod
    def leaves() -> None:
        """It gives it back, and from now on somebody else may use it."""
        query = threading.current_thread()
        if isinstance(query, Querying):
            with query._lock:
                query._connection = None


def _hang_up(connection: Any) -> None:
    """Wakes whoever waits on a connection: SQLite stops, PostgreSQL's socket is shut down."""
    if isinstance(connection, sqlite3.Connection):
        with suppress(sqlite3.ProgrammingError):  # it is closed
            connection.interrupt()
    elif connection is not None and not connection.closed:
        with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as wire:
            wire.shutdown(socket.SHUT_RDWR)
