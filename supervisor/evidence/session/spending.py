"""The amounts of payments, each in a currency that it may name, added up over a session."""

from __future__ import annotations

import math
from collections.abc import Mapping

import re2

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.named_args import named_args
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.reading.outputs import read_text, returned_values
from supervisor.intake.call_kinds import fields_of
from supervisor.verdict import Cause, Refusal

SPENDING = ("payment", "refund")
_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
_FAILED = re2.compile(r"(?i)\b(failed|declined|rejected|denied|insufficient|cancell?ed)\b|^\W*(error|failure)\b")
_NO_ERROR = frozenset({"", "-", "--", "none", "null", "nil", "no", "n/a", "na", "false", "0"})
_BAD_STATUSES = range(400, 600)  # of HTTP


def amount_of(payment: Action, currency: str) -> float | Refusal:
    """The amount of a payment; a Refusal if it cannot be read or is not in `currency` (any if "")."""
    amount, paid_in = payment.number("amount"), _currency(payment)
    if amount is None or not math.isfinite(amount) or amount < 0:
        return Refusal(f"{payment.tool} names no readable amount", Cause.INPUT)
    if currency and paid_in and currency != paid_in:
        return Refusal(f"{payment.tool} pays in {paid_in}, the budget is in {currency}")
    return amount


def paid_before(action: Action, context: Context, currency: str) -> float | Refusal:
    """The sum of the session's earlier successful payments; the Refusal for the first whose amount cannot be read.

    Their amounts may be in the field that the action's own tool uses.
    """
    paid = grown(context, _Paid, action.fields.get("amount", "amount"), currency)
    return paid.totals[len(context.history) - 1] if context.history else 0.0


def paid_to(action: Action, context: Context, payee: str) -> float:
    """The sum of the session's payments of this kind to one payee or for one order; unreadable amounts count as 0."""
    made = _made(action, context)
    return sum(amount for to, amount, _ in made if to == payee.casefold())


def made_before(action: Action, context: Context, payee: str, amount: float) -> bool:
    """Whether the session has successfully paid this amount to this payee with the same purpose."""
    purpose = _purpose(action)
    return any(
        to == payee.casefold() and abs(paid - amount) < 0.005 and note == purpose
        for to, paid, note in _made(action, context)
    )


def times_made(action: Action, context: Context) -> int:
    """The number of payments of this kind that the session has made."""
    return len(_made(action, context))


def _made(action: Action, context: Context) -> list[tuple[str, float, str]]:
    """The payee, the amount and the purpose of each successful payment of this action's kind."""
    made = grown(context, _Made, action.kind, action.tool, tuple(sorted(action.fields.items()))).made
    return [each for number, each in list(made.items()) if number < len(context.history)]


class _Made(Growing):
    """The payments of one kind, by their steps. `fields` are the names that a policy gave the parts of one tool."""

    def __init__(self, kind: str, tool: str, fields: tuple[tuple[str, str], ...]) -> None:
        self._kind = kind
        self._tool = tool
        self._fields = fields
        self.made: dict[int, tuple[str, float, str]] = {}

    def take(self, number: int, step: Step) -> None:
        if step.kind != self._kind or _failed(step):
            return
        own = dict(self._fields) if step.tool == self._tool else {}
        past = Action(step.tool, step.args, step.kind, {**fields_of(step.kind, step.args), **own})
        amount = amount_of(past, "")
        to = str(past.get("payee" if step.kind == "payment" else "order") or "").strip().casefold()
        self.made[number] = to, 0.0 if isinstance(amount, Refusal) else amount, _purpose(past)


def _purpose(payment: Action) -> str:
    return f"{payment.text('note') or payment.text('reason')}|{named_args(payment).get('date', '')}".casefold().strip()


class _Paid(Growing):
    """The sum of the payments after each step."""

    def __init__(self, name: str, currency: str) -> None:
        self._name = name
        self._currency = currency
        self.totals: list[float | Refusal] = []

    def take(self, number: int, step: Step) -> None:
        total = self.totals[number - 1] if number else 0.0
        if step.kind in SPENDING and not isinstance(total, Refusal) and not _failed(step):
            own = {"amount": self._name} if self._name in step.args else {}
            past = Action(
                step.tool, step.args, step.kind, {"amount": "value", **fields_of(step.kind, step.args), **own}
            )
            amount = amount_of(past, self._currency)
            total = amount if isinstance(amount, Refusal) else total + amount
        self.totals[number : number + 1] = [total]


def _failed(step: Step) -> bool:
    """Whether a payment failed. A doubtful payment counts as successful, so that the budget holds."""
    if step.failed:
        return True
    values = returned_values(step.output)
    if not isinstance(values, Mapping):
        return bool(_FAILED.search(step.text[:200]))
    outer = read_text(step.text) if step.text else step.output
    layers = [each for each in (values, outer) if isinstance(each, Mapping)]
    statuses = [each["status"] for each in layers if each.get("status") not in (None, "")]
    if statuses:
        return _is_failure(statuses[0])  # the payment's own; that of an envelope tells whether it was answered
    return any(values.get(name) is False for name in ("ok", "success")) or _is_error(values.get("error"))


def _is_failure(status: object) -> bool:
    return status in _BAD_STATUSES if isinstance(status, int) else bool(_FAILED.search(str(status)[:200]))


def _is_error(value: object) -> bool:
    return bool(value) and str(value).strip().lower() not in _NO_ERROR


def _currency(payment: Action) -> str:
    """The ISO 4217 code of a payment, from a field or the sign of its amount; "" if it names none."""
    return payment.text("currency").strip().upper() or _SYMBOLS.get(payment.text("amount").strip()[:1], "")
