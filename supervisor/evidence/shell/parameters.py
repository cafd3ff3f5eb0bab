"""How `${…}` changes a value: parts removed or replaced, or case changed, as in bash.

POSIX.1-2024, Shell Command Language, section 2.6.2 (parameter expansion); bash for `/`, `^`, `,` and `:`.
"""

from __future__ import annotations

import fnmatch
import re
from typing import NamedTuple

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.words import BREAK

_LONGEST_MATCHED = 512  # characters of a value or a pattern that are matched
_PATTERN_MARKS = "*?["
_SHAPE = re.compile(
    r"\$\{(?P<hash>\#)?(?P<bang>!)?(?P<name>[A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[(?P<index>[^\]]*)\])?"
    r"(?P<operator>:?[-=?+]|\#\#?|%%?|//?[#%]?|\^\^?|,,?|:|@)?",
    re.ASCII,
)


class Shape(NamedTuple):
    """The parts of `${name[subscript]operator…}`; `end` is where its operands begin."""

    name: str
    subscript: str | None
    operator: str
    end: int
    counts: bool
    indirect: bool


def shape_of(raw: str) -> Shape | None:
    """The parts of an expansion; None if it has an unknown form."""
    found = _SHAPE.match(raw)
    if not found:
        return None
    counts, indirect = bool(found["hash"]), bool(found["bang"])
    return Shape(found["name"], found["index"], found["operator"] or "", found.end(), counts, indirect)


def element(value: str, index: str | None) -> str:
    """One word of an array, or all of them (`@`, `*`); BREAKs separate the words of an array."""
    if BREAK not in value or index == "@":
        return value
    words = [word for word in value.split(BREAK) if word]
    if index == "*":
        return " ".join(words)
    try:
        return words[int(index or "0")]
    except (ValueError, IndexError):
        return HOLE if words and index else ""


def length(value: str) -> str:
    if HOLE in value:
        return HOLE
    return str(len([word for word in value.split(BREAK) if word]) if BREAK in value else len(value))


def changed(value: str, operator: str, operand: str) -> str:
    """A value after an operator; a HOLE if the text does not determine it."""
    if _leaves_nothing(operator, operand):
        return ""
    if value == HOLE or HOLE in operand:
        return HOLE
    if BREAK in value and operator != ":":
        return BREAK.join(changed(word, operator, operand) for word in value.split(BREAK)[:64])
    change = _CHANGES.get(operator)
    return change(value, operator, operand) if change else HOLE


def _leaves_nothing(operator: str, operand: str) -> bool:
    """Whether a value is empty after an operator, whatever it was: `${PATH:0:0}`, `${PATH##*}`, `${PATH//?}`."""
    if operator == ":":
        return ":" in operand and operand.rpartition(":")[2].strip() == "0"
    if operator in ("##", "%%"):
        return operand == "*"
    return operator in ("/", "//") and operand.removesuffix("/") in ("*", "?")[: len(operator)]


def _cut(value: str, operator: str, pattern: str) -> str:
    """`#`, `##`, `%`, `%%`: removes the shortest or longest prefix or suffix that a pattern matches."""
    at_start = operator[0] == "#"
    if not any(mark in pattern for mark in _PATTERN_MARKS):
        return value.removeprefix(pattern) if at_start else value.removesuffix(pattern)
    if len(value) > _LONGEST_MATCHED or len(pattern) > _LONGEST_MATCHED:
        return HOLE
    matches = re.compile(fnmatch.translate(pattern)).match
    lengths = range(len(value) + 1)
    for size in reversed(lengths) if len(operator) == 2 else lengths:
        if matches(value[:size] if at_start else value[len(value) - size :]):
            return value[size:] if at_start else value[: len(value) - size]
    return value


def _replaced(value: str, operator: str, operands: str) -> str:
    """`/old/new`, `//old/new`, `/#old/new`, `/%old/new`, if old is not a pattern."""
    old, _, new = operands.partition("/") if not operands.startswith("/") else ("/", "", operands[1:].removeprefix("/"))
    old = old.replace("\\", "")
    if not old or any(mark in old for mark in _PATTERN_MARKS):
        return HOLE if old else value
    if operator.endswith("#"):
        return new + value[len(old) :] if value.startswith(old) else value
    if operator.endswith("%"):
        return value[: len(value) - len(old)] + new if value.endswith(old) else value
    return value.replace(old, new, -1 if operator == "//" else 1)


def _slice(value: str, operator: str, operand: str) -> str:
    """`:offset:length` of a text or an array."""
    try:
        numbers = [int(each) for each in operand.replace(" ", "").split(":")]
    except ValueError:
        return HOLE
    words = [word for word in value.split(BREAK) if word] if BREAK in value else []
    whole: str | list[str] = words or value
    start = numbers[0] if numbers[0] >= 0 else max(0, len(whole) + numbers[0])
    end = None if len(numbers) < 2 else start + numbers[1] if numbers[1] >= 0 else numbers[1]
    part = whole[start:end]
    return part if isinstance(part, str) else BREAK.join(["", *part])


_CHANGES = {
    **dict.fromkeys(("#", "##", "%", "%%"), _cut),
    **dict.fromkeys(("/", "//", "/#", "/%"), _replaced),
    ":": _slice,
    "^^": lambda value, *_: value.upper(),
    ",,": lambda value, *_: value.lower(),
    "^": lambda value, *_: value[:1].upper() + value[1:],
    ",": lambda value, *_: value[:1].lower() + value[1:],
}
