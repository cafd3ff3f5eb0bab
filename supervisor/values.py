"""Python values as JSON: what a tool was given and what it returned, in a form that can be recorded and shown."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from itertools import islice
from typing import Any

from supervisor.action import Json
from supervisor.errors import BadInput

MAX_TEXT = 1_000_000  # characters of one string of an output; agents read less
MAX_DEPTH = 128
MAX_ITEMS = 100_000
_SHOWN = 60


def plain(value: Any) -> Json:
    """What a tool returned, as JSON. Unknown objects become their text; what is too long, too deep or too much is cut,
    with a mark. Never raises: an object whose own methods do is named by its type."""
    return _Copy(MAX_TEXT).of(value, MAX_DEPTH)


def exact(value: Any) -> Any:
    """What a tool is about to be given, as JSON. Nothing is cut, or the guard would judge one action and the tool run
    another: BadInput where `plain` would lose something other than the length of a text."""
    copy = _Copy(None)
    told = copy.of(value, MAX_DEPTH)
    if copy.lost:
        raise BadInput(f"cannot be judged as it is: {copy.lost}", place="args", code="not_exact")
    return told


class _Copy:
    """One value being copied, and what the copy has lost."""

    def __init__(self, longest: int | None) -> None:
        self.lost = ""
        self._longest = longest
        self._left = MAX_ITEMS

    def of(self, value: Any, depth: int) -> Json:
        """The copy of a part of it, `depth` levels of which may follow."""
        self._left -= 1
        if self._left < 0:
            return self._cut(f"it holds more than {MAX_ITEMS:,} values")
        if value is None or value is True or value is False:
            return value
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if isinstance(value, int):
            return int(value) if -(1 << 63) <= value < 1 << 63 else _large(value)
        if isinstance(value, float):
            return float(value) if value - value == 0 else str(float(value))
        if depth == 0:
            return self._cut(f"it is nested deeper than {MAX_DEPTH} levels")
        try:
            return self._of_object(value, depth - 1)
        except Exception:  # noqa: BLE001 - a stranger's method; that the object is there is told all the same
            self._cut(f"a {type(value).__name__} in it cannot be read")
            return f"<{type(value).__name__}>"

    def _of_object(self, value: Any, depth: int) -> Json:
        if isinstance(value, (dict, Mapping)):
            return self._of_mapping(value, depth)
        if isinstance(value, (list, tuple)):
            return [self.of(item, depth) for item in self._within(value)]
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
            return f"<{type(value).__name__}>"  # it would hold an address, which differs from run to run
        return self._text(str(value))

    def _of_bytes(self, raw: bytes) -> Json:
        """Text, where it is; otherwise an object, so that nobody takes its digits for the text of a command."""
        try:
            return self._text(raw.decode("utf-8"))
        except UnicodeDecodeError:
            return {"base64": _short(base64.b64encode(raw).decode(), self._longest)}

    def _of_mapping(self, value: Mapping[Any, Any], depth: int) -> Json:
        told = {self._text(str(key)): self.of(item, depth) for key, item in self._within(value.items())}
        if len(told) < len(value):
            self._cut("two of its keys read the same")
        return told

    def _within(self, items: Iterable[Any]) -> Iterable[Any]:
        """As many as may still come, and one more, which is the mark."""
        return islice(items, max(self._left, 0) + 1)

    def _text(self, text: str) -> str:
        cleaned = _unicode(text)
        if cleaned is not text and cleaned != text:
            self._cut("a text of it holds a lone surrogate")
        return _short(cleaned, self._longest)

    def _cut(self, what: str) -> str:
        self.lost = self.lost or what
        return "…"


def clean(text: str) -> str:
    """Text that can be written as UTF-8: lone surrogates are replaced, and what is too long is cut."""
    return _unicode(_short(text, MAX_TEXT))


def shown(value: Any) -> str:
    """A value in a message: its repr, cut where a stranger made it long."""
    return _short(repr(value), _SHOWN) if not isinstance(value, str) else repr(_short(value, _SHOWN))


def _short(text: str, longest: int | None) -> str:
    if longest is None or len(text) <= longest:
        return text
    return f"{text[:longest]}… ({len(text) - longest:,} more characters)"


def _unicode(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _large(value: int) -> str:
    return str(value) if value.bit_length() < 10_000 else hex(value)  # Python does not print more than 4,300 digits


def _has_default_text(kind: type[object]) -> bool:
    return (kind.__str__, kind.__repr__) == (object.__str__, object.__repr__)
