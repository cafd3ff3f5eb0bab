"""Where a part of an action is in its arguments, if it is not simply one of them.

A field that begins with `=` is not an argument's name but an expression over the arguments:

- `=/input/command` is the value at a JSON Pointer (RFC 6901); a string on the way that contains JSON is parsed;
- `=git +/args` composes a command line: `/x` is a value as one word, `+/x` is a string or a list of several words, any
  other word is literal;
- `=;/steps` is a list of strings, one a line;
- `=/command | /script` are alternatives: each of them may be what runs, and each is judged;
- `=?` is unreadable: the call has more arguments than are read.
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
_LONGEST = 256 * 1024  # characters of a string that is parsed as JSON
_MOST_DIGITS = 10  # of a list index


class Several(tuple[Any, ...]):
    """Alternative commands: each of them may be what runs."""

    __slots__ = ()


def value_at(args: Mapping[str, Any], field: str) -> Any:
    """The value of a field that begins with `=`; None if the arguments contain none of it."""
    if field == UNREADABLE:
        return _NO_TEXT
    values = [value for each in field[1:].split(_OR) if (value := _composed(args, each.split())) is not None]
    return values[0] if len(values) == 1 else Several(values) if values else None


def pointer(*steps: str | int) -> str:
    """The JSON Pointer (RFC 6901) of these steps."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def plain(fields: Mapping[str, str]) -> dict[str, str]:
    """The same fields, each pointer to a top-level argument replaced by the argument's name."""
    return {part: _plain(field) for part, field in fields.items()}


def _plain(field: str) -> str:
    name = field.removeprefix(f"{MARK}/")
    return name if name != field and name[:1] != MARK and not set(name) & set("/~ ") else field


def either(fields: Sequence[str]) -> str:
    """The field whose alternatives are these fields, given without the mark."""
    return MARK + _OR.join(fields)


def is_well_formed(field: str) -> bool:
    """Whether a field with the mark contains a pointer, or is UNREADABLE."""
    return field == UNREADABLE or any(word.lstrip("+;").startswith("/") for word in field[1:].split())


def inside(value: Any) -> Any:
    """A list or an object, parsed if a string contains it as JSON; None for any other value."""
    if isinstance(value, str) and value[:1] in "{[" and len(value) <= _LONGEST:
        value = _parsed(value)
    return value if isinstance(value, (dict, list, Mapping)) else None


@functools.lru_cache(maxsize=4)  # several pointers may lead into one string
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
    values = [(word, _at(args, word.lstrip("+"))) if word.startswith(("/", "+/")) else ("", word) for word in words]
    values = [(word, value) for word, value in values if value is not None]
    if not any(word for word, _ in values):
        return None
    if any(word.startswith("+") and isinstance(value, str) for word, value in values):
        return " ".join(_spelt(word, value) for word, value in values)
    return [each for word, value in values for each in _words(value)]


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


def _at(args: Any, path: str) -> Any:
    value = args
    for step in path.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = inside(value)
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and len(name) < _MOST_DIGITS and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value
