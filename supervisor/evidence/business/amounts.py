"""Amounts of money in records, arguments and sentences, in whole units of a currency."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import re2

from supervisor.action import Action, written_number
from supervisor.errors import Unreadable
from supervisor.evidence.actions.named_args import named_args
from supervisor.evidence.business.operations import MOST_ARGUMENTS, Operation
from supervisor.evidence.business.records import Record
from supervisor.evidence.business.words import listed, snake
from supervisor.policy.business import Column, Schema

SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW"}
CODES = listed(
    "USD EUR GBP JPY INR CHF CAD AUD CNY SEK NOK DKK PLN CZK HUF BRL MXN ZAR NZD SGD HKD KRW TRY RUB ILS AED THB"
)
_SPOKEN = {"dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "franc": "CHF", "rupee": "INR"}
_NUMBER = r"\d{1,3}(?:[,'. \x{a0}]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_WORDS = "dollars?|euros?|pounds?|yen|francs?|rupees?"
_SUM = re2.compile(
    rf"(?i)(?:(?P<sign>[$€£¥₹₽₩])\s?(?P<after>{_NUMBER})(?P<scale>\s?[km]\b)?"
    rf"|\b(?P<code>(?-i:[A-Z]{{3}}))\s?(?P<behind>{_NUMBER})\b"
    rf"|\b(?P<before>{_NUMBER})\s?(?P<unit>[€£]|[A-Z]{{3}}\b|(?:{_WORDS})\b))"
)
_THOUSANDS = re2.compile(r"\d{1,3}(?:\.\d{3})+")
_IN_NAMES = ("-", "_", "#", "/")  # before a figure that belongs to a name
_NAMES = listed(
    "amount total sum value price payment_amount refund_amount amount_due total_amount gross_amount credit_amount "
    "charge compensation_amount cost fee"
)
_PAID = ("amount_paid", "paid_amount", "total_paid", "paid", "captured_amount", "amount_captured")
_TOTAL = ("total", "total_amount", "grand_total", "order_total", "amount", "total_price", "price", "total_cost", "sum")
_REFUNDED = ("amount_refunded", "refunded_amount", "total_refunded", "refunded", "refund_total")
_DUE = ("amount_due", "total_due", "due_amount", "balance_due", "outstanding", "amount_owed", "open_amount")
_MOVES = frozenset({"pay", "refund", "transfer", "withdraw"})
_GRANTS = listed("credit certificate compensation goodwill payout reward rebate cashback payment")
_HISTORIES = ("payment_history", "payments", "transactions", "payment_transactions", "charges")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in whole units, and the ISO 4217 code of its currency ("" if none is named)."""

    amount: float
    currency: str = ""

    def __str__(self) -> str:
        return f"{self.amount:,.2f} {self.currency}".rstrip()


def number(value: Any) -> float | None:
    """A finite number, given as a number or as text; None for anything else."""
    found = Action("", {"n": value}).number("n")
    return found if found is not None and math.isfinite(found) else None


def sums_in(text: str) -> list[Money]:
    """The sums of money that a text names, each with its currency."""
    found, text, at = [], text[:20_000], 0
    while each := _SUM.search(text, at):
        at = each.end()
        parts = each.groupdict()
        if parts["before"] and text[each.start() - 1 : each.start()] in _IN_NAMES:
            at = each.start() + len(parts["before"])  # the end of a name before a sum: `c-5 USD 45`
            continue
        mark = parts["sign"] or parts["code"] or parts["unit"] or ""
        currency = SIGNS.get(mark) or _SPOKEN.get(mark.lower().rstrip("s")) or mark.upper()
        if currency in CODES or currency in SIGNS.values():
            found.append(Money(_read(parts["after"] or parts["behind"] or parts["before"], parts["scale"]), currency))
    return found


def _read(written: str, scale: str | None) -> float:
    plain = written.replace(".", "") if _THOUSANDS.fullmatch(written) else written  # no currency has thousandths here
    amount = written_number(plain.replace("\u00a0", " ")) or 0.0
    return amount * {"k": 1_000, "m": 1_000_000}.get((scale or "").strip().lower(), 1)


def requested_amount(action: Action, stated: Schema) -> Money | None:
    """The amount that an action moves; None if it names none or several.

    Raises Unreadable beyond MOST_ARGUMENTS.
    """
    if len(action.args) > MOST_ARGUMENTS:
        raise Unreadable(f"more than {MOST_ARGUMENTS} arguments")
    field = action.fields.get("amount", "amount").rpartition("/")[2]
    names = {snake(name) for name in stated.arguments.get("amount", ())} or {snake(field), *_NAMES}
    found = [(name, value) for name, value in named_args(action).items() if _plain(name) in names or name in names]
    amounts = {name: amount for name, value in found if (amount := number(value)) is not None}
    outer = {name: amounts[name] for each in action.args if (name := snake(str(each))) in amounts}
    known = outer or amounts  # of an order inside the call, the sum is not what is moved
    if len(known) != 1:
        return None
    (name, amount), *_ = known.items()
    return Money(amount / 100 if takes_cents(action, name, stated) else amount, currency_of(action, stated))


def takes_cents(action: Action, name: str, stated: Schema) -> bool:
    """Whether a tool takes this argument in hundredths, by the policy or the argument's own name."""
    tool = stated.tools.get(action.tool)
    return tool.unit == "cents" if tool is not None and tool.unit else _is_cents(name)


def currency_of(action: Action, stated: Schema) -> str:
    """The ISO 4217 code of an action's currency, from its own field or the sign of its amount; "" if none."""
    arguments = named_args(action)
    for name in (*stated.arguments.get("currency", ()), action.fields.get("currency", "currency"), "currency_code"):
        code = arguments.get(snake(name.rpartition("/")[2]))
        if isinstance(code, str) and code.strip().upper() in CODES:
            return code.strip().upper()
    signs = (value.strip()[:1] for value in arguments.values() if isinstance(value, str))
    return next((SIGNS[sign] for sign in signs if sign in SIGNS), "")


def moves_money(done: Operation) -> bool:
    """Whether an action pays, gives back or grants money."""
    return not done.reads and (done.act in _MOVES or not done.nouns.isdisjoint(_GRANTS))


def _plain(name: str) -> str:
    return snake(name).removesuffix("_cents").removesuffix("_minor").removesuffix("_usd").removesuffix("_eur")


def _is_cents(name: str) -> bool:
    return snake(name).endswith(("_cents", "_minor", "_pence", "_minor_units"))


def paid_for(record: Record) -> float | None:
    """The amount paid for a record, before refunds; None if the record does not contain it."""
    history = [each for name in _HISTORIES for each in _entries(record.values.get(name))]
    came_in = [amount for kind, amount in history if not _gives_back(kind)]
    if came_in:
        return sum(came_in)
    return column_amount(record, record.shape.paid, *_PAID) or column_amount(record, record.shape.total, *_TOTAL)


def given_back(record: Record) -> float:
    """The amount already refunded for a record."""
    history = [each for name in (*_HISTORIES, "refunds") for each in _entries(record.values.get(name), name)]
    went_out = sum(abs(amount) for kind, amount in history if _gives_back(kind))
    return went_out or column_amount(record, record.shape.refunded, *_REFUNDED) or 0.0


def due_for(record: Record) -> float | None:
    """The amount due for an invoice or a bill; None if the record does not contain it."""
    due = column_amount(record, record.shape.due, *_DUE)
    return due if due is not None else column_amount(record, record.shape.total, *_TOTAL)


def column_amount(record: Record, column: Column | str, *usual: str) -> float | None:
    """The amount in a column, in whole units. The unit comes from the schema's column, or else from the name."""
    if isinstance(column, Column):
        amount = number(record.values.get(column.column))
        if amount is not None:
            return amount if column.unit == "units" else amount / 100
    for name in (column, *usual) if isinstance(column, str) and column else usual:
        for spelled in (name, f"{name}_cents"):
            amount = number(record.values.get(spelled))
            if amount is not None:
                return amount / 100 if _is_cents(spelled) else amount
    return None


def _entries(listed: Any, kind: str = "") -> Iterable[tuple[str, float]]:
    """The kind of transaction and the amount of each entry of a payment history."""
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, Mapping):
            amount = number(each.get("amount", each.get("total")))
            entry_kind = next((each[name] for name in ("transaction_type", "type", "kind") if name in each), kind)
            if amount is not None and str(each.get("status", "")).lower() not in ("failed", "declined", "cancelled"):
                yield str(entry_kind).lower(), amount


def _gives_back(kind: str) -> bool:
    return "refund" in kind or "credit" in kind or "chargeback" in kind
