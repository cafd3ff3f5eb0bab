"""Runs coroutines that never wait, for callers without an event loop."""

from __future__ import annotations

import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
_ROOM = 100  # frames of a caller's stack, up to which a decision runs in its thread


def run_to_end(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never suspends. Raises RuntimeError if it does."""
    try:
        coroutine.send(None)
    except StopIteration as ended:
        returned: T = ended.value
        return returned
    coroutine.close()
    raise RuntimeError("a coroutine suspended without an event loop")


def is_deep() -> bool:
    """Whether the caller's stack is so deep that a parser may run out of stack."""
    frame, room = sys._getframe(1), _ROOM
    while frame.f_back is not None and room:
        frame, room = frame.f_back, room - 1
    return not room
