"""Facts that a deployment states, checked before anyone builds on them."""

from __future__ import annotations

from typing import TypeGuard


def is_whole_number(value: object, least: int) -> TypeGuard[int]:
    """Whether a value from outside is an integer of `least` or more; `true` is none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
