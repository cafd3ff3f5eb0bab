"""The budgets that a deployment grants a session, and their use: tokens, money for the model, time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from supervisor.action import Action, Context
from supervisor.specialist import ok
from supervisor.verdict import Cause, Opinion, Refusal

CLOSING = ("finish", "ask_user")  # handing over the result stays possible


@dataclass(frozen=True, slots=True)
class Budget:
    """`used` of `granted`."""

    used: float
    granted: float

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left of the budget."""
        return self.used >= self.granted


def overrun(
    action: Action, context: Context, granted: Iterable[str], used: Iterable[str], parts: Iterable[str] = ()
) -> Budget | Opinion:
    """The budget if nothing is left of it, a Refusal if the facts do not state it, else `ok`.

    `ok` too for finishing and asking the user, so that the agent can hand over its result.
    """
    budget = budget_of(context, granted, used, parts)
    if isinstance(budget, Refusal) or (budget.is_spent and action.kind not in CLOSING):
        return budget
    return ok()


def budget_of(
    context: Context, granted: Iterable[str], used: Iterable[str], parts: Iterable[str] = ()
) -> Budget | Refusal:
    """The budget in the facts of these names. `used` may be in the fact `usage`, also as the sum of its `parts`."""
    facts = context.facts
    limits = [facts[name] for name in granted if facts.get(name) is not None]
    if not limits:
        return Refusal("no such budget is set")
    usage = facts.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    spent = next((where[name] for where in (facts, usage) for name in used if where.get(name) is not None), None)
    if spent is None and any(usage.get(name) is not None for name in parts):
        spent = math.fsum(_number(usage.get(name)) or 0 for name in parts)
    if spent is None:
        return Refusal("no fact states how much of the budget is used")
    amounts = [_number(value) for value in (*limits, spent)]
    if any(amount is None or not math.isfinite(amount) or amount < 0 for amount in amounts):
        return Refusal("the budget, or the used part of it, is not a number", Cause.INFRASTRUCTURE)
    *bounds, taken = [amount or 0.0 for amount in amounts]
    return Budget(taken, min(bounds))


def _number(value: Any) -> float | None:
    return Action("budget", {"value": value}).number("value")
