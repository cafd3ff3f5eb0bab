"""A person at a terminal: a command in a pseudo-terminal that controls it, what it shows, and keys that are pressed."""

from __future__ import annotations

import errno
import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_PATIENCE = 20.0  # seconds without anything new on the screen
_CONTROLLED = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
SUPERVISOR = str(Path(sys.executable).parent / "supervisor")


class Terminal:
    """What stands on its screen, and what may be typed."""

    def __init__(self, screen: int, process: subprocess.Popen[bytes]) -> None:
        self._screen, self._process = screen, process
        self.shown = ""

    def wait_for(self, text: str) -> None:
        while text not in self.shown:
            assert self._reads(), self.shown

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())

    def ends(self) -> int:
        """The exit code, once everything that it has shown is read."""
        while self._reads():
            pass
        return self._process.wait(_PATIENCE)

    def _reads(self) -> bool:
        if not select.select([self._screen], [], [], _PATIENCE)[0]:
            return False
        try:
            more = os.read(self._screen, 65536)
        except OSError as error:
            if error.errno != errno.EIO:  # the last process of the terminal has ended
                raise
            return False
        self.shown += more.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(more)


@contextmanager
def terminal(*command: str | Path, cwd: Path | None = None, env: Mapping[str, str] = {}) -> Iterator[Terminal]:
    """The command, in a session of its own that this terminal controls."""
    screen, line = pty.openpty()
    words = [sys.executable, "-I", "-c", _CONTROLLED, *map(str, command)]
    streams = {"stdin": line, "stdout": line, "stderr": line}
    process = subprocess.Popen(words, cwd=cwd, env=os.environ | dict(env), **streams)  # type: ignore[call-overload]
    os.close(line)
    try:
        yield Terminal(screen, process)
    finally:
        process.kill()
        process.wait()
        os.close(screen)
