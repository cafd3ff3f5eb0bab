"""Formats: the marks in a text that stand for values, as in `%s`, `{}` and `{name}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_PRINTF = re.compile(r"%(?:\d{1,2}\$)?[-+ #0']{0,4}\*?\d{0,4}(?:\.\d{0,4})?[hlLqjzt]{0,2}([a-zA-Z%])")
_BRACES = re.compile(r"\{\{|\}\}|\{(\w{0,40})(?:[,:!][^{}]{0,40})?\}")
_NO_MARKS = frozenset({"%%", "{{", "}}", "%n"})
_NUMBERS = frozenset("dioufFeEgGxXbcptqT")  # and quoted texts: what they insert is no free text


class Mark(NamedTuple):
    """One mark: the place of its value, or its name; `is_inert` if it inserts no free text."""

    place: int
    name: str = ""
    is_inert: bool = False


def marked(text: str) -> Iterator[str | Mark]:
    """The literal parts of a format, and its marks."""
    printf = "%" in text and _PRINTF.search(text) is not None
    turn = end = 0
    for found in (_PRINTF if printf else _BRACES).finditer(text):
        if found.group() in _NO_MARKS:
            continue
        told = found.group(1) or ""
        yield text[end : found.start()]
        end = found.end()
        if printf:
            yield Mark(turn, is_inert=told in _NUMBERS)
        elif told and not told.isdecimal():
            yield Mark(0, told)
            continue
        else:
            yield Mark(int(told) if told and len(told) < 4 else turn)
        turn += printf or not told
    yield text[end:]
