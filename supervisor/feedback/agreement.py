"""Cohen's kappa: how far two people agree beyond what chance would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """`items` that both have labelled, the `observed` share on which they agree, and kappa: 1 is full agreement, 0 that
    of chance. Kappa is None if it is not defined: there are no items, or both use one and the same label for all."""

    items: int
    observed: float | None
    kappa: float | None


def agreement_of(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """The agreement in pairs of labels."""
    counted = Counter(pairs)
    items = counted.total()
    if not items:
        return Agreement(0, None, None)
    ones, others = Counter[str](), Counter[str]()
    for (one, other), number in counted.items():
        ones[one] += number
        others[other] += number
    observed = sum(number for (one, other), number in counted.items() if one == other) / items
    expected = sum(ones[label] * others[label] for label in ones) / items**2
    return Agreement(items, observed, None if expected == 1 else (observed - expected) / (1 - expected))
