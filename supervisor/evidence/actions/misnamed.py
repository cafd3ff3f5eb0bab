"""Calls that lack the argument which their kind needs, so that they have no content that could be judged."""

from __future__ import annotations

from typing import NamedTuple

from supervisor.action import Action
from supervisor.evidence.actions.patched import may_hold_patch
from supervisor.intake.kinds import NEEDED, kind_of, names_of, snake
from supervisor.suggestions import nearest

_SHORTEST = 3  # letters of a name that may be a misspelled one


class Lacking(NamedTuple):
    """A call without an argument that it needs.

    `part` is the part of the kind, `wanted` the argument that would have it, `given` the argument whose name differs
    from that by one letter (empty if there is none). `is_declared`: the policy or the guard has named the tool's kind;
    `is_mapped`: it has named the argument as well.
    """

    part: str
    wanted: str
    given: str
    is_declared: bool
    is_mapped: bool


def lacks_contents(action: Action) -> bool:
    """Whether a call has none of the arguments of which its kind needs one."""
    needed = NEEDED.get(action.kind)
    if not needed:
        return False
    for part in needed:  # noqa: SIM110 - a generator would take three times as long, and every action comes here
        if action.get(part) is not None:
            return False
    return True


def lacking(action: Action) -> Lacking | None:
    """The argument that a call needs and lacks. None if it needs none, has one, or has no arguments with contents."""
    needed = NEEDED.get(action.kind, ())
    offered = [name for name, value in action.args.items() if value and not isinstance(value, bool)]
    if not offered or not lacks_contents(action) or may_hold_patch(action):
        return None
    mapped = [action.fields[part] for part in needed if part in action.fields]
    wanted = mapped or [name for part in needed for name in names_of(action.kind, part)]
    given, meant = next(((name, near) for name in offered if (near := _misspelled(name, wanted))), ("", ""))
    is_declared = kind_of(action.tool) != action.kind
    return Lacking(needed[0], meant or wanted[0], given, is_declared, bool(mapped))


def _misspelled(name: str, wanted: list[str]) -> str:
    """The wanted name from which a name differs by one letter within the word; empty if there is none.

    A plural is no misspelling, and a word with another first letter is usually another word (`mode`, `code`).
    """
    plain = snake(name)
    if len(plain) < _SHORTEST:
        return ""
    near = nearest(plain, [each for each in wanted if len(each) >= _SHORTEST and each[0] == plain[0]], 1)
    return next((each for each in near if plain.rstrip("s") != snake(each).rstrip("s")), "")
