"""Whether a schedule runs at another time of day than the request says: every minute for 03:15, 8:00 for a window from
1:30 to 3:30."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.action import Context
from supervisor.evidence.situation.values.demands import clause_around
from supervisor.evidence.situation.values.seen import Mismatch, pattern

_MOST = 12
_DAY = 24 * 60
_TIME = r"(?<![\d:.-])([01]?\d|2[0-3])[:h]([0-5]\d)(?![\d:]|-\d)"
_PLAIN_TIME = r"([01]?\d|2[0-3])[:h]([0-5]\d)(?!\d)"
_SPAN = re.compile(
    rf"(?<![\d:.-]){_PLAIN_TIME}\s?(?:-|\u2013|\u2014|to|and|bis|und|à|et|a|y|e|do|tot|до|~|から|부터)\s?{_PLAIN_TIME}"
)
_ONE = re.compile(_TIME)
_FIELD = r"(?:\*(?:/\d{1,2})?|\d{1,2}(?:[-,/]\d{1,2}){0,12})"
_CRON = re.compile(
    rf"(?:^|[\s'\"`(])({_FIELD}) ({_FIELD}) ({_FIELD}) (\*|[\w,/*-]{{1,20}}) (\*|[\w,/*-]{{1,20}})(?=[\s'\"`)]|$)",
    re.MULTILINE,
)
_SET_TIME = re.compile(
    rf"(?i)(?:[-_]?(?:time|window|start|schedule|at|when)\b|/st\b|oncalendar)[^\n]{{0,40}}?{_TIME}(?::\d\d)?"
)
_OTHER_ZONE = re.compile(r"(?i)\b(?:utc|gmt|tz|time-?zone|[a-z]+/[A-Z][a-z]+|jst|cet|cest|est|pst|kst|ist)\b|\d[Zz]\b")


class _Times(NamedTuple):
    """The minutes of a day at which a request wants something, and the spans in which it may be."""

    at: tuple[int, ...]
    within: tuple[tuple[int, int], ...]

    def allow(self, minute: int) -> bool:
        return minute in self.at or any(
            first <= minute <= last if first <= last else not last < minute < first for first, last in self.within
        )


def other_times(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A schedule with none of the times that the request wants."""
    if ":" not in task and "h" not in task:
        return
    times = _wanted(task)
    if not (times.at or times.within):
        return
    used = _set_in(script)
    if not used or any(minute is not None and times.allow(minute) for minute, _ in used):
        return
    minutes = {each % 60 for each in (*times.at, *(first for first, _ in times.within))}
    is_moved = any(minute is not None and minute % 60 in minutes for minute, _ in used)
    zones = " ".join((task, script, *(step.text[:2000] for step in context.history[-_MOST:])))
    if not (is_moved and _OTHER_ZONE.search(zones)):
        wanted = (*times.at, *(first for first, _ in times.within))[0]
        yield Mismatch(f"{wanted // 60:02}:{wanted % 60:02}", used[0][1])


@lru_cache(maxsize=64)  # all actions of a session come with the same request
def _wanted(task: str) -> _Times:
    """The times of a request beside a word for a schedule, without those that only tell what has been."""
    rest = _SPAN.sub(" ", task)
    spans = (match for match in islice(_SPAN.finditer(task), _MOST) if _is_wanted(task, match))
    single = (match for match in islice(_ONE.finditer(rest), _MOST) if _is_wanted(rest, match))
    return _Times(
        tuple(_minute(match[1], match[2]) for match in single),
        tuple((_minute(match[1], match[2]), _minute(match[3], match[4])) for match in spans),
    )


def _is_wanted(task: str, match: re.Match[str]) -> bool:
    clause = clause_around(task, match.start(), match.end())
    return bool(pattern("schedules").search(clause)) and not pattern("described").search(clause.replace(" on ", " "))


def _set_in(script: str) -> list[tuple[int | None, str]]:
    """The times of a day that a script schedules, each as it is written; None for many times."""
    found: list[tuple[int | None, str]] = []
    for match in islice(_CRON.finditer(script), _MOST):
        minute, hour = match[1], match[2]
        is_one = minute.isdigit() and hour.isdigit()
        found.append(((int(hour) * 60 + int(minute)) % _DAY if is_one else None, match[0].strip()))
    found += [(_minute(each[1], each[2]), each[0].strip()) for each in islice(_SET_TIME.finditer(script), _MOST)]
    return found


def _minute(hour: str, minute: str) -> int:
    return int(hour) * 60 + int(minute)
