"""The arguments of a call at every depth, also inside strings that contain JSON. Arguments with known names come
first."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from supervisor.intake.kinds import snake
from supervisor.intake.role_names import ROLES
from supervisor.pointers import inside, pointer

_MOST = 64  # arguments without a known name that are returned, of all levels together
_MOST_VALUES = 20_000  # values that are read; larger calls are refused earlier, but strings of JSON may contain more


class Argument(NamedTuple):
    """One argument, or a value below one. `name` is in snake case; `at` is its JSON Pointer."""

    name: str
    at: str
    value: Any


@functools.lru_cache(maxsize=1024)
def kinds_named(name: str) -> tuple[tuple[str, int], ...]:
    """The kinds whose main argument may have this name, each with its points."""
    return tuple((kind, points) for kind, role in ROLES.items() for points, names in role.items() if name in names)


def arguments_of(args: Mapping[str, Any], only: frozenset[str] | None) -> tuple[list[Argument], bool]:
    """The arguments (if `only` is not empty, those named in it) and all named values below them, nearest first. The
    second value is whether there are more than _MOST_VALUES, so that the rest was not read.

    An agent could add arguments endlessly, so of those without a known name only the first _MOST are returned.
    """
    named, others, seen = list[Argument](), list[Argument](), 0
    snaked: dict[Any, str] = {}  # rows of a table repeat their keys
    pending = deque([("", {name: args[name] for name in args if not only or name in only})])
    while pending:
        at, values = pending.popleft()
        is_object = isinstance(values, Mapping)
        for key, value in values.items() if is_object else enumerate(values):
            if not is_object and not isinstance(value, (Mapping, list)):
                continue
            seen += 1
            if seen > _MOST_VALUES:
                return [*named, *others], True
            within = inside(value)
            name = (snaked.get(key) or snaked.setdefault(key, snake(str(key)))) if is_object else ""
            speaks = bool(kinds_named(name))
            if within is None and not speaks and len(others) > _MOST:
                continue
            below = f"{at}{pointer(key if isinstance(key, int) else str(key))}"
            if is_object:
                (named if speaks else others).append(Argument(name, below, value))
            if within is not None:
                pending.append((below, within))
    return ([*others[:_MOST], *named] if len(others) > _MOST else [*named, *others]), False
