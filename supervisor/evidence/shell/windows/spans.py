"""The quoted texts, comments and brackets of PowerShell text: where each begins and ends. One pass, linear.

Source: "about_Quoting_Rules" and "about_Comments" in PowerShell's documentation.
"""

from __future__ import annotations

import re

from supervisor.errors import Unreadable

MAX_DEPTH = 128
_MARK = re.compile(r"[`'\"$@#<(){}\u2018\u2019\u201c\u201d]")
_IN_TEXT = re.compile(r"[`\"$\u201c\u201d]")
_CLOSES = {")": "(", "}": "{"}
_SINGLE = "'\u2018\u2019\u201a\u201b"
_DOUBLE = '"\u201c\u201d\u201e'


class Malformed(ValueError):
    """A text that no PowerShell would run: a quote or a bracket without its other half."""


def spans_of(text: str) -> dict[int, int]:
    """The end of each quoted text, comment and bracket, by its start. Raises Malformed, and Unreadable beyond MAX_DEPTH
    levels."""
    ends: dict[int, int] = {}
    stack: list[tuple[int, str]] = []
    at = 0
    while at < len(text):
        inside = stack[-1][1] if stack else ""
        quoted = inside in ('"', '@"')
        found = (_IN_TEXT if quoted else _MARK).search(text, at)
        if found is None:
            break
        at, mark = found.start(), found[0]
        if len(stack) > MAX_DEPTH:
            raise Unreadable(f"PowerShell nested deeper than {MAX_DEPTH} levels")
        at = _in_text(text, at, mark, inside, stack, ends) if quoted else _outside(text, at, mark, stack, ends)
    if stack:
        raise Malformed(text[stack[-1][0] :][:40])
    return ends


def _in_text(text: str, at: int, mark: str, inside: str, stack: list[tuple[int, str]], ends: dict[int, int]) -> int:
    """One mark within a text in double quotes; returns where to go on."""
    if mark == "`":
        return at + 2
    if mark == "$":
        if text[at + 1 : at + 2] != "(":
            return at + 1
        stack.append((at + 1, "("))
        return at + 2
    if inside == '@"':
        if text[at + 1 : at + 2] != "@" or text[at - 1 : at] != "\n":
            return at + 1
        ends[stack.pop()[0]] = at + 2
        return at + 2
    if text[at + 1 : at + 2] == mark:
        return at + 2
    ends[stack.pop()[0]] = at + 1
    return at + 1


def _outside(text: str, at: int, mark: str, stack: list[tuple[int, str]], ends: dict[int, int]) -> int:
    """One mark outside of texts in double quotes; returns where to go on."""
    following = text[at + 1 : at + 2]
    if mark == "`":
        return at + 2
    if mark in _SINGLE:
        ends[at] = _end_of_verbatim(text, at)
    elif mark == "@" and following and following in _SINGLE and _ends_line(text, at + 2):
        close = text.find("\n'@", at)
        if close < 0:
            raise Malformed(text[at:][:40])
        ends[at] = close + 3
    elif mark == "@" and following and following in _DOUBLE and _ends_line(text, at + 2):
        stack.append((at, '@"'))
        return at + 2
    elif mark in _DOUBLE:
        stack.append((at, '"'))
    elif mark == "#":
        if at and text[at - 1] not in " \t\n;(){}|&,":
            return at + 1
        end = text.find("\n", at)
        ends[at] = len(text) if end < 0 else end
    elif mark == "<":
        if following != "#":
            return at + 1
        end = text.find("#>", at)
        ends[at] = len(text) if end < 0 else end + 2
    elif mark in "({":
        stack.append((at, mark))
    elif mark in ")}":
        if not stack or stack[-1][1] != _CLOSES[mark]:
            raise Malformed(text[at:][:40])
        ends[stack.pop()[0]] = at + 1
    return ends.get(at, at + 1)


def _ends_line(text: str, at: int) -> bool:
    return text[at : at + 1] in ("\n", "\r")


def _end_of_verbatim(text: str, at: int) -> int:
    """The end of a text in single quotes, in which two quotes stand for one."""
    while True:
        at = text.find("'", at + 1) if text[at] == "'" or text.find("'", at + 1) >= 0 else -1
        if at < 0:
            raise Malformed("a quote without its other half")
        if text[at + 1 : at + 2] != "'":
            return at + 1
        at += 1
