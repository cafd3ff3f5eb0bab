"""What an action does, read from it once and shared by every specialist that asks.

A reader is a function of the action and its context. Its answer, or its `Unreadable`, is kept on the action.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from supervisor.action import Action, Context
from supervisor.errors import Unreadable

T = TypeVar("T")


def reader(read: Callable[[Action, Context], T]) -> Callable[[Action, Context], T]:
    """Makes `read` run at most once for an action. What it raises as Unreadable is raised again to each asker."""

    @functools.wraps(read)
    def reading(action: Action, context: Context) -> T:
        if reading not in action.memo:
            try:
                action.memo[reading] = read(action, context)
            except Unreadable as unreadable:
                action.memo[reading] = unreadable
        answer = action.memo[reading]
        if isinstance(answer, Unreadable):
            raise answer.with_traceback(None)
        return answer  # type: ignore[no-any-return]

    return reading
