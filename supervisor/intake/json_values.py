"""Python values as JSON: a tool's arguments and its result, in a form that can be recorded and shown."""

from __future__ import annotations

import base64
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from itertools import chain, islice
from typing import Any

from supervisor.action import Json
from supervisor.errors import BadInput

MAX_TEXT = 1_000_000  # characters of one string of an output; agents do not read more
MAX_DEPTH = 128
MAX_ITEMS = 20_000
MAX_CHARACTERS = 4 * 1024 * 1024  # of all strings of a value together
MAX_PAST_ITEMS = 2 * MAX_ITEMS  # of a whole history
MAX_PAST_CHARACTERS = 4 * MAX_CHARACTERS
SMALL_ITEMS = 1_000
SMALL_CHARACTERS = 8_192
MAX_DIGITS = 4_300  # of an integer: Python's own limit, since printing takes time quadratic in the digits
_SHOWN = 60
_INT64 = 1 << 63
_TOO_LARGE = 10**MAX_DIGITS


def plain(value: Any) -> Json:
    """A tool's result as JSON. Unknown objects become their `str`; whatever is too long, too deep or too much is cut,
    with a mark. Never raises: an object whose own methods raise is replaced by its type's name."""
    return _Copy(MAX_TEXT).of(value, MAX_DEPTH)


class PastCopy:
    """`plain` for the values of one history, which share the limits MAX_PAST_ITEMS and MAX_PAST_CHARACTERS."""

    def __init__(self) -> None:
        self._copy = _Copy(MAX_TEXT, MAX_PAST_ITEMS, MAX_PAST_CHARACTERS)

    def __call__(self, value: Any) -> Json:
        """A value of the history as JSON, cut to what is left of the limits."""
        return self._copy.of(value, MAX_DEPTH)

    def copy(self) -> PastCopy:
        """One with the same limits left."""
        fresh = PastCopy()
        fresh._copy._left, fresh._copy._room = self._copy._left, self._copy._room
        return fresh


def exact(value: Any, place: str = "args") -> Any:
    """A tool's arguments as JSON. Nothing is cut, since the guard would then judge another action than the one that
    runs. An integer beyond 64 bits becomes the string of its digits.

    Raises BadInput where `plain` would lose anything but the length of a string (`not_exact`), or for more than
    MAX_ITEMS, MAX_CHARACTERS or MAX_DIGITS (`too_large`). `place` is the place of the value, for the error.
    """
    copy = _Copy(None)
    copied = copy.of(value, MAX_DEPTH)
    if copy.lost:
        raise BadInput(f"cannot be judged as it is: {copy.lost}", place=_place(value, place), code=copy.code)
    return copied


def _place(value: Any, place: str) -> str:
    """The place of the item of a mapping that cannot be copied; the place of the whole value if there is none."""
    for name, item in dict.items(value) if isinstance(value, dict) else ():
        copy = _Copy(None)
        copy.of(item, MAX_DEPTH - 1)
        if copy.lost:
            return f"{place}.{clean(name)[:_SHOWN]}" if isinstance(name, str) else place
    return place


def is_small(*values: Any) -> bool:
    """Whether these values are so small (SMALL_ITEMS and SMALL_CHARACTERS, all together) that copying and masking them
    takes below 10 ms in any case, so that it may run in an event loop. Reads no more than these limits."""
    return _fits(list(values), SMALL_ITEMS, SMALL_CHARACTERS)


def holds_at_most(items: int, value: Any) -> bool:
    """Whether a value contains at most so many items, all levels together. Reads no more than these."""
    return _fits([value], items, sys.maxsize)


def _fits(pending: list[Any], items: int, characters: int) -> bool:
    try:
        return _fit(pending, items, characters)
    except Exception:  # noqa: BLE001 - a method of an unknown class raised; its object may have any size
        return False


def _fit(pending: list[Any], items: int, characters: int) -> bool:
    while pending:
        node = pending.pop()
        if isinstance(node, (str, bytes, bytearray)):
            characters -= len(node)
        elif isinstance(node, int):
            characters -= node.bit_length() // 8
        elif (parts := _parts_of(node)) is not None:
            items -= len(parts)
            pending += (
                chain(parts, parts.values()) if isinstance(parts, (dict, Mapping)) else parts if items >= 0 else ()
            )
        if items < 0 or characters < 0:
            return False
    return True


class _Copy:
    """The copy of one value, and the first thing that it lost."""

    def __init__(self, longest: int | None, items: int = MAX_ITEMS, characters: int = MAX_CHARACTERS) -> None:
        self.lost = ""
        self.code = "not_exact"
        self._longest = longest
        self._left = items
        self._room = characters

    def of(self, value: Any, depth: int) -> Json:
        """The copy of a part of the value, which may have `depth` more levels."""
        self._left -= 1
        if self._left < 0:
            return self._cut(f"it holds more than {MAX_ITEMS:,} values", "too_large")
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if value is None or value is True or value is False:
            return value
        if isinstance(value, int):
            return int(value) if -_INT64 <= value < _INT64 else self._digits(value)
        if isinstance(value, float):
            return float(value) if value - value == 0 else str(float(value))
        if depth == 0:
            return self._cut(f"it is nested deeper than {MAX_DEPTH} levels")
        try:
            return self._of_object(value, depth - 1)
        except Exception:  # noqa: BLE001 - a method of an unknown class raised; the copy names the type instead
            self._cut(f"a {type(value).__name__} in it cannot be read")
            return f"<{type(value).__name__}>"

    def _digits(self, value: int) -> str:
        """An integer beyond 64 bits as its digits; as hex, which takes linear time, beyond MAX_DIGITS."""
        if -_TOO_LARGE < value < _TOO_LARGE:
            return self._text(digits_of(value))
        self._cut(f"a number of it has more than {MAX_DIGITS:,} digits", "too_large")
        return self._text(hex(value))

    def _of_object(self, value: Any, depth: int) -> Json:
        if isinstance(value, dict):
            return self._of_mapping(value, depth)
        if isinstance(value, (list, tuple)):
            return [self.of(item, depth) for item in self._within(value)]
        if isinstance(value, Mapping):  # a slow check; most mappings are a `dict`
            return self._of_mapping(value, depth)
        if isinstance(value, (set, frozenset)):
            return [self.of(item, depth) for item in self._within(sorted(value, key=repr))]
        if isinstance(value, (bytes, bytearray, memoryview)):
            return self._of_bytes(bytes(value))
        if isinstance(value, Iterator):
            return self._cut(f"a {type(value).__name__} in it can be read only once")
        if is_dataclass(value) and not isinstance(value, type):
            return self.of({name: getattr(value, name) for name in value.__dataclass_fields__}, depth)
        dump = getattr(value, "model_dump", None)  # pydantic
        if callable(dump) and not isinstance(value, type):
            return self.of(dump(), depth)
        if _has_default_text(type(value)):
            return f"<{type(value).__name__}>"  # the default text contains an address, which differs from run to run
        return self._text(str(value))

    def _of_bytes(self, raw: bytes) -> Json:
        """Bytes as text if they are UTF-8; otherwise an object, so that base64 is not mistaken for a command."""
        try:
            return self._text(raw.decode("utf-8"))
        except UnicodeDecodeError:
            return {"base64": self._text(base64.b64encode(raw).decode())}

    def _of_mapping(self, value: Mapping[Any, Any], depth: int) -> Json:
        copied = {self._key(key): self.of(item, depth) for key, item in self._within(value.items())}
        if len(copied) < len(value):
            self._cut("two of its keys read the same")
        return copied

    def _key(self, key: Any) -> str:
        is_large = isinstance(key, int) and not -_INT64 <= key < _INT64
        return self._digits(key) if is_large else self._text(str(key))

    def _within(self, items: Iterable[Any]) -> Iterable[Any]:
        """The items within the limit, and one more, which becomes the mark."""
        return islice(items, max(self._left, 0) + 1)

    def _text(self, text: str) -> str:
        short = _short(text, self._longest)
        self._room -= len(short)
        if self._room < 0:
            self._left = 0
            return self._cut(f"it holds more than {MAX_CHARACTERS:,} characters", "too_large")
        cleaned = _unicode(short)
        if cleaned is not short and cleaned != short:
            self._cut("a text of it holds a lone surrogate")
        return cleaned

    def _cut(self, what: str, code: str = "not_exact") -> str:
        if not self.lost:
            self.lost, self.code = what, code
        return "…"


def _parts_of(value: Any) -> Collection[Any] | None:
    """The parts of a value: a mapping, or values without names. None for a scalar."""
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return value
    if value is None or isinstance(value, float):
        return None
    if isinstance(value, Mapping):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, name) for name in value.__dataclass_fields__]
    return vars(value) if hasattr(type(value), "model_dump") and not isinstance(value, type) else None  # pydantic


def clean(text: str) -> str:
    """Text that can be encoded as UTF-8: lone surrogates are replaced, text beyond MAX_TEXT is cut."""
    return _unicode(_short(text, MAX_TEXT))


def shown(value: Any) -> str:
    """A value for a message: its repr, cut to a bounded length; its type's name if `repr` raises."""
    if isinstance(value, str):
        return repr(_short(value, _SHOWN))
    try:
        return _short(repr(value), _SHOWN)
    except Exception:  # noqa: BLE001 - `__repr__` raised, or the integer is too long to print
        return f"<{type(value).__name__}>"


def _short(text: str, longest: int | None) -> str:
    if longest is None or len(text) <= longest:
        return text
    return f"{text[:longest]}… ({len(text) - longest:,} more characters)"


def _unicode(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def digits_of(value: int) -> str:
    """An integer in decimal. `str` raises ValueError beyond PYTHONINTMAXSTRDIGITS, which may be as low as 640."""
    from decimal import Decimal

    return str(Decimal(value))


def _has_default_text(kind: type[object]) -> bool:
    return (kind.__str__, kind.__repr__) == (object.__str__, object.__repr__)
