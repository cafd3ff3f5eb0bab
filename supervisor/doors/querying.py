"""A query in a thread of its own, which ends when its caller stops waiting.

A driver waits for its server in C code, and a server may ignore the driver's time-outs. So a query is stopped by
shutting down the connection's socket, which ends the wait. The thread is a daemon thread, so that a query that is still
connecting (at most two seconds, the driver's limit) does not keep the interpreter from exiting.
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
    """Runs `work` once. The work calls `Querying.uses` for a connection that it takes, and `Querying.leaves` at the
    end."""

    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__(name="supervisor query", daemon=True)
        self._work = work
        self._answer: list[T] = []
        self._error: BaseException | None = None
        self._connection: Any = None
        self._stopped = False
        self._lock = threading.Lock()

    async def answer(self) -> T:
        """Returns or raises the outcome of `work`, however long it takes."""
        self._done, self._loop = anyio.Event(), current_token()
        self.start()
        await self._done.wait()
        if self._error is not None:
            raise self._error
        return self._answer[0]

    def run(self) -> None:
        try:
            self._answer.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again in `answer`
            self._error = error
        with suppress(anyio.RunFinishedError):  # the event loop of the caller has ended
            anyio.from_thread.run_sync(self._done.set, token=self._loop)

    def stop(self) -> None:
        """Ends the work, now or as soon as it has a connection."""
        with self._lock:
            self._stopped = True
            _hang_up(self._connection)

    @staticmethod
    def uses(connection: Any) -> None:
        """Notes that the query of this thread uses a connection of the driver."""
        query = threading.current_thread()
        if isinstance(query, Querying):
            with query._lock:
                query._connection = connection
                if query._stopped:
                    _hang_up(connection)

    @staticmethod
    def leaves() -> None:
        """Notes that the query of this thread gives its connection back: others may use it from now on."""
        query = threading.current_thread()
        if isinstance(query, Querying):
            with query._lock:
                query._connection = None


def _hang_up(connection: Any) -> None:
    """Ends any wait on a connection: SQLite is interrupted, PostgreSQL's socket is shut down."""
    if isinstance(connection, sqlite3.Connection):
        with suppress(sqlite3.ProgrammingError):  # the connection is already closed
            connection.interrupt()
    elif connection is not None and not connection.closed:
        with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as wire:
            wire.shutdown(socket.SHUT_RDWR)
