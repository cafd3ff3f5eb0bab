"""Confirmation by a person at a terminal, which a process that an agent has started does not have.

The question appears on the controlling terminal of this process (`/dev/tty`), whatever its standard input and output
are. The answer is what is typed there afterwards; no option replaces it. A program that opens its own terminal
(`script`, `expect`, a pty) can type there too: against a process of the same user this is a hurdle, not a barrier.
"""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Iterable

from supervisor.cli.output import printable
from supervisor.errors import MayNotAnswer

_LONGEST = 1024  # bytes of what is typed
_NONE = "only a person at a terminal can answer here, and this process has no terminal"
TO_DAEMON = "; a program sends the daemon's token with POST /v1/approvals"


def confirm(shown: str, question: str, accepted: Iterable[str], otherwise: str = "") -> None:
    """Shows a text and a question on the controlling terminal. Raises MayNotAnswer unless the answer is `accepted`;
    `otherwise` says what to do without a terminal."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        if error.errno not in (errno.ENXIO, errno.ENOENT, errno.EACCES, errno.ENODEV, errno.EIO):
            raise
        raise MayNotAnswer(_NONE + otherwise, code="no_terminal") from None
    try:
        typed = _asked(terminal, f"{printable(shown, keep=chr(10))}\n{question} ")
    finally:
        os.close(terminal)
    if typed.strip().lower() not in {each.lower() for each in accepted}:
        raise MayNotAnswer("nothing was answered", code="not_confirmed")


def _asked(terminal: int, text: str) -> str:
    if os.tcgetpgrp(terminal) != os.getpgrp():
        raise MayNotAnswer("this process runs in the background of its terminal", code="no_terminal")
    termios.tcflush(terminal, termios.TCIFLUSH)  # text typed before the question is no answer to it
    rest = text.encode("utf-8", "replace")
    while rest:
        rest = rest[os.write(terminal, rest) :]
    typed = b""
    while not typed.endswith(b"\n") and len(typed) < _LONGEST and (more := os.read(terminal, _LONGEST)):
        typed += more
    return typed.decode("utf-8", "replace")
