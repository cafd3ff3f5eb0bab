"""An amount with one digit too many: ten times a figure that the session contains, and nowhere itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence.business.amounts import number
from supervisor.evidence.business.words import listed, words
from supervisor.evidence.prose.figures import values_in
from supervisor.evidence.prose.passages import said

_LATEST = 20  # steps
_LONGEST = 64 * 1024  # characters that are searched for figures
_MOST = 100  # arguments
_LEAST = 100  # smaller amounts occur by chance
_MOST_COUNTS = 1_000  # whole numbers that may be a quantity
_FACTOR = 10
_WRITTEN = re.compile(r"\d[\d., ]{0,30}")
_AMOUNTS = listed(
    "amount total sum points delta value price salary monto montant betrag importe bedrag kwota importo valor preis"
)


def tenfold(action: Action, context: Context) -> tuple[float, float] | None:
    """The amount of the action, and the figure of which it is ten times; None if there is none.

    An amount that was multiplied by a ten of the session, that is a price times a quantity, or that is in cents, is no
    slip.
    """
    proposed = [each for each in _amounts(action.args) if each >= _LEAST]
    if not proposed:
        return None
    figures = _figures(context)
    if _FACTOR in figures:
        return None
    for amount in proposed:
        if not figures & {amount, amount / 100} and amount / _FACTOR in figures and not _is_product(amount, figures):
            return amount, amount / _FACTOR
    return None


def _is_product(amount: float, figures: set[float]) -> bool:
    """Whether an amount is a whole number of the session times another figure of it."""
    counts = [each for each in figures if 1 < each < amount and each.is_integer()]
    return any(amount / each in figures for each in counts[:_MOST_COUNTS])


def names_amount(action: Action) -> bool:
    """Whether an action names an amount that is large enough to be compared."""
    return any(each >= _LEAST for each in _amounts(action.args))


def _amounts(args: Mapping[str, Any]) -> Iterator[float]:
    nested = [each for value in args.values() if isinstance(value, Mapping) for each in value.items()]
    for name, value in [*args.items(), *nested][:_MOST]:
        if not _AMOUNTS.isdisjoint(words(str(name))) and (amount := _read(value)) is not None:
            yield amount


def _read(value: Any) -> float | None:
    """A number, also one that is written as people write it: `1.900.000`. None if it may be read in two ways."""
    plain = number(value)
    if plain is not None or not isinstance(value, str) or not _WRITTEN.fullmatch(value):
        return plain
    found = set(values_in(value))
    return found.pop() if len(found) == 1 else None


def _figures(context: Context) -> set[float]:
    """The figures in the task and in the latest outputs, in each way in which they may be read."""
    outputs = [f"{said(step.output)} {step.args}" for step in context.history[-_LATEST:]]
    return set(values_in("\n".join((context.task or "", *outputs))[:_LONGEST]))
