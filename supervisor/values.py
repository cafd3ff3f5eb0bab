"""Python values as JSON: what a tool was given and what it returned, in a form that can be recorded and shown."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from supervisor.action import Json

MAX_TEXT = 1_000_000  # characters of one string of an output; agents read less
MAX_DEPTH = 32
MAX_ITEMS = 100_000


def plain(value: Any) -> Json:
    """`value` as JSON. Unknown objects become their text, cycles and depths beyond MAX_DEPTH a mark, long text is cut."""
    budget = [MAX_ITEMS]
    return _plain(value, MAX_DEPTH, budget)


def _plain(value: Any, depth: int, budget: list[int]) -> Json:
    budget[0] -= 1
    if value is None or isinstance(value, (bool, float)):
        return value if not isinstance(value, float) or value - value == 0 else str(value)
    if isinstance(value, int):
        return int(value) if -(1 << 63) <= value < 1 << 63 else str(value)
    if isinstance(value, str):
        return clean(value)
    if depth == 0 or budget[0] < 0:
        return "…"
    if isinstance(value, Mapping):
        return {clean(str(key)): _plain(item, depth - 1, budget) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth - 1, budget) for item in value]
    if isinstance(value, (set, frozenset)):
        return [_plain(item, depth - 1, budget) for item in sorted(value, key=repr)]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _text_of_bytes(bytes(value))
    return _of_object(value, depth, budget)


def _of_object(value: Any, depth: int, budget: list[int]) -> Json:
    if is_dataclass(value) and not isinstance(value, type):
        return _plain({name: getattr(value, name) for name in value.__dataclass_fields__}, depth, budget)
    dump = getattr(value, "model_dump", None)  # pydantic
    if callable(dump):
        return _plain(dump(), depth - 1, budget)
    if type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__:
        return f"<{type(value).__name__}>"  # the default text holds an address, which differs from run to run
    return clean(str(value))


def clean(text: str) -> str:
    """Text that can be written as UTF-8: lone surrogates are replaced, and what is too long is cut."""
    if len(text) > MAX_TEXT:
        text = f"{text[:MAX_TEXT]}… ({len(text) - MAX_TEXT:,} more characters)"
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _text_of_bytes(raw: bytes) -> str:
    try:
        return clean(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return clean("base64:" + base64.b64encode(raw[:MAX_TEXT]).decode())

