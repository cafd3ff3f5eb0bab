"""The memory of an agent that a case describes by its actions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from supervisor.action import Action, Context
from supervisor.catalog.failure_mode import Past
from supervisor.evidence.actions.deed import bounded_deed, where
from supervisor.evidence.prose.pledges import pledge_in
from supervisor.intake.parsing import action_from, context_from
from supervisor.memory import AgentMemory, RefusedAct, digest

_DAY = 24 * 3600.0
_MINUTE = 60.0


def remembered(past: Iterable[Past], now: datetime) -> AgentMemory:
    """What an engine would remember at `now`. Raises BadInput if one of the actions is none."""
    memory = AgentMemory()
    for each in past:
        memory = _with(memory, each, now.timestamp())
    return memory


def _with(memory: AgentMemory, past: Past, now: float) -> AgentMemory:
    action, context = _proposed(past, past.args)
    at = now - past.days_ago * _DAY
    place = where(action, context)
    act = RefusedAct(
        action.kind,
        bounded_deed(action, context),
        past.by,
        tuple(at + number * _MINUTE for number in range(past.times)),
        session=past.session,
        place=place,
        task=digest(context.task),
        steps=past.steps,
        shown=f"{past.tool}: {' '.join(text for _, text in action.strings())}",
        reason=past.reason,
        correction=past.correction,
        amount=action.number("amount") if action.kind in ("payment", "refund") else None,
        state=past.state,
        pledge=pledge_in(past.promise, at + _MINUTE) if past.promise else None,
    )
    memory = AgentMemory((*memory.acts, act))
    for piece in past.pieces:
        done, where_done = _proposed(past, piece.args)
        amount = done.number("amount") if done.kind in ("payment", "refund") else None
        about = (done.kind, bounded_deed(done, where_done), place, amount, piece.session)
        memory = memory.done_in_part(*about, now - piece.days_ago * _DAY)
    return memory


def _proposed(past: Past, args: dict[str, object]) -> tuple[Action, Context]:
    return action_from({"tool": past.tool, "args": args, "kind": past.kind}), context_from(past.context)
