"""Coroutines for callers that have no event loop: run to their end right here, where nothing in them waits."""

from __future__ import annotations

import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
_ROOM = 100  # frames of a caller, on top of which a decision is still made


def run_to_end(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns that is never suspended. RuntimeError where it is."""
    try:
        coroutine.send(None)
    except StopIteration as ended:
        returned: T = ended.value
        return returned
    coroutine.close()
    raise RuntimeError("a coroutine that nobody waits for has waited")


def is_deep() -> bool:
    """Whether the caller stands on so deep a stack that a parser may not have room enough."""
    frame, room = sys._getframe(1), _ROOM
    while frame.f_back is not None and room:
        frame, room = frame.f_back, room - 1
    return not room
