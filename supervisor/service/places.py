"""The places at which a daemon is reached: its socket, its port, the lock of the socket, and the token."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import secrets
import socket
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from supervisor.engine.remote.transport import MOST_TOKEN
from supervisor.errors import SupervisorError
from supervisor.intake.files import check_folder, check_own, open_file
from supervisor.service.succession import Estate

_log = logging.getLogger(__name__)
MOST = 128  # connections at once


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


@contextlib.contextmanager
def claimed(path: Path, left: Estate | None) -> Iterator[int]:
    """Holds the lock of a socket, so that no other daemon takes it while the engine opens. Raises AlreadyServed;
    OSError if the folder or the lock may belong to another user."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    check_folder(path.parent)
    file = path.with_name(path.name + ".lock")
    lock = open_file(file, os.O_RDWR | os.O_CREAT, own=True) if left is None else left.lock
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyServed("another daemon serves here", place=str(path)) from None
        os.ftruncate(lock, 0)  # it is ours by now
        os.pwrite(lock, str(os.getpid()).encode(), 0)
        yield lock
    finally:
        os.close(lock)


def at_path(path: Path, left: Estate | None) -> socket.socket:
    """A listening socket that only its owner can open. Replaces the socket of a killed daemon. Raises OSError if
    another kind of file is there."""
    if left is not None:
        listener = socket.socket(fileno=left.socket)
        listener.setblocking(False)
        return listener
    if os.path.lexists(path):
        check_own(os.lstat(path), str(path), stat.S_IFSOCK)
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    except BaseException:
        listener.close()
        raise
    finally:
        os.umask(before)
    listener.listen(MOST)
    listener.setblocking(False)
    return listener


def on_port(port: int | None, left: Estate | None) -> socket.socket | None:
    """A listening socket on the loopback interface; None without a port."""
    if port is None:
        return None
    inherited_one = left.port if left is not None else None
    if inherited_one is None:
        listener = socket.create_server(("127.0.0.1", port), backlog=MOST)
    else:
        listener = socket.socket(fileno=inherited_one)
    listener.setblocking(False)
    return listener


def token_if_any(file: Path) -> str | None:
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
