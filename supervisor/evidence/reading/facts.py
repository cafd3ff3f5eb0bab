"""Checks of facts that a deployment states, before readers rely on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

from supervisor.action import strings_in


def is_whole_number(value: object, least: int) -> TypeGuard[int]:
    """Whether a value from outside is an integer of `least` or more; `true` is not one."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def texts_in(value: Any) -> Iterator[tuple[str, str]]:
    """Every string in a JSON value with its place (`"items[2].name"`), in order."""
    return strings_in(value)
