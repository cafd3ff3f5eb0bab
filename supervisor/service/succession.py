"""The restart of the daemon into a version that was installed meanwhile.

The process stays the same (exec), and so do its listening sockets and its lock: clients wait in the kernel's queue for
a moment, and none is refused. Before that, a rehearsal in a process of its own shows that the new version starts, since
there is no way back. Sessions are handed over in a file without a name, as JSON with a digest.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import re
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from supervisor import version
from supervisor.errors import BadInput
from supervisor.intake.files import read_file
from supervisor.service.watching import stamp_of

_log = logging.getLogger(__name__)
_FILE = version.__file__
_VERSION = re.compile(rb'^VERSION = "([^"\n]{1,64})"', re.MULTILINE)
_MOST = 64 * 1024  # bytes of that file
_SETTLED = 2.0  # seconds without a further change: a package manager is still replacing files
_REHEARSAL = 120.0  # seconds
_AGAIN = 30.0  # seconds between two rehearsals of a version that does not start


@dataclass(frozen=True, slots=True)
class Estate:
    """What a daemon leaves to its successor: descriptors of the lock, the sockets, and the file with the sessions."""

    lock: int
    socket: int
    port: int | None
    sessions: int
    digest: str

    def to_text(self) -> str:
        """The value of `--succession`: an argument, since variables of the daemon come from an agent's hooks."""
        port = -1 if self.port is None else self.port
        return ",".join(map(str, (self.lock, self.socket, port, self.sessions, self.digest)))

    @classmethod
    def of_text(cls, text: str) -> Estate:
        """What the predecessor in this process has left. Raises BadInput if that is malformed."""
        try:
            lock, socket, port, sessions, digest = text.split(",")
            left = cls(int(lock), int(socket), int(port) if int(port) >= 0 else None, int(sessions), digest)
            for descriptor in left.descriptors:
                os.set_inheritable(descriptor, False)
        except (ValueError, OSError) as error:
            raise BadInput(f"only a daemon gives this to its successor: {error}", place="--succession") from None
        return left

    @property
    def descriptors(self) -> list[int]:
        """All of them."""
        return [each for each in (self.lock, self.socket, self.port, self.sessions) if each is not None]


class Upgrade:
    """Notices another version in the place from which this process was started."""

    def __init__(self) -> None:
        self._stamp, self._since, self._tried = stamp_of(_FILE), 0.0, 0.0
        self.problem = ""

    async def is_ready(self, command: Sequence[str]) -> bool:
        """Whether another version is installed, and starts. To be called again and again."""
        now, stamp = asyncio.get_running_loop().time(), stamp_of(_FILE)
        if stamp != self._stamp:
            self._stamp, self._since, self._tried = stamp, now, 0.0
        if not self._since or now - self._since < _SETTLED or (self._tried and now - self._tried < _AGAIN):
            return False
        found = installed_version()
        if found == version.VERSION:
            self._since, self.problem = 0.0, ""
            return False
        self._tried = now
        self._tell(await _rehearsal(command) if found else f"{_FILE} is gone; this daemon goes on without it")
        return not self.problem and stamp_of(_FILE) == self._stamp

    def _tell(self, problem: str) -> None:
        if problem and problem != self.problem:
            _log.error("no restart into the installed version: %s", problem)
        self.problem = problem


def installed_version() -> str:
    """The version that is installed where this process was started from; "" if there is none."""
    try:
        found = _VERSION.search(read_file(_FILE, _MOST))
    except OSError:
        return ""
    return found[1].decode("ascii", "replace") if found else ""


async def _rehearsal(command: Sequence[str]) -> str:
    """Opens the policies in the new version, as a daemon does at its start. Returns why that failed, or ""."""
    try:
        trial = await asyncio.create_subprocess_exec(
            *command,
            "--rehearse",
            cwd="/",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as error:
        return f"{command[0]} cannot be started: {error.strerror}"
    try:
        async with asyncio.timeout(_REHEARSAL):
            _, told = await trial.communicate()
    except TimeoutError:
        return f"it had not started after {_REHEARSAL:.0f} seconds"
    finally:
        if trial.returncode is None:
            trial.kill()
            await trial.wait()
    return "" if trial.returncode == 0 else _last_line(told) or f"it ended with {trial.returncode}"


def _last_line(told: bytes) -> str:
    lines = told.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:500] if lines else ""


def bequeath(content: bytes, folder: Path) -> tuple[int, str]:
    """A descriptor of a file without a name (mode 0600), open at its start, with this content; and its digest."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(content)
        file.flush()
        kept = os.dup(file.fileno())
    os.lseek(kept, 0, os.SEEK_SET)
    return kept, hashlib.sha256(content).hexdigest()


def inherited(left: Estate) -> bytes:
    """The content that the predecessor has left. Raises ValueError if it is not the one whose digest is known."""
    with os.fdopen(left.sessions, "rb") as file:
        content = file.read()
    if hashlib.sha256(content).hexdigest() != left.digest:
        raise ValueError("its digest is another one")
    return content


def succeed(command: Sequence[str], left: Estate) -> NoReturn:
    """Becomes the installed version. Raises OSError if it cannot be executed."""
    for descriptor in left.descriptors:
        os.set_inheritable(descriptor, True)
    sys.stdout.flush()
    sys.stderr.flush()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the successor inherits it, until it can reload
    os.execv(command[0], [*command, "--succession", left.to_text()])  # noqa: S606 - our own interpreter
