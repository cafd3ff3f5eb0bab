"""The daemon's process: its sockets, connections and signals."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import secrets
import signal
import socket
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from supervisor.engine.remote.transport import MOST_TOKEN
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import SupervisorError
from supervisor.intake.files import check_folder, check_own, open_file
from supervisor.service.engines import Engines
from supervisor.service.http import BadRequest, Connection
from supervisor.service.routes import Routes

_log = logging.getLogger(__name__)
MOST = 128  # connections at once
_GRACE = 1.0  # seconds that a client may be silent while others wait for a connection
_PAUSE = 0.01  # seconds
_FAREWELL = 5.0  # seconds for running decisions at the end


class AlreadyServed(SupervisorError):
    """Another daemon serves on this socket."""

    code = "already_served"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the daemon listens: a Unix socket, and optionally a port on the loopback interface (0: any). `token` is the
    file with the token, which clients of the port and answers of people need."""

    socket: Path
    port: int | None
    token: Path


async def serve(open_engine: Callable[[], Supervisor], places: Places) -> None:
    """Serves until SIGTERM or SIGINT; SIGHUP reloads. Raises AlreadyServed, OSError, and what `open_engine` raises."""
    token = token_in(places.token) if places.port is not None else _token_if_any(places.token)
    with _claimed(places.socket), contextlib.closing(await asyncio.to_thread(Engines, open_engine)) as engines:
        await _serve(engines, places, _Daemon(Routes(engines, token)))


async def _serve(engines: Engines, places: Places, daemon: _Daemon) -> None:
    with _at_path(places.socket) as ours, _on_port(places.port) as theirs:
        listening = [asyncio.create_task(daemon.listen(ours, trusted=True))]
        if theirs is not None:
            listening.append(asyncio.create_task(daemon.listen(theirs, trusted=False)))
        await _until_stopped(engines)
        for task in listening:
            task.cancel()
    await daemon.finish()


async def _until_stopped(engines: Engines) -> None:
    """Waits for the signal to end, and reloads on SIGHUP. Signals during a reload cause one more reload."""
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
    """Serves connections, each in its own task. Beyond MOST, clients wait in the kernel's queue."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._open: dict[asyncio.Task[None], Connection] = {}
        self._idle: dict[Connection, float] = {}  # those that wait for their client, with the start; oldest first

    async def listen(self, listener: socket.socket, *, trusted: bool) -> None:
        """Accepts connections until it is cancelled."""
        loop = asyncio.get_running_loop()
        _log.warning("listening on %s", listener.getsockname())
        while True:
            await self._room()
            try:
                accepted, _ = await loop.sock_accept(listener)
            except OSError as error:  # the client has closed, or no file descriptor is left
                _log.error("cannot accept: %s", error)
                await asyncio.sleep(_PAUSE)
                continue
            connection = await Connection.of(accepted, trusted=trusted)
            task = asyncio.create_task(self._serve(connection))
            self._open[task] = connection
            self._routes.connections = len(self._open)
            task.add_done_callback(self._ended)

    async def finish(self) -> None:
        """Closes idle connections, and waits for running decisions."""
        for connection in self._idle:
            connection.abort()
        if self._open:
            await asyncio.wait(self._open, timeout=_FAREWELL)
        for connection in self._open.values():
            connection.abort()

    async def _room(self) -> None:
        """Waits until there is room for a connection. Closes connections whose client has been silent for a while."""
        while len(self._open) >= MOST:
            longest, since = next(iter(self._idle.items()), (None, 0.0))
            if longest is not None and time.monotonic() - since > _GRACE:
                longest.abort()
            await asyncio.sleep(_PAUSE)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._open.pop(task).close()
        self._routes.connections = len(self._open)

    async def _serve(self, connection: Connection) -> None:
        try:
            await self._converse(connection)
        except (OSError, TimeoutError) as error:  # the client has closed, or does not receive its answer
            _log.info("a client has closed its connection: %s", error or type(error).__name__)
            connection.abort()

    async def _converse(self, connection: Connection) -> None:
        while True:
            self._idle[connection] = time.monotonic()
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
            await asyncio.sleep(0)  # other clients' turn, even if this one has sent many requests at once


@contextlib.contextmanager
def _claimed(path: Path) -> Iterator[None]:
    """Holds the lock of a socket, so that no other daemon takes it while the engine opens. Raises AlreadyServed;
    OSError if the folder or the lock may belong to another user."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    check_folder(path.parent)
    lock = open_file(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, own=True)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyServed("another daemon serves here", place=str(path)) from None
        os.ftruncate(lock, 0)  # it is ours by now
        os.write(lock, str(os.getpid()).encode())
        yield
    finally:
        os.close(lock)


@contextlib.contextmanager
def _at_path(path: Path) -> Iterator[socket.socket]:
    """A listening socket that only its owner can open. Replaces the socket of a killed daemon. Raises OSError if
    another kind of file is there."""
    if os.path.lexists(path):
        check_own(os.lstat(path), str(path), stat.S_IFSOCK)
        path.unlink()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        before = os.umask(0o177)
        try:
            listener.bind(str(path))
        finally:
            os.umask(before)
        listener.listen(MOST)
        listener.setblocking(False)
        yield listener
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def _on_port(port: int | None) -> Iterator[socket.socket | None]:
    if port is None:
        yield None
        return
    with socket.create_server(("127.0.0.1", port), backlog=MOST) as listener:
        listener.setblocking(False)
        yield listener


def _token_if_any(file: Path) -> str | None:
    """The token, or None. Without one, the daemon decides, but takes no answers of people."""
    try:
        return token_in(file)
    except (OSError, SupervisorError) as error:
        _log.warning("approvals are refused, because there is no token: %s", error)
        return None


def token_in(file: Path) -> str:
    """The token in a file. If there is none, creates it, readable only by its owner."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        made = open_file(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, own=True)
    except FileExistsError:
        return _token_of(file)
    token = secrets.token_urlsafe(32)
    with open(made, "w", encoding="ascii") as opened:
        opened.write(token + "\n")
    return token


def _token_of(file: Path) -> str:
    opened = open_file(file, os.O_RDONLY, own=True)
    try:
        mode, content = os.fstat(opened).st_mode, os.read(opened, MOST_TOKEN)
    finally:
        os.close(opened)
    token = content.decode("ascii", "replace").strip()
    if len(token) < 32 or not token.isascii() or mode & 0o077:
        raise SupervisorError("the token is too short, or other users may read it; remove the file", place=str(file))
    return token
