"""The daemon's process: its sockets, connections and signals."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from supervisor.service.engines import Engines, Open
from supervisor.service.http import BadRequest, Connection
from supervisor.service.places import MOST, Places, at_path, claimed, on_port, token_if_any, token_in
from supervisor.service.policies import Choice
from supervisor.service.routes import Routes
from supervisor.service.sessions import Sessions
from supervisor.service.status import Process
from supervisor.service.succession import Estate, Upgrade, bequeath, inherited, installed_version
from supervisor.service.watching import EVERY

_log = logging.getLogger(__name__)
_GRACE = 1.0  # seconds that a client may be silent while others wait for a connection
_PAUSE = 0.01  # seconds
_HANDING_OVER = 10.0  # seconds for clients that are about to send, before the installed version goes on
_FAREWELL = 5.0  # seconds for running decisions at the end


@dataclass(frozen=True, slots=True)
class Start:
    """How a daemon is started: how to open an engine, the daemon's own policy, the command that starts it again, and
    what its predecessor in this process has left."""

    open_engine: Open
    policy: Path | None
    command: tuple[str, ...]
    left: Estate | None = None


async def serve(start: Start, places: Places) -> Estate | None:
    """Serves until SIGTERM or SIGINT; SIGHUP reloads. Returns what is left to the installed version if that is to go on
    in this process, else None. Raises AlreadyServed, OSError, BadInput, and what `open_engine` raises."""
    token = token_in(places.token) if places.port is not None else token_if_any(places.token)
    choice = Choice(start.policy, places.socket)
    with claimed(places.socket, start.left) as lock:
        engines = await asyncio.to_thread(Engines, start.open_engine, lambda: choice.own)
        with contextlib.closing(engines):
            process = Process(str(places.socket), places.port)
            routes = Routes(engines, choice, process, token, _sessions(start.left))
            return await _serve(engines, places, _Daemon(routes), start, process, lock)


async def _serve(
    engines: Engines, places: Places, daemon: _Daemon, start: Start, process: Process, lock: int
) -> Estate | None:
    ours, theirs = at_path(places.socket, start.left), on_port(places.port, start.left)
    left = None
    try:
        listening = [asyncio.create_task(daemon.listen(ours, trusted=True))]
        if theirs is not None:
            listening.append(asyncio.create_task(daemon.listen(theirs, trusted=False)))
        stopping = asyncio.Event()
        is_succeeded = await _until_ended(engines, process, start.command, stopping)
        for task in listening:
            task.cancel()
        await daemon.finish(_HANDING_OVER if is_succeeded else 0.0)
        if is_succeeded and not stopping.is_set():
            left = _estate(lock, ours, theirs, await asyncio.to_thread(daemon.routes.sessions.to_json), places)
        return left
    finally:
        if left is None:
            places.socket.unlink(missing_ok=True)
        ours.close()
        if theirs is not None:
            theirs.close()


def _estate(lock: int, ours: socket.socket, theirs: socket.socket | None, sessions: bytes, places: Places) -> Estate:
    """Copies of the descriptors, which outlive these: the lock stays held, and the sockets go on listening."""
    port = None if theirs is None else os.dup(theirs.fileno())
    return Estate(os.dup(lock), os.dup(ours.fileno()), port, *bequeath(sessions, places.socket.parent))


def _sessions(left: Estate | None) -> Sessions:
    """The predecessor's sessions. If they cannot be read, agents begin new ones, as after any start."""
    if left is None:
        return Sessions()
    try:
        return Sessions.of_json(inherited(left))
    except (OSError, ValueError) as error:
        _log.error("the sessions of the earlier version are lost: %s", error)
        return Sessions()


async def _until_ended(engines: Engines, process: Process, command: tuple[str, ...], stopping: asyncio.Event) -> bool:
    """Waits for the signal to end, which sets `stopping`, follows edits, and reloads on SIGHUP. Signals during a reload
    cause one more reload. Returns whether the installed version is to go on instead."""
    loop, hup = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    # Not a handler of the loop: the end of the loop would set the default, which ends the process before its successor.
    signal.signal(signal.SIGHUP, lambda *_: loop.call_soon_threadsafe(hup.set))

    async def reloading() -> None:
        while True:
            await hup.wait()
            hup.clear()
            await engines.reload()

    async def following() -> None:
        upgrade = Upgrade()
        while not await upgrade.is_ready(command):
            process.upgrade = upgrade.problem
            await asyncio.sleep(EVERY)
            await engines.follow()

    upgraded = asyncio.create_task(following())
    tasks = [upgraded, asyncio.create_task(reloading()), asyncio.create_task(stopping.wait())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    for task in tasks:
        task.cancel()
    for task in done:
        task.result()  # an error in following ends the daemon: the next hook starts one that follows
    if upgraded in done:
        _log.warning("version %s is installed, and goes on in this process", installed_version())
    return upgraded in done


class _Daemon:
    """Serves connections, each in its own task. Beyond MOST, clients wait in the kernel's queue."""

    def __init__(self, routes: Routes) -> None:
        self.routes = routes
        self._open: dict[asyncio.Task[None], Connection | None] = {}
        self._idle: dict[Connection, float] = {}  # those that wait for their client, with the start; oldest first
        self._is_ending = False

    async def listen(self, listener: socket.socket, *, trusted: bool) -> None:
        """Accepts connections until it is cancelled. What was accepted is served in any case."""
        _log.warning("listening on %s", listener.getsockname())
        while True:
            await self._room()
            await _readable(listener)
            try:
                accepted, _ = listener.accept()
            except BlockingIOError:  # the client has closed
                continue
            except OSError as error:  # no file descriptor is left
                _log.error("cannot accept: %s", error)
                await asyncio.sleep(_PAUSE)
                continue
            task = asyncio.create_task(self._serve(accepted, trusted=trusted))
            self._open[task] = None
            self.routes.connections = len(self._open)
            task.add_done_callback(self._ended)

    async def finish(self, patience: float) -> None:
        """Closes idle connections, and waits for running decisions. With `patience` in seconds, it first waits for
        those whose client may be about to send."""
        self._is_ending = True
        self.routes.ending.set()
        for _ in range(int(patience / _PAUSE)):
            if not self._is_busy():
                break
            await asyncio.sleep(_PAUSE)
        for connection in self._idle:
            connection.abort()
        if self._open:
            await asyncio.wait(self._open, timeout=_FAREWELL)
        for connection in filter(None, self._open.values()):
            connection.abort()

    def _is_busy(self) -> bool:
        waits = [
            connection.is_receiving or time.monotonic() - since < _GRACE for connection, since in self._idle.items()
        ]
        return len(self._open) > len(self._idle) or any(waits)

    async def _room(self) -> None:
        """Waits until there is room for a connection. Closes connections whose client has been silent for a while."""
        while len(self._open) >= MOST:
            longest, since = next(iter(self._idle.items()), (None, 0.0))
            if longest is not None and time.monotonic() - since > _GRACE:
                longest.abort()
            await asyncio.sleep(_PAUSE)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if (connection := self._open.pop(task)) is not None:
            connection.close()
        self.routes.connections = len(self._open)

    async def _serve(self, accepted: socket.socket, *, trusted: bool) -> None:
        connection = await Connection.of(accepted, trusted=trusted)
        if (task := asyncio.current_task()) is not None:
            self._open[task] = connection
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
            await connection.respond(await self.routes.answer(request, trusted=connection.trusted))
            if self._is_ending or not connection.is_open():
                return
            await asyncio.sleep(0)  # other clients' turn, even if this one has sent many requests at once


async def _readable(listener: socket.socket) -> None:
    """Waits for a client. Being cancelled, it loses none: nothing is accepted here."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(listener, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(listener)
