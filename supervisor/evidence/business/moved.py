"""The amount of money that an action has moved, from its tool's output."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence.actions.results import returned, text_of, values_named
from supervisor.evidence.business.amounts import CODES, Money, number, sums_in

_VERBS = (
    *("captured", "charged", "credited", "debited", "paid", "payment"),
    *("refund", "refunded", "sent", "transfer", "transferred", "wired"),
)
_AMOUNTS = frozenset(
    {"amount", "total", *_VERBS, *(f"amount{verb}" for verb in _VERBS), *(f"{verb}amount" for verb in _VERBS)}
    | {f"total{verb}" for verb in _VERBS}
)
_EXTRAS = frozenset(
    {"fee", "fees", "tax", "taxes", "tip", "vat", "shipping", "surcharge", "processingfee", "servicefee"}
)
_CURRENCIES = frozenset({"currency", "currencycode"})
_STATES = frozenset({"status", "state", "result", "outcome"})
_CAME_TO_NOTHING = ("cancel", "declin", "error", "fail", "reject", "void")
_CENTS = 100
_MOST = 100  # sums of a text
_NEAR = 48  # characters after a verb that are searched for its sum


def moved(action: Action, context: Context) -> list[Money]:
    """The moved amounts in the output, in its own unit; empty if it reports that nothing was moved."""
    output = returned(action, context)
    if context.outcome.failed or any(_is_nothing(state) for _, state in values_named(output, _STATES)):
        return []
    if not output:
        return list(_sums_after_verbs(text_of(context)))
    currency = next(
        (str(code).upper() for _, code in values_named(output, _CURRENCIES) if str(code).upper() in CODES), ""
    )
    amounts = [number(value) for _, value in values_named(output, _AMOUNTS) if not isinstance(value, (bool, dict))]
    return [Money(amount, currency) for amount in amounts if amount is not None]


def agrees(asked: Money, found: list[Money], action: Action, context: Context) -> bool:
    """Whether one of the amounts is the requested one: in whole units or hundredths, with or without extras such as
    fees, or in another currency, which cannot be compared."""
    extras = [number(value) or 0.0 for _, value in values_named(returned(action, context), _EXTRAS)]
    sums = {asked.amount + sign * extra for extra in (0.0, *extras, sum(extras)) for sign in (1, -1)}
    return any(_is_foreign(asked, each) or any(_is_same(each.amount, sum_) for sum_ in sums) for each in found)


def _sums_after_verbs(text: str) -> list[Money]:
    """The sums that closely follow a verb such as "refunded"."""
    lower = text.lower()
    found: list[Money] = []
    for verb in _VERBS:
        at = lower.find(verb)
        while at >= 0 and len(found) < _MOST:
            clause = text[at : at + len(verb) + _NEAR].split("\n")[0].split(". ")[0]
            found += sums_in(clause)[:1]
            at = lower.find(verb, at + 1)
    return found


def _is_nothing(state: object) -> bool:
    return isinstance(state, str) and state.lower().startswith(_CAME_TO_NOTHING)


def _is_foreign(asked: Money, found: Money) -> bool:
    return bool(asked.currency and found.currency and asked.currency != found.currency)


def _is_same(found: float, asked: float) -> bool:
    return min(abs(abs(found) - asked), abs(abs(found) - asked * _CENTS), abs(abs(found) * _CENTS - asked)) < 0.006
