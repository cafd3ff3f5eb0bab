"""Readers: what an action does, read once and shared by every specialist that needs it.

A reader is a function of the action and its context. Its result, or its `Unreadable`, is kept on the action.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable
from typing import Any, TypeVar

from supervisor.action import Action, Context
from supervisor.errors import CutOff, Unreadable

T = TypeVar("T")
CUT_OFF = CutOff("it could not be read within the deadline")
READERS: dict[int, Callable[[Action, Context], Any]] = {}  # by `number_of`, which is the same in every process
_at_work: list[int] | memoryview = [0]


def report_to(cell: memoryview) -> None:
    """Writes the number of the running reader to `cell` from now on, 0 while none runs.

    `cell` is shared memory: it outlives this process.
    """
    global _at_work
    _at_work = cell


def number_of(name: str) -> int:
    """The number of the reader with this qualified name."""
    return zlib.crc32(name.encode())


def under_way(number: int, work: Callable[[], T]) -> T:
    """Does work that belongs to a reader, which is recorded as the running one meanwhile."""
    before, _at_work[0] = _at_work[0], number
    try:
        return work()
    finally:
        _at_work[0] = before


def reader(read: Callable[[Action, Context], T]) -> Callable[[Action, Context], T]:
    """Makes `read` run at most once for an action. Its Unreadable is raised again to each caller.

    A read that a deadline cut off is not repeated: it would take the time of the other specialists as well.
    """
    number = number_of(f"{read.__module__}.{read.__qualname__}")

    @functools.wraps(read)
    def reading(action: Action, context: Context) -> T:
        memo = action.memo
        if reading not in memo:
            memo[reading] = CUT_OFF
            try:
                memo[reading] = under_way(number, lambda: read(action, context))
            except Unreadable as unreadable:
                memo[reading] = unreadable
            except Exception as error:  # later callers get Unreadable; the first gets the error itself
                memo[reading] = Unreadable(f"reading it crashed with {type(error).__name__}")
                raise
        result = memo[reading]
        if isinstance(result, Unreadable):
            raise result.with_traceback(None)
        value: T = result
        return value

    READERS[number] = reading
    return reading
