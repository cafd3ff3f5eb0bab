"""Things that are older than a request sets as the bound: "delete the snapshots older than 2024-11-05", "than a year".

The row of a listing has the day of a thing. A thing whose row has a word of what the request leaves out is not meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date, timedelta
from itertools import islice

from supervisor.action import Context
from supervisor.evidence.changes.clauses import Clause, clauses_of, fold, said_by_user, words_of
from supervisor.evidence.situation.named.described import ages
from supervisor.evidence.situation.values.dates import days_said
from supervisor.evidence.situation.wider.cutoffs import today_of

__all__ = ["are_outlived", "is_too_young"]

_LATEST = 40  # steps in which a listing still counts
_LONGEST = 32 * 1024  # characters of an output
_MOST = 40  # things
_DAY = r"(20\d{2})-(\d\d?)-(\d\d?)"
# A day as the bound of what goes.
_BOUND = re.compile(
    r"\b(?:older than|before|prior to|alter als|(?:von )?vor(?: dem)?"
    r"|plus (?:anciens?|vieux|vieilles|anciennes) que(?: le)?"
    r"|avant(?: le)?|anterior(?:es)? (?:a|al|ao)|antes de[l]?|mas (?:antiguos|antiguas|viejos|viejas) que"
    r"|mais (?:antigos|antigas|velhos|velhas) (?:do )?que|(?:piu )?(?:vecchi|vecchie) dil?|prima del"
    r"|starsze niz|sprzed|przed|ouder dan|(?:van )?voor|старше|до)\s+" + _DAY + r"(?![\d-])"
)
_ISO = re.compile(rf"(?<![\d-]){_DAY}(?![\d-])")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_SPOKEN = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\.? +(\d\d?)\b[^\n]{{0,20}}?\b(20\d{{2}})\b")


def are_outlived(names: Collection[str], context: Context) -> bool:
    """Whether each of these things has one row in the listings, whose day is before the one that the request sets."""
    said = clauses_of(said_by_user(context))
    lines = [line for step in context.history[-_LATEST:] if not step.failed for line in _lines(step.text)]
    bound = _bound(said, lines, context)
    if bound is None or not 0 < len(names) <= _MOST:
        return False
    kept = {word for each in said if each.forbids for _, word in words_of(each.text) if len(word) > 3}
    return all(_is_older(name, bound, kept, lines) for name in names)


def is_too_young(name: str, context: Context) -> bool:
    """Whether the one row of a thing in the listings has a day that is not before the one that the request sets."""
    lines = [line for step in context.history[-_LATEST:] if not step.failed for line in _lines(step.text)]
    bound = _bound(clauses_of(said_by_user(context)), lines, context)
    rows = _rows(name, lines) if bound is not None else []
    return bound is not None and len(rows) == 1 and any(day >= bound for day in _days(_without(name, rows[0])))


def _rows(name: str, lines: Collection[str]) -> list[str]:
    whole = _whole(name)
    return [*dict.fromkeys(line for line in lines if whole.search(line))]


def _without(name: str, row: str) -> str:
    return _whole(name).sub(" ", row)


def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(fold(name))}(?![\w-])")


def _bound(said: Collection[Clause], lines: Collection[str], context: Context) -> date | None:
    """The day before which things go. An age counts back from today or, if nothing tells the day, from the latest day
    in the listings."""
    if found := next((found for each in said if not each.forbids and (found := _BOUND.search(each.text))), None):
        return _date(*found.groups())
    age = next(ages(said_by_user(context)), None)
    if age is None:
        return None
    latest = (
        _today_said(context) or today_of(context) or max((day for line in lines for day in _days(line)), default=None)
    )
    return latest - timedelta(days=age[1]) if latest else None


_TODAY = re.compile(
    r"(?i)\b(?:today|heute|aujourd.hui|hoy|hoje|oggi|dzi[śs]|dzisiaj|vandaag|bugün|tänään|idag|i dag|сегодня)\b"
    r"[^.;]{0,12}$"
    r"|(?:오늘|今日|今天)[^.;]{0,6}$"
)


def _today_said(context: Context) -> date | None:
    """The day that the request calls today."""
    task = (context.task or "")[:_LONGEST]
    said = (day for day in days_said(task) if day.year and day.day and _TODAY.search(task[: task.find(day.text)]))
    return next((_date(*day[:3]) for day in said), None)


def _lines(text: str) -> list[str]:
    return fold(text[:_LONGEST]).splitlines()


def _is_older(name: str, bound: date, kept: set[str], lines: Collection[str]) -> bool:
    rows = _rows(name, lines)
    if len(rows) != 1 or not kept.isdisjoint(word for _, word in words_of(rows[0])):
        return False
    days = _days(_without(name, rows[0]))
    return bool(days) and all(day < bound for day in days)


def _days(row: str) -> list[date]:
    spoken = ((year, _MONTHS.index(month) + 1, day) for month, day, year in islice(_SPOKEN.findall(row), 4))
    found = (_date(*parts) for parts in (*islice(_ISO.findall(row), 4), *spoken))
    return [day for day in found if day is not None]


def _date(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
