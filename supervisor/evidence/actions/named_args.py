"""The arguments of a call by their names, whatever their spelling and however deeply they are nested.

`{"sendAt": …}`, `{"send-at": …}` and `{"message": {"send_at": …}}` all give `send_at`. A tool reads one of them, and it
is not known which one: what may be harmful is looked for in all of them (`all_args`), and what excuses a call has to be
among its outer arguments (`outer_args`, `is_stated`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from supervisor.action import Action, Step
from supervisor.intake.kinds import snake

_LONGEST_NAME = 128
_Args = tuple[tuple[str, Any], ...]


def all_args(call: Action | Step) -> _Args:
    """Every argument with its name in snake case, also where names are equal: the outer ones first, and of one level
    those that are spelt so in the call."""
    if isinstance(call, Step):
        return _read(call.args)
    if all_args not in call.memo:
        call.memo[all_args] = _read(call.args)
    found: _Args = call.memo[all_args]
    return found


def named_args(call: Action | Step) -> dict[str, Any]:
    """The first of `all_args` of each name that is no object."""
    found: dict[str, Any] = {}
    for name, value in all_args(call):
        if name not in found or (isinstance(found[name], Mapping) and not isinstance(value, Mapping)):
            found[name] = value
    return found


def outer_args(call: Action | Step) -> _Args:
    """The arguments that are in no object. Where one object is the only argument, those in it."""
    if isinstance(call, Step):
        return _level([_outermost(call.args)])
    if outer_args not in call.memo:
        call.memo[outer_args] = _level([_outermost(call.args)])
    found: _Args = call.memo[outer_args]
    return found


def first_args(call: Action | Step, names: Iterable[str]) -> list[Any]:
    """The values of these names as the call has them, in the order of the names; only where it has none of them, those
    in other spellings or in objects."""
    names = list(names)
    exact = [call.args[name] for name in names if name in call.args]
    if exact:
        return exact
    named = named_args(call)
    return [named[name] for name in names if name in named]


def is_stated(call: Action | Step, names: Iterable[str], holds: Callable[[Any], bool]) -> bool:
    """Whether an outer argument of one of these names holds, and no other argument of its name says otherwise."""
    of_each: dict[str, list[Any]] = {name: [] for name in names}
    for each, value in outer_args(call):
        if each in of_each:
            of_each[each].append(value)
    for name, outer in of_each.items():
        if outer and all(map(holds, outer)) and all(holds(value) for each, value in all_args(call) if each == name):
            return True
    return False


def _read(args: Mapping[str, Any]) -> _Args:
    found: list[tuple[str, Any]] = []
    level = [args]
    while level:
        found += _level(level)
        level = [value for each in level for value in each.values() if isinstance(value, Mapping)]
    return tuple(found)


def _level(objects: Iterable[Mapping[str, Any]]) -> _Args:
    named = [(str(name), snake(str(name)[:_LONGEST_NAME]), value) for each in objects for name, value in each.items()]
    return tuple([(plain, value) for _, plain, value in sorted(named, key=lambda each: each[0] != each[1])])


def _outermost(args: Mapping[str, Any]) -> Mapping[str, Any]:
    while len(args) == 1:
        (inner,) = args.values()
        if not isinstance(inner, Mapping):
            break
        args = inner
    return args
