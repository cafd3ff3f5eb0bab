"""The wider of two groups that were counted: the agent counted 64 tickets by one filter and 917 by another, and acts by
the second."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.actions.named_args import all_args, is_stated
from supervisor.evidence.entries.listing import LONGEST, Shown, shown
from supervisor.evidence.entries.words import has_form, pattern, reads_only, row, values_in, words_in

_WIDER = 1.2  # times the narrower one, at least
_MOST_ARGS = 12
_REHEARSES = frozenset({"dryrun", "preview", "simulate", "validateonly", "whatif", "testonly"})


class Wider(NamedTuple):
    """The group that an action is done to and the one that was counted beside it, each with its filter and its size."""

    taken: str
    size: int
    narrower: str
    narrower_size: int


@reader
def wider_of_counted(action: Action, context: Context) -> Wider | None:
    """The wider group that an action takes; None if no narrower one was counted by the same tool, or the request has a
    word of the wider filter that the narrower one does not have."""
    if not context.history or reads_only(action.tool) or _rehearses(action):
        return None
    places: dict[str, set[str]] = {}
    for name, value in values_in(action.args, LONGEST):
        places.setdefault(value.lower(), set()).add(name)
    given = places.keys()
    counted = [(step, size) for step in shown(context) if (size := _size_of(step)) is not None]
    for step, size in counted:
        if not step.asked or not step.asked <= given:
            continue
        for other, narrower in counted:
            if other.step.tool != step.step.tool or narrower * _WIDER >= size or narrower == 0:
                continue
            if _is_set_apart(step.asked, other.asked, places):
                continue
            if other.asked - step.asked and not _is_wanted(step.asked - other.asked, other.asked, context.task or ""):
                return Wider(_spelt(step), size, _spelt(other), narrower)
    return None


def _is_set_apart(wider: frozenset[str], narrower: frozenset[str], places: Mapping[str, set[str]]) -> bool:
    """Whether the action has both filters, each in an argument of its own: one group is left out of the other."""
    apart = narrower - wider
    if not apart or not apart <= places.keys():
        return False
    taken = {place for value in wider for place in places[value]}
    return all(taken.isdisjoint(places[value]) for value in apart)


def _rehearses(action: Action) -> bool:
    names = {name for name, _ in all_args(action) if "".join(words_in(name)) in _REHEARSES}
    return is_stated(action, names, lambda value: value not in (False, None))


def _is_wanted(wider: frozenset[str], narrower: frozenset[str], task: str) -> bool:
    """Whether the request has a word of the wider filter, and none that only the narrower one has."""
    asked, (wide, narrow) = frozenset(words_in(task)), (_words_of(wider), _words_of(narrower))
    if any(has_form(word, asked) for word in narrow - wide if word not in row("all")):
        return False
    return any(has_form(word, asked) for word in wide - narrow)


def _words_of(values: frozenset[str]) -> set[str]:
    return {word for each in values for word in words_in(each) if len(word) > 2}


def _size_of(step: Shown) -> int | None:
    """How many things a step counted: a number that its output names as a count; None if it names none."""
    if len(step.step.args) > _MOST_ARGS or not isinstance(step.output, Mapping):
        return None
    for name, value in list(step.output.items())[:40]:
        words = " ".join(words_in(str(name)))
        if isinstance(value, int) and not isinstance(value, bool) and pattern("counts").search(words):
            return value
    return None


def _spelt(step: Shown) -> str:
    return ", ".join(value for _, value in values_in(step.step.args, LONGEST))[:200]
