"""What a session's past shows, by bounded work in the host, so that an ordinary action after a quiet past waits for no
worker.

Some specialists judge every action that has a past: whether it repeats a call, whether the last output imitates the
user, whether an output dictated it. Most pasts hold none of that. Each output is looked at once, when it is observed,
and what it shows is kept with the history. When in doubt a sign is there: a sign too many costs a worker's turn, one
too few would change a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from supervisor.action import Action, Context
from supervisor.history import History
from supervisor.methods.dictated_prefilter import may_be_dictated
from supervisor.methods.past_outputs import Call, Heard, call_of, observed, take_new
from supervisor.specialist import DICTATED, IMITATED, REPEATED

_MOST_NEW = 4  # steps that a decision looks at; a session that was told at once is left to the workers
_LATEST = 20  # steps that may be repeated: as far as any judge of repetition looks
_LIMITS = frozenset({"max_alternations", "max_failed_repeats", "max_same_repeats"})  # facts; a bad one is reported
_EVERY = frozenset({DICTATED, IMITATED, REPEATED})


def signs_of_past(action: Action, context: Context) -> frozenset[str]:
    """What the past of an action shows of `supervisor.specialist.PAST_SIGNS`."""
    history = context.history
    if not history:
        return frozenset()
    if context.ran is not None or not isinstance(history, History):
        return _EVERY
    return frozenset(_signs(action, context, history))


def _signs(action: Action, context: Context, history: History) -> Iterator[str]:
    past, steps = observed(history), len(history)
    is_told_at_once = steps - len(past.heard) > _MOST_NEW
    if not is_told_at_once:
        take_new(history, past)
    first = max(0, steps - _LATEST)
    latest = past.calls[first:steps] if not is_told_at_once else [*map(call_of, history[first:])]
    if not _LIMITS.isdisjoint(context.facts) or _may_repeat(action, latest):
        yield REPEATED
    if is_told_at_once:
        yield from (DICTATED, IMITATED)
        return
    if past.heard[steps - 1] & (Heard.CLAIMS | Heard.UNREAD):
        yield IMITATED
    if may_be_dictated(action, context, past):
        yield DICTATED


def _may_repeat(action: Action, latest: Sequence[Call]) -> bool:
    """Whether one of the latest steps may be the same call, apart from spaces. Long texts are compared by their
    beginnings."""
    same = [call for call in latest if call.tool == action.tool]
    if not same:
        return False
    args = call_of(action).args
    return any(
        call.args.keys() == args.keys() and all(_may_equal(value, args[name]) for name, value in call.args.items())
        for call in same
    )


def _may_equal(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        (first, one_is_whole), (second, other_is_whole) = one, other
        if one_is_whole and other_is_whole:
            return bool(first == second)
        return bool(first.startswith(second) or second.startswith(first))
    return isinstance(one, (Mapping, list, tuple)) or bool(one == other)
