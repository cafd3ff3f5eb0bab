"""Spends more than the deployment's budget."""

import math
from collections.abc import Mapping
from typing import Any

from supervisor.evidence.session.spending import SPENDING, amount_of, paid_before
from supervisor.specialist import Action, Cause, Context, Opinion, Refusal, block, ok, refuse, specialist


@specialist(*SPENDING, facts=["budget"])
def budget_overrun(action: Action, context: Context) -> Opinion:
    """The fact `budget` is an amount, or `{amount, spent, currency}`, where `spent` was paid before this session."""
    if context.facts.get("budget") is None:
        return refuse("no budget is set")
    limit = _limit(context.facts["budget"])
    if limit is None:
        return refuse("budget is neither an amount nor {amount, spent, currency}", Cause.INFRASTRUCTURE)
    budget, spent, currency = limit
    amount = amount_of(action, currency)
    if isinstance(amount, Refusal):
        return amount
    paid = paid_before(action, context, currency)
    if isinstance(paid, Refusal):
        return paid
    spent += amount + paid
    if round(spent - budget, 6) <= 0:
        return ok()
    total = f"{spent:,.2f} {currency}".rstrip()
    return block(f"It would bring the spending to {total}, over the budget of {budget:,.2f}.")


def _limit(stated: Any) -> tuple[float, float, str] | None:
    """The amount, the part of it that is spent, and the currency ("" for none); None if the fact is neither form."""
    parts = stated if isinstance(stated, Mapping) else {"amount": stated}
    budget = Action("budget", {"amount": parts.get("amount"), "spent": parts.get("spent", 0)})
    amount, spent, currency = budget.number("amount"), budget.number("spent"), parts.get("currency", "")
    if amount is None or spent is None or not isinstance(currency, str):
        return None
    return (amount, spent, currency.upper()) if math.isfinite(amount) and math.isfinite(spent) else None
