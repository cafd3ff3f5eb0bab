"""Ends a daemon by the lock of its socket: the kernel proves that its holder lives, and the file has its process id."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from pathlib import Path

from supervisor.errors import BadInput, NoDaemon
from supervisor.intake.files import open_file

PATIENCE = 60.0  # seconds: running decisions, workers, and the seal of the records
_PAUSE = 0.05
_MOST = 32  # bytes of a process id


def holder(socket: Path) -> int | None:
    """The process id of the daemon that serves at a socket; None if there is none. Raises BadInput if
    another program holds the lock; OSError if it belongs to another user or is no file."""
    try:
        lock = open_file(f"{socket}.lock", os.O_RDONLY, own=True)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        told = os.read(lock, _MOST).decode("ascii", "replace").strip()
        if not told.isdecimal() or int(told) < 2:
            raise BadInput("is held, but by no daemon", place=f"{socket}.lock") from None
        return int(told)
    finally:
        os.close(lock)
    return None


def end(socket: Path, patience: float = PATIENCE) -> int | None:
    """Ends the daemon at a socket, and waits until it has ended; its process id, None if there was none. Raises
    NoDaemon if it cannot be ended, or does not end in time; BadInput and OSError like `holder`."""
    pid, started = holder(socket), time.monotonic()
    if pid is None:
        return None
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:  # it has just ended
        return None
    except OSError as error:
        raise NoDaemon(f"process {pid} cannot be ended: {error.strerror}", place=str(socket)) from None
    while holder(socket) == pid:
        if time.monotonic() - started > patience:
            raise NoDaemon(f"process {pid} has not ended after {patience:.0f} seconds", place=str(socket))
        time.sleep(_PAUSE)
    return pid
