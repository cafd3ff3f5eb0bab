"""Whether a cap on spending is reached: pure functions of what was spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from supervisor.policy.spending import Cap
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import GIVE_UP, RETRY, Question

_MARGIN = 1.0  # seconds after midnight, so that no clock that is a little behind still has the day before


@dataclass(frozen=True, slots=True)
class Sum:
    """What was spent. `dollars` are those of the models whose price is known; `unpriced` names the others."""

    tokens: int = 0
    dollars: float = 0.0
    unpriced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """A cap that is reached, as a sentence. `until` is when it is one no longer by itself, in seconds since 1970; else
    a person decides, and `raises` is the cap that the answer raises: `task`, or `tree:` and the task above it."""

    reason: str
    until: float | None = None
    raises: str = ""

    def outcome(self, now: float) -> Outcome:
        """How an attempt ends that may spend no more."""
        if self.until is not None:
            return Outcome(Ending.LIMITED, self.reason, wait=max(0.0, self.until - now))
        asked = f"{self.reason}. May it spend as much again?"
        return Outcome(Ending.PARKED, asked, question=Question(asked, (RETRY, GIVE_UP), raises=self.raises))


def reached(cap: Cap, spent: Sum, whose: str, grants: int = 0) -> str:
    """Why no more may be spent under a cap; empty if more may be. `grants` is how often a person has allowed as much
    again. `whose` says what the cap is of."""
    times = grants + 1
    if cap.tokens is not None and spent.tokens >= cap.tokens * times:
        return f"{whose} has spent {spent.tokens:,} tokens, and may spend {cap.tokens * times:,}"
    if cap.dollars is None:
        return ""
    if spent.unpriced:
        models = ", ".join(spent.unpriced)
        return f"{whose} has a cap in dollars, and nobody has told the price of {models}: set spending.prices"
    if spent.dollars >= cap.dollars * times:
        return f"{whose} has spent {money(spent.dollars)}, and may spend {money(cap.dollars * times)}"
    return ""


def money(dollars: float) -> str:
    """Dollars with as many digits as it takes to tell them from none."""
    return f"${dollars:,.2f}" if dollars >= 1 or dollars == 0 else f"${dollars:.4f}"


def told(spent: Sum) -> str:
    """A sum for people. Where a price is not known, that is told."""
    price = ", ".join(spent.unpriced)
    parts = [money(spent.dollars) if spent.dollars or not spent.unpriced else "", f"{spent.tokens:,} tokens"]
    return ", ".join(filter(None, [*parts, f"no price of {price}" if price else ""]))


def day_of(now: float) -> str:
    """The day (UTC) of a time, as 2026-11-27."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def next_day(now: float) -> float:
    """When the next day (UTC) begins, in seconds since 1970."""
    tomorrow = datetime.fromtimestamp(now, UTC).date() + timedelta(days=1)
    return datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=UTC).timestamp() + _MARGIN


def first(found: Sequence[Reached | None]) -> Reached | None:
    return next((each for each in found if each is not None), None)
