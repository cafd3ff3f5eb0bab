r"""Patterns that hostile texts cannot make slow.

RE2 takes linear time for any pattern (Cox, "Regular Expression Matching Can Be Simple And Fast", 2007) and accepts
nearly every expression. Look-around and back-references, which it lacks, go to the backtracking `regex` engine with a
time-out. `\w`, `\d` and `\b` mean ASCII. In RE2, `$` is only the very end of the text, after a final line break.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import re2

from supervisor.errors import CutOff, Unreadable

MAX_TEXT = 1_000_000  # characters
TIMEOUT = 0.02  # seconds of one search with the backtracking engine


class Match(Protocol):
    """A match: `match[0]` is the whole match, `match[1]` the first group."""

    def __getitem__(self, group: int | str, /) -> str: ...
    def start(self) -> int: ...
    def end(self) -> int: ...


class Pattern:
    """A compiled pattern. Every search raises Unreadable for a text of more than MAX_TEXT characters, and CutOff (an
    Unreadable) if the backtracking engine takes longer than TIMEOUT."""

    __slots__ = ("_compiled", "_limits", "expression")

    def __init__(self, expression: str) -> None:
        """Raises ValueError if neither engine accepts the expression."""
        self.expression = expression
        self._compiled, self._limits = _compile(expression)

    @property
    def is_linear(self) -> bool:
        """Whether matching takes time linear in the length of the text."""
        return not self._limits

    def search(self, text: str) -> Match | None:
        """The first match."""
        match: Match | None = self._run(self._compiled.search, text)
        return match

    def fullmatch(self, text: str) -> Match | None:
        """The match of the whole text, if the pattern matches all of it."""
        match: Match | None = self._run(self._compiled.fullmatch, text)
        return match

    def finditer(self, text: str) -> Iterator[Match]:
        """All matches from left to right, without overlaps."""
        return iter(self._run(lambda checked, **limits: list(self._compiled.finditer(checked, **limits)), text))

    def _run(self, engine: Any, text: str) -> Any:
        if len(text) > MAX_TEXT:
            raise Unreadable(f"{len(text):,} characters are more than the {MAX_TEXT:,} that a pattern is given")
        try:
            return engine(text, **self._limits)
        except TimeoutError:
            raise CutOff(f"a pattern was not matched within {TIMEOUT * 1000:g} ms") from None


def _compile(expression: str) -> tuple[Any, dict[str, float]]:
    """The engine's compiled pattern, and the keyword arguments that limit its searches."""
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
        raise ValueError(f"neither RE2 nor regex accepts {expression!r}: {error}") from None
