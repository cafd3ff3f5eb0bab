"""The daemon's process: its sockets, its connections, its signals."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import secrets
import signal
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from supervisor.errors import SupervisorError
from supervisor.service.engines import Engines
from supervisor.service.http import BadRequest, Connection
from supervisor.service.routes import Routes

_log = logging.getLogger(__name__)
MOST = (
    512  # connections at a time; beyond that, the one that has waited longest for its client's next request is closed
)
_BACKLOG = 512
_FAREWELL = 5.0  # seconds that decisions under way have at the end


class AlreadyServed(SupervisorError):
    """Another daemon has this socket."""

    code = "already_served"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the daemon listens: a Unix socket, and a port on the loopback interface where one is given (0: any).
    `token` is the file that holds what clients of the port have to know."""

    socket: Path
    port: int | None
    token: Path


async def serve(engines: Engines, places: Places) -> None:
    """Serves until SIGTERM or SIGINT; SIGHUP reloads. AlreadyServed, OSError."""
    with _owned(places.socket) as listener:
        routes = Routes(engines, token_in(places.token) if places.port is not None else None)
        daemon = _Daemon(routes)
        servers = [await asyncio.start_unix_server(daemon.trusted, sock=listener, backlog=_BACKLOG)]
        if places.port is not None:
            servers.append(await asyncio.start_server(daemon.stranger, "127.0.0.1", places.port, backlog=_BACKLOG))
        for server in servers:
            _log.warning("listening on %s", server.sockets[0].getsockname())
        await _until_told(engines)
        for server in servers:
            server.close()
        await daemon.finish()


async def _until_told(engines: Engines) -> None:
    """Waits for the signal to end. Reloads follow one another; those asked for meanwhile are one."""
    loop, ending, hup = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ending.set)
    loop.add_signal_handler(signal.SIGHUP, hup.set)

    async def reloading() -> None:
        while True:
            await hup.wait()
            hup.clear()
            await engines.reload()

    reloader = asyncio.create_task(reloading())
    await ending.wait()
    reloader.cancel()


class _Daemon:
    """Connections, each in a task of its own."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._tasks: dict[asyncio.Task[Any] | None, Connection] = {}
        self._ending = False
        self._idle: dict[Connection, None] = {}  # those that wait for their client, the longest first

    async def trusted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._serve(Connection(reader, writer, trusted=True))

    async def stranger(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._serve(Connection(reader, writer, trusted=False))

    async def finish(self) -> None:
        """Lets decisions under way be answered; whoever only waits is closed, and nobody else is let in."""
        self._ending = True
        for connection in self._idle:
            connection.abort()
        if self._tasks:
            await asyncio.wait([task for task in self._tasks if task], timeout=_FAREWELL)
        for connection in self._tasks.values():
            connection.abort()

    async def _serve(self, connection: Connection) -> None:
        if self._ending:
            connection.abort()
            return
        self._make_room()
        task = asyncio.current_task()
        self._tasks[task] = connection
        self._routes.connections = len(self._tasks)
        try:
            await self._converse(connection)
        except (OSError, TimeoutError) as error:  # gone, or does not take its answer
            _log.info("a client is gone: %s", error or type(error).__name__)
            connection.abort()
        finally:
            connection.close()
            del self._tasks[task]
            self._routes.connections = len(self._tasks)

    async def _converse(self, connection: Connection) -> None:
        while True:
            self._idle[connection] = None
            try:
                request = await connection.request()
            except BadRequest as error:
                await connection.respond(error.response)
                return
            finally:
                del self._idle[connection]
            if request is None:
                return
            await connection.respond(await self._routes.answer(request, trusted=connection.trusted))
            if not connection.is_open():
                return

    def _make_room(self) -> None:
        if len(self._tasks) >= MOST and self._idle:
            next(iter(self._idle)).abort()


@contextlib.contextmanager
def _owned(path: Path) -> Iterator[socket.socket]:
    """A listening socket that only its owner can open, and that no other daemon has."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyServed("another daemon serves here", place=str(path)) from None
        path.unlink(missing_ok=True)  # left by one that was killed: its lock is free
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            before = os.umask(0o177)
            try:
                listener.bind(str(path))
            finally:
                os.umask(before)
            yield listener
            path.unlink(missing_ok=True)
    finally:
        os.close(lock)


def token_in(file: Path) -> str:
    """The token in a file, made where there is none, readable by its owner alone."""
    try:
        made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        token = file.read_text(encoding="ascii").strip()
        if len(token) < 32 or file.stat().st_mode & 0o077:
            raise SupervisorError(
                "the token is too short, or others may read it; remove the file", place=str(file)
            ) from None
        return token
    token = secrets.token_urlsafe(32)
    with open(made, "w", encoding="ascii") as opened:
        opened.write(token + "\n")
    return token
