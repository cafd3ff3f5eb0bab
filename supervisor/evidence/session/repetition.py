"""Whether a session repeats itself: the same calls with the same results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import re2

from supervisor.action import Action, Context, Step
from supervisor.evidence.prose.wording import spaced

MAX_STEPS = 60
_WAITS = re2.compile(
    r"(?i)(?:^|[^a-z])(?:status|wait|poll|sleep|health|healthz|progress|ready|jobs?|queue|tail|watch|ping|time|now|date|screenshot"
    r"|scroll|next|page|down|random|roll|swipe|keys?|press|tick)(?:$|[^a-z])"
)


def is_waiting(action: Action) -> bool:
    """Whether a call polls, which is repeated until something happens."""
    if _WAITS.search(spaced(action.tool)):
        return True
    return any(isinstance(value, str) and _WAITS.search(value[:2_000]) for value in action.args.values())


def same_call(action: Action, step: Step) -> bool:
    """Whether a step was the same call as an action."""
    return step.tool == action.tool and _spaced(step.args) == _spaced(action.args)


def repeats(action: Action, context: Context) -> int:
    """The number of consecutive latest steps that were this call with the same result."""
    count, answer = 0, None
    for step in _latest(context):
        if not same_call(action, step) or step.output is None or (count and step.output != answer):
            break
        answer = step.output
        count += 1
    return count


def alternations(action: Action, context: Context) -> int:
    """The number of times that this call and another one alternate at the end of the session with the same results."""
    steps = _latest(context)
    if len(steps) < 2 or same_call(action, steps[0]) or not same_call(action, steps[1]):
        return 0
    other, own = steps[0], steps[1]
    turns = 0
    for theirs, ours in zip(steps[0::2], steps[1::2], strict=False):
        if not _same_step(theirs, other) or not _same_step(ours, own):
            break
        turns += 1
    return turns


def _same_step(one: Step, other: Step) -> bool:
    return one.tool == other.tool and one.output is not None and one.output == other.output and one.args == other.args


def _latest(context: Context) -> list[Step]:
    end = len(context.history)
    return [context.history[at] for at in range(end - 1, max(-1, end - 1 - MAX_STEPS), -1)]


def _spaced(args: Mapping[str, Any]) -> dict[str, Any]:
    return {name: " ".join(value.split()) if isinstance(value, str) else value for name, value in args.items()}
