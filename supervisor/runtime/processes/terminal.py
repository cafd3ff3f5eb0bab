"""A terminal of a worker's own (a PTY), for programs that ask at one."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios

_ROWS, _COLUMNS = 50, 160


def opened() -> tuple[int, int]:
    """This side of a new terminal, and the worker's. Raises OSError."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    settings = termios.tcgetattr(theirs)
    settings[1] &= ~termios.OPOST  # a line ends as the program has written it
    termios.tcsetattr(theirs, termios.TCSANOW, settings)
    return ours, theirs


def hides(side: int) -> bool:
    """Whether what is typed is not shown while whole lines are read, as programs do that ask for a password."""
    modes = termios.tcgetattr(side)[3]
    return bool(modes & termios.ICANON) and not modes & termios.ECHO


def put(side: int, line: str) -> None:
    """Types a line. Raises OSError if nobody is left to read it."""
    rest = line.encode() + b"\n"
    while rest:
        rest = rest[os.write(side, rest) :]
