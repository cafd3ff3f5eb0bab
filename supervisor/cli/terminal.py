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
from typing import Any

from supervisor.cli.output import printable
from supervisor.errors import MayNotAnswer

_LONGEST = 1024  # bytes of what is typed
_ESCAPE, _END = "\x1b", "\x04"
_NONE = "only a person at a terminal can answer here, and this process has no terminal"
TO_DAEMON = "; a program sends the daemon's token with POST /v1/approvals"


def confirm(shown: str, question: str, accepted: Iterable[str], otherwise: str = "") -> None:
    """Shows a text and a question on the controlling terminal. Raises MayNotAnswer unless the answer is `accepted`;
    `otherwise` says what to do without a terminal."""
    terminal = _opened(otherwise)
    try:
        typed = _asked(terminal, f"{printable(shown, keep=chr(10))}\n{question} ")
    finally:
        os.close(terminal)
    if typed.strip().lower() not in {each.lower() for each in accepted}:
        raise MayNotAnswer("nothing was answered", code="not_confirmed")


class Keys:
    """The controlling terminal, on which a person reads a text and presses single keys. Used with `with`."""

    def __init__(self) -> None:
        """Raises MayNotAnswer if there is none."""
        self._terminal = _opened()
        self._usual = termios.tcgetattr(self._terminal)
        by_key = self._usual[3] & ~(termios.ICANON | termios.ECHO)  # signals still work
        self._by_key = [*self._usual[:3], by_key, *self._usual[4:]]

    def __enter__(self) -> Keys:
        self._set(self._by_key)
        return self

    def __exit__(self, *_: object) -> None:
        self._set(self._usual)
        os.close(self._terminal)

    @property
    def columns(self) -> int:
        """The width of the screen; 80 if it does not tell."""
        return os.get_terminal_size(self._terminal).columns or 80

    def show(self, text: str) -> None:
        """Writes a text, without control characters."""
        _write(self._terminal, printable(text, keep="\n"))

    def forget(self) -> None:
        """Drops the keys that were pressed until now: they were no answer to what is shown next."""
        _must_be_in_front(self._terminal)
        termios.tcflush(self._terminal, termios.TCIFLUSH)

    def key(self) -> str:
        """The next key; "" at the end of input. Of a key with several characters, such as an arrow, the first."""
        pressed = os.read(self._terminal, 1).decode("ascii", "replace")
        if pressed == _ESCAPE:
            termios.tcflush(self._terminal, termios.TCIFLUSH)
        return "" if pressed == _END else pressed

    def line(self, question: str) -> str:
        """What is typed after a question, without the spaces around it."""
        self._set(self._usual)
        try:
            return _asked(self._terminal, f"{question} ").strip()
        finally:
            self._set(self._by_key)

    def _set(self, attributes: list[Any]) -> None:
        termios.tcsetattr(self._terminal, termios.TCSADRAIN, attributes)


def _opened(otherwise: str = "") -> int:
    try:
        return os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        if error.errno not in (errno.ENXIO, errno.ENOENT, errno.EACCES, errno.ENODEV, errno.EIO):
            raise
        raise MayNotAnswer(_NONE + otherwise, code="no_terminal") from None


def _must_be_in_front(terminal: int) -> None:
    if os.tcgetpgrp(terminal) != os.getpgrp():
        raise MayNotAnswer("this process runs in the background of its terminal", code="no_terminal")


def _write(terminal: int, text: str) -> None:
    rest = text.encode("utf-8", "replace")
    while rest:
        rest = rest[os.write(terminal, rest) :]


def _asked(terminal: int, text: str) -> str:
    _must_be_in_front(terminal)
    termios.tcflush(terminal, termios.TCIFLUSH)  # text typed before the question is no answer to it
    _write(terminal, text)
    typed = b""
    while not typed.endswith(b"\n") and len(typed) < _LONGEST and (more := os.read(terminal, _LONGEST)):
        typed += more
    return typed.decode("utf-8", "replace")
