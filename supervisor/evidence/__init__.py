"""What an action does, read from it once and shared by every specialist that asks.

A reader is a function of the action and its context. Its answer, or its `Unreadable`, is kept on the action.
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
READERS: dict[int, Callable[[Action, Context], Any]] = {}  # by number, which is the same in every process
_at_work: list[int] | memoryview = [0]


def report_to(cell: memoryview) -> None:
    """From now on, the number of the reader at work stands in `cell`, 0 outside of any: memory that outlives us."""
    global _at_work
    _at_work = cell


def number_of(name: str) -> int:
    """The number of the reader of this qualified name."""
    return zlib.crc32(name.encode())


def under_way(number: int, work: Callable[[], T]) -> T:
    """Does work that belongs to a reader: while it lasts, that one is noted as being at work."""
    before, _at_work[0] = _at_work[0], number
    try:
        return work()
    finally:
        _at_work[0] = before


def reader(read: Callable[[Action, Context], T]) -> Callable[[Action, Context], T]:
    """Makes `read` run at most once for an action. What it raises as Unreadable is raised again to each asker.

    A reading that a deadline ends stays unread: it would take everybody else's time as well.
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
            except Exception as error:  # the others who ask are told, and it goes on to the first
                memo[reading] = Unreadable(f"reading it crashed with {type(error).__name__}")
                raise
        answer = memo[reading]
        if isinstance(answer, Unreadable):
            raise answer.with_traceback(None)
        known: T = answer
        return known

    READERS[number] = reading
    return reading
