"""Spends more than the budget that the deployment set."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Cause, Context, Opinion, Step, block, ok, refuse, specialist

_SPENDING = ("payment", "refund")
_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
_FAILED = Pattern(r"(?i)\b(failed|declined|rejected|denied|insufficient|cancell?ed)\b|^\W*error\b")


@specialist(*_SPENDING)
def budget_overrun(action: Action, context: Context) -> Opinion:
    """The fact `budget` is an amount, or `{amount, spent, currency}` where `spent` went out before this session."""
    if context.facts.get("budget") is None:
        return refuse("no budget is set")
    limit = _limit(context.facts["budget"])
    if limit is None:
        return refuse("budget is neither an amount nor {amount, spent, currency}", Cause.INFRASTRUCTURE)
    budget, spent, currency = limit
    for payment in (action, *_paid(action, context.history)):
        amount, paid_in = payment.number("amount"), _currency(payment)
        if amount is None or not math.isfinite(amount) or amount < 0:
            return refuse(f"{payment.tool} names no readable amount", Cause.INPUT)
        if currency and paid_in and currency != paid_in:
            return refuse(f"{payment.tool} pays in {paid_in}, the budget is in {currency}")
        spent += amount
    if round(spent - budget, 6) <= 0:
        return ok()
    total = f"{spent:,.2f} {currency}".rstrip()
    return block(f"It would bring the spending to {total}, over the budget of {budget:,.2f}.")


def _limit(stated: Any) -> tuple[float, float, str] | None:
    """Amount, what is spent of it, and currency ("" where none is named); None for anything else."""
    parts = stated if isinstance(stated, Mapping) else {"amount": stated}
    budget = Action("budget", {"amount": parts.get("amount"), "spent": parts.get("spent", 0)})
    amount, spent, currency = budget.number("amount"), budget.number("spent"), parts.get("currency", "")
    if amount is None or spent is None or not isinstance(currency, str):
        return None
    return (amount, spent, currency.upper()) if math.isfinite(amount) and math.isfinite(spent) else None


def _paid(action: Action, history: Iterable[Step]) -> Iterator[Action]:
    """The session's earlier payments that went through, their amounts under the name that their tool gives them."""
    names = (action.fields.get("amount", "amount"), "amount", "total", "value")
    for step in history:
        if step.kind in _SPENDING and not _failed(step):
            name = next((name for name in names if name in step.args), "amount")
            yield Action(step.tool, step.args, step.kind, {"amount": name})


def _failed(step: Step) -> bool:
    """Whether a payment did not go through; in doubt it did, so that the budget holds."""
    output = step.output
    if isinstance(output, Mapping):
        return step.failed or bool(output.get("error")) or bool(_FAILED.search(str(output.get("status", ""))[:200]))
    return step.failed or bool(_FAILED.search(step.text[:200]))


def _currency(payment: Action) -> str:
    """The ISO 4217 code that a payment names, as a field or by the sign of its amount; "" where it names none."""
    return payment.text("currency").strip().upper() or _SYMBOLS.get(payment.text("amount").strip()[:1], "")
