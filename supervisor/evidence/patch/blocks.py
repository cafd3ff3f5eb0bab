"""Search-and-replace blocks of Aider, Cline and Roo Code: the old text, a rule, the new text.

An argument of its own names the file, or the line above the block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from supervisor.evidence.patch.change import Change, FileOperation

_START = re.compile(r"(?:<{5,}|-{5,}) ?SEARCH>?\s*")
_RULE = re.compile(r"={5,}\s*")
_END = re.compile(r"(?:>{5,}|\+{5,}) ?REPLACE>?\s*")
_PLACE = re.compile(r":(?:start|end)_line: ?\d+\s*|-{5,}\s*")
_NAME = re.compile(r"[^\s`<>=*#][^`<>=*\n]{0,400}")


def changes(lines: Sequence[str], path: str) -> Iterator[Change]:
    """The edits of the blocks."""
    at = 0
    while at < len(lines):
        if not _START.fullmatch(lines[at]):
            at += 1
            continue
        name = path or _name_above(lines, at)
        rule = _next(lines, at + 1, _RULE)
        end = _next(lines, rule + 1, _END)
        removed = [line for line in lines[at + 1 : rule] if not _PLACE.fullmatch(line)]
        if name:
            yield Change(name, FileOperation.EDIT, tuple(lines[rule + 1 : end]), tuple(removed))
        at = end + 1


def _next(lines: Sequence[str], at: int, mark: re.Pattern[str]) -> int:
    return next((number for number in range(at, len(lines)) if mark.fullmatch(lines[number])), len(lines))


def _name_above(lines: Sequence[str], at: int) -> str:
    """The last line above a block that is neither empty nor a fence."""
    for line in reversed(lines[max(0, at - 3) : at]):
        if line.strip() and not line.startswith("```"):
            return line.strip() if _NAME.fullmatch(line.strip()) else ""
    return ""
