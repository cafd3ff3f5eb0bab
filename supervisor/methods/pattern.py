r"""Patterns that a hostile text cannot slow down.

RE2 reads a text once, whatever the pattern (Cox, "Regular Expression Matching Can Be Simple And Fast", 2007), and takes
nearly everything. What it cannot say, look-around and back-references, goes to the backtracking `regex` engine under a
time-out. `\w`, `\d` and `\b` mean ASCII, and in RE2 `$` is the end of the text, also where that is a line break.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import re2

from supervisor.errors import CutOff, Unreadable

MAX_TEXT = 1_000_000  # characters
TIMEOUT = 0.02  # seconds of one search, where the engine backtracks


class Match(Protocol):
    """What was found: `match[0]` is all of it, `match[1]` the first group."""

    def __getitem__(self, group: int | str, /) -> str: ...
    def start(self) -> int: ...
    def end(self) -> int: ...


class Pattern:
    """A compiled pattern. Every search raises Unreadable for a text of more than MAX_TEXT characters, and where the
    engine that backtracks takes longer than TIMEOUT."""

    __slots__ = ("_compiled", "_limits", "expression")

    def __init__(self, expression: str) -> None:
        """Raises ValueError where neither engine takes the expression."""
        self.expression = expression
        self._compiled, self._limits = _compile(expression)

    @property
    def is_linear(self) -> bool:
        """Whether the time is bounded by the length of the text alone."""
        return not self._limits

    def search(self, text: str) -> Match | None:
        """The first occurrence."""
        found: Match | None = self._run(self._compiled.search, text)
        return found

    def fullmatch(self, text: str) -> Match | None:
        """The text itself, if the pattern describes all of it."""
        found: Match | None = self._run(self._compiled.fullmatch, text)
        return found

    def finditer(self, text: str) -> Iterator[Match]:
        """Every occurrence, from left to right, none overlapping another."""
        return iter(self._run(lambda checked, **limits: list(self._compiled.finditer(checked, **limits)), text))

    def _run(self, engine: Any, text: str) -> Any:
        if len(text) > MAX_TEXT:
            raise Unreadable(f"{len(text):,} characters are more than the {MAX_TEXT:,} that a pattern is given")
        try:
            return engine(text, **self._limits)
        except TimeoutError:
            raise CutOff(f"a pattern was not matched within {TIMEOUT * 1000:g} ms") from None


def _compile(expression: str) -> tuple[Any, dict[str, float]]:
    """The engine's own pattern, and the limits that its searches take."""
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(expression, options), {}
    except re2.error:
        return _backtracking(expression), {"timeout": TIMEOUT}


def _backtracking(expression: str) -> Any:
    import regex

    try:
        return regex.compile(expression, flags=regex.VERSION0 | regex.ASCII)
    except regex.error as error:
        raise ValueError(f"neither RE2 nor regex takes {expression!r}: {error}") from None
