"""Arguments and blocks of any language with brackets, found by their brackets and quotes alone."""

from __future__ import annotations

import re
from typing import NamedTuple

_PIECES = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\\]*`|//[^\n]*|[(\[{]|[)\]}]|,")
_LONGEST = 4_000  # characters of one bracket


class Bracket(NamedTuple):
    """What stands in a bracket: its parts between commas, and the place after it."""

    parts: tuple[str, ...]
    end: int

    @property
    def text(self) -> str:
        return ",".join(self.parts)


def bracket(text: str, start: int) -> Bracket | None:
    """What stands in the bracket that opens at `start`; None if it does not close within 4,000 characters."""
    depth, since, parts = 0, start + 1, list[str]()
    limit = start + _LONGEST
    for piece in _PIECES.finditer(text, start, limit):
        mark = piece[0]
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
            if depth == 0:
                parts.append(text[since : piece.start()].strip())
                return Bracket(tuple(part for part in parts if part), piece.end())
        elif mark == "," and depth == 1:
            parts.append(text[since : piece.start()].strip())
            since = piece.end()
    return None


def line_from(text: str, start: int) -> str:
    """The rest of the line after a place."""
    end = text.find("\n", start)
    return text[start : len(text) if end < 0 else end]


def parts_of(line: str) -> tuple[str, ...]:
    """The parts of a list without brackets."""
    found = bracket(f"({line[:_LONGEST]})", 0)
    return found.parts if found else (line.strip(),)


def plainly(text: str) -> str:
    """An expression as it is compared: without blanks, `await`, borrows and the brackets around all of it."""
    text = re.sub(r"\bawait\s+|^[&*]+|\s+", "", text)
    while text.startswith("(") and (whole := bracket(text, 0)) and whole.end == len(text):
        text = text[1:-1]
    return text
