"""How much money an action has moved, as its tool says."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence.actions.results import returned, text_of, told
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
_NEAR = 48  # characters between what was done and the sum


def moved(action: Action, context: Context) -> list[Money]:
    """The amounts that the output says were moved, as it writes them; none where it says that nothing was."""
    said = returned(action, context)
    if context.outcome.failed or any(_is_nothing(state) for _, state in told(said, _STATES)):
        return []
    if not said:
        return list(_told_in(text_of(context)))
    currency = next((str(code).upper() for _, code in told(said, _CURRENCIES) if str(code).upper() in CODES), "")
    amounts = [number(value) for _, value in told(said, _AMOUNTS) if not isinstance(value, (bool, dict))]
    return [Money(amount, currency) for amount in amounts if amount is not None]


def agrees(asked: Money, found: list[Money], action: Action, context: Context) -> bool:
    """Whether one of the amounts is what was asked: in whole units or hundredths, with or without what came on top, or
    in another currency."""
    extras = [number(value) or 0.0 for _, value in told(returned(action, context), _EXTRAS)]
    sums = {asked.amount + sign * extra for extra in (0.0, *extras, sum(extras)) for sign in (1, -1)}
    return any(_is_foreign(asked, each) or any(_is_same(each.amount, sum_) for sum_ in sums) for each in found)


def _told_in(text: str) -> list[Money]:
    """The sums that follow closely on what was done with them."""
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
