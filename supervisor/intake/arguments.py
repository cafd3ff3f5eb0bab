"""The arguments of a call at every depth, also inside texts that hold JSON: first those whose names say something."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from supervisor.intake.kinds import snake
from supervisor.intake.role_names import ROLES
from supervisor.pointers import inside, pointer

_MOST = 64  # arguments without a telling name that are given, of all levels together
_MOST_VALUES = 20_000  # that are looked at; a call of more is refused before, but texts of JSON may hold more


class Argument(NamedTuple):
    """One argument, or a value below one. `name` is in snake case; `at` is its JSON Pointer."""

    name: str
    at: str
    value: Any


@functools.lru_cache(maxsize=1024)
def kinds_named(name: str) -> tuple[tuple[str, int], ...]:
    """The kinds whose role an argument's name may play, with their points."""
    return tuple((kind, points) for kind, role in ROLES.items() for points, names in role.items() if name in names)


def arguments_of(args: Mapping[str, Any], only: frozenset[str] | None) -> tuple[list[Argument], bool]:
    """The arguments, of those named in `only` where any are, and all values below them that have a name; nearest first.
    And whether there are more than _MOST_VALUES, so that the rest was not looked through.

    An agent may add others without end: of those whose names say nothing, the first _MOST are given.
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
