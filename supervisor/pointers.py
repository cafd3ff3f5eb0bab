"""How a part of an action is made of its arguments, where it is not simply one of them.

A field that begins with `=` is no argument's name but says where to look:

- `=/input/command` is the value at a JSON Pointer (RFC 6901); a text on the way that holds JSON is looked into;
- `=git +/args` are the words of one command line: those that begin with a slash are values, those with `+/` texts or
  lists of several words, all others stand for themselves;
- `=;/steps` is a list of texts, one a line;
- `=/command | /script` are several, of which each may be what runs, and each is judged;
- `=?` is nothing that can be read: the call has more arguments than are looked through.
"""

from __future__ import annotations

import functools
import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

MARK = "="
UNREADABLE = "=?"
_NO_TEXT = object()  # neither a text nor a list of texts
_OR = " | "
_LONGEST = 256 * 1024  # characters of a text that is looked into
_MOST_DIGITS = 10  # of an item's number


class Several(tuple[Any, ...]):
    """Commands of which each may be what runs."""

    __slots__ = ()


def value_at(args: Mapping[str, Any], field: str) -> Any:
    """What a field that begins with `=` stands for; None where nothing of it is there."""
    if field == UNREADABLE:
        return _NO_TEXT
    values = [value for each in field[1:].split(_OR) if (value := _composed(args, each.split())) is not None]
    return values[0] if len(values) == 1 else Several(values) if values else None


def pointer(*steps: str | int) -> str:
    """The JSON Pointer that these steps make."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def plain(fields: Mapping[str, str]) -> dict[str, str]:
    """The same fields, with the name of an argument where a pointer says no more than that."""
    return {part: _plain(field) for part, field in fields.items()}


def _plain(field: str) -> str:
    name = field.removeprefix(f"{MARK}/")
    return name if name != field and name[:1] != MARK and not set(name) & set("/~ ") else field


def either(fields: Sequence[str]) -> str:
    """The field of which each of these, without the mark, may be meant."""
    return MARK + _OR.join(fields)


def is_well_formed(field: str) -> bool:
    """Whether a field with the mark points at anything."""
    return field == UNREADABLE or any(word.lstrip("+;").startswith("/") for word in field[1:].split())


def inside(value: Any) -> Any:
    """A list or an object, also where a text holds it as JSON; None for all else."""
    if isinstance(value, str) and value[:1] in "{[" and len(value) <= _LONGEST:
        value = _parsed(value)
    return value if isinstance(value, (dict, list, Mapping)) else None


@functools.lru_cache(maxsize=4)  # several pointers lead into one text
def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _composed(args: Mapping[str, Any], words: Sequence[str]) -> Any:
    if len(words) == 1 and words[0].startswith("/"):
        return _at(args, words[0])
    if len(words) == 1 and words[0].startswith(";"):
        return _lines(_at(args, words[0][1:]))
    told = [(word, _at(args, word.lstrip("+"))) if word.startswith(("/", "+/")) else ("", word) for word in words]
    told = [(word, value) for word, value in told if value is not None]
    if not any(word for word, _ in told):
        return None
    if any(word.startswith("+") and isinstance(value, str) for word, value in told):
        return " ".join(_spelt(word, value) for word, value in told)
    return [each for word, value in told for each in _words(value)]


def _lines(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    texts = [each for each in value if isinstance(each, str)] if isinstance(value, (list, tuple)) else []
    return "\n".join(texts) if texts else None


def _spelt(word: str, value: Any) -> str:
    return value if word.startswith("+") and isinstance(value, str) else shlex.join(_words(value))


def _words(value: Any) -> list[str]:
    if isinstance(value, (list, tuple)):
        return [str(each) for each in value if isinstance(each, (str, int, float))]
    return [str(value)] if isinstance(value, (str, int, float)) else []


def _at(args: Any, told: str) -> Any:
    value = args
    for step in told.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = inside(value)
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and len(name) < _MOST_DIGITS and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value
