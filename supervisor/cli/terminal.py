"""A person at a terminal: what a process that an agent has started has not got.

The question is put on the terminal that controls this process (`/dev/tty`), whatever its standard input and output
are, and the answer is what is typed there after it was put. No option stands in for it. Who can open a terminal of its
own (`script`, `expect`, a pty) can type there, too: against a process of the same user this is a hurdle, and no wall.
"""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Iterable

from supervisor.cli.output import printable
from supervisor.errors import MayNotAnswer

_LONGEST = 1024  # bytes of what is typed
_NONE = (
    "only a person at a terminal answers here, and this process has none; a program sends the daemon's token with"
    " POST /v1/approvals"
)


def confirm(shown: str, question: str, accepted: Iterable[str]) -> None:
    """Shows a text and puts a question on the controlling terminal. MayNotAnswer unless what is typed is `accepted`."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        if error.errno not in (errno.ENXIO, errno.ENOENT, errno.EACCES, errno.ENODEV, errno.EIO):
            raise
        raise MayNotAnswer(_NONE, code="no_terminal") from None
    try:
        typed = _asked(terminal, f"{printable(shown, keep=chr(10))}\n{question} ")
    finally:
        os.close(terminal)
    if typed.strip().lower() not in {each.lower() for each in accepted}:
        raise MayNotAnswer("nothing was answered", code="not_confirmed")


def _asked(terminal: int, text: str) -> str:
    if os.tcgetpgrp(terminal) != os.getpgrp():
        raise MayNotAnswer("this process runs in the background of its terminal", code="no_terminal")
    termios.tcflush(terminal, termios.TCIFLUSH)  # what was typed before the question was put is no answer to it
    rest = text.encode("utf-8", "replace")
    while rest:
        rest = rest[os.write(terminal, rest) :]
    typed = b""
    while not typed.endswith(b"\n") and len(typed) < _LONGEST and (more := os.read(terminal, _LONGEST)):
        typed += more
    return typed.decode("utf-8", "replace")
