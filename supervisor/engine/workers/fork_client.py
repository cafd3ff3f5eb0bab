"""The host's side of the fork server."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import orjson

from supervisor.engine.workers.shared_memory import SIZE, SharedMemory

_FAREWELL = 5.0  # seconds for the fork server to end its workers


class Forks:
    """Workers forked from a fork server; an `Origin`."""

    def __init__(self, settings: dict[str, Any]) -> None:
        """Starts the fork server, which imports the same modules as this process. Raises OSError."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setblocking(False)  # if the fork server does not read, another one is started
        settings_file = _memory_file("supervisor-settings", orjson.dumps({**settings, "host": os.getpid()}))
        try:
            command = [*interpreter(), "-m", "supervisor.engine.workers.fork_server", str(settings_file)]
            self._process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                pass_fds=[settings_file],
                env=import_environment(),
                start_new_session=True,  # a keyboard interrupt goes to the host alone
            )
        except OSError:
            self._control.close()
            raise
        finally:
            theirs.close()
            os.close(settings_file)

    def start_worker(self, number: int, needs: Sequence[str] | None) -> tuple[SharedMemory, socket.socket]:
        ours, theirs = socket.socketpair()
        memory = os.memfd_create("supervisor-memory", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(memory, SIZE)
            fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)  # else a read could crash
            shared = SharedMemory(memory)
            socket.send_fds(self._control, [orjson.dumps({"fork": number, "needs": needs})], [theirs.fileno(), memory])
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
            os.close(memory)
        return shared, ours

    def alarm(self, number: int) -> None:
        self._order({"alarm": number})

    def kill(self, number: int) -> None:
        self._order({"kill": number})

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._control.close()
        try:
            self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def abandon(self) -> None:
        self._control.close()

    def _order(self, order: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # if the fork server has ended, so have its workers
            self._control.send(orjson.dumps(order))


def interpreter() -> list[str]:
    """The command of the Python to run, with this one's options against foreign modules. Raises OSError if this Python
    is embedded, since `sys.executable` is empty then."""
    if not sys.executable:
        raise OSError("sys.executable does not say which Python to run")
    flags = {"-s": sys.flags.no_user_site, "-S": sys.flags.no_site}
    return [sys.executable, "-P", *(option for option, is_set in flags.items() if is_set)]


def import_environment() -> dict[str, str]:
    """The environment in which another interpreter finds the modules that this one finds."""
    absolute = [path for path in sys.path if os.path.isabs(path)]
    ignored = "PYTHON" if sys.flags.ignore_environment else "PYTHONPATH"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ignored)}
    return {**inherited, "PYTHONPATH": os.pathsep.join(absolute)}


def _memory_file(name: str, content: bytes) -> int:
    file = os.memfd_create(name)
    with open(file, "wb", closefd=False) as stream:
        stream.write(content)
    os.lseek(file, 0, os.SEEK_SET)
    return file
