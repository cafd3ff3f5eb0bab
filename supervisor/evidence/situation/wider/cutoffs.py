"""How old things are that a selection takes by a day: `LastLogonDate -lt "2026-03-01"`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice

from supervisor.action import Context, strings_in

_LATEST = 40  # steps
_MOST = 8
_DAY = re.compile(r"(?<!\d)(20\d{2})-(\d{2})-(\d{2})(?!\d)")
_BEFORE = re.compile(
    r"(?i)(?:<=?|-l[te]\b|\b(?:before|until|older[-_ ]?than|end(?:-?(?:time|date))?))"
    r"[\s=:(\"'\\]{1,6}(20\d{2}-\d{2}-\d{2})(?!\d)"
)
_SHOWS_DAY = re.compile(r"(?i)^\s*(?:date|get-date)\b")


def age_of_cutoff(text: str, context: Context) -> float:
    """The age in days above which a command takes things, by the day that it compares with; 0 if it compares with none
    or several, or nothing tells which day it is."""
    today = today_of(context)
    found = {day for each in islice(_BEFORE.findall(text), _MOST) for day in _days(each)}
    return float((today - found.pop()).days) if today and len(found) == 1 else 0.0


def today_of(context: Context) -> date | None:
    """The day at hand: a fact, or what `date` showed."""
    facts = (context.facts.get(name) for name in ("now", "today"))
    shown = (
        step.text
        for step in islice(reversed(context.history), _LATEST)
        if not step.failed and any(_SHOWS_DAY.search(text) for _, text in strings_in(step.args))
    )
    return next((day for text in (*facts, *shown) if isinstance(text, str) for day in _days(text)), None)


def _days(text: str) -> Iterator[date]:
    for year, month, day in islice(_DAY.findall(text[:4096]), _MOST):
        try:
            yield date(int(year), int(month), int(day))
        except ValueError:
            continue
