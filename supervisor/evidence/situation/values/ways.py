"""Whether a command does a thing in another way than the request says: in clear what is to be encrypted or anonymised,
moved what is to be copied, deleted what is to be disabled, every minute what is to run daily."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from supervisor.action import Context, strings_in
from supervisor.evidence.commands.hints import compiled
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.situation.values.seen import LATEST, MOST_TEXT, Mismatch, lines
from supervisor.evidence.situation.warned import pattern

_MOST = 12  # schedules of a script
_CRON = re.compile(r"(?<![\w*/,-])([\d*,/-]{1,40})[ \t]+([\d*,/-]{1,40})((?:[ \t]+[\w*,/-]{1,20}){3})(?=[ \t\"'\\)]|$)")
_CALENDAR = re.compile(r"(?i)\boncalendar\s?=\s?([^\n\\\"']{3,60})|/sc\s+(\w{4,8})|\brate\((\d{1,4} \w{4,8})\)")
_WEEKDAY = re.compile(r"(?i)(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*(?=\s)")
_RANKS = ("minute", "hour", "day", "week", "month")


def may_name_way(task: str) -> bool:
    """Whether a request says in which way a thing is to be done."""
    return any(_of_way(name, "asked").search(task) for name in _ways()) or bool(_frequencies(task))


def other_ways(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """The way of the request that a script leaves, and the words of the script that show it."""
    for name, way in _ways().items():
        asked = _of_way(name, "asked").search(task)
        if asked is None or _of_way(name, "unless").search(task):
            continue
        if way.get("describes") and _describes_source(task[asked.end() :], script):
            continue
        if way.get("keeps_all") and pattern("removing").search(task):
            continue
        used = _of_way(name, "used").search(script)
        if used is None:
            continue
        if "done" in way and any(_of_way(name, "done").search(text) for text in (script, *_earlier(context))):
            continue
        yield Mismatch(asked[0].strip(), f"{used[0].strip()[:80]} ({name})")


_NAMED = re.compile(r"\s+(?:[^\W\d_]{1,20}\s+){0,2}[\"'`]?(?=[\w.-]*[_\d-])(\w[\w.-]{2,60}\w)")


def _describes_source(following: str, script: str) -> bool:
    """Whether the word for a way tells what a named source is already: "the anonymized db shop_anon"."""
    found = _NAMED.match(following)
    return found is not None and re.search(rf"(?<![\w-]){re.escape(found[1])}(?![\w-])", script) is not None


def _ways() -> Mapping[str, Mapping[str, list[str]]]:
    found: Mapping[str, Mapping[str, list[str]]] = table_beside(__file__, "ways.yaml")["ways"]
    return found


@cache
def _of_way(name: str, part: str) -> Any:
    return compiled(_ways()[name][part])


@cache
def _often(rank: str) -> Any:
    return compiled(table_beside(__file__, "ways.yaml")["often"][rank])


def _earlier(context: Context) -> Iterator[str]:
    """The latest commands."""
    for step in islice(reversed(context.history), LATEST):
        yield from (text[:MOST_TEXT] for _, text in islice(strings_in(step.args), 8))


def oftener(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A schedule that runs more often than the request says, and that no output shows as the present one."""
    said = _frequencies(task)
    if not said:
        return
    least = min(_RANKS.index(each) for each in said)
    for written, rank in islice(_schedules(script), _MOST):
        if rank < least and not any(written in line for line in lines(context)):
            yield Mismatch(said[_RANKS[least]], written)


def _frequencies(task: str) -> dict[str, str]:
    """How often the request has something run, each with its words."""
    found = {rank: _often(rank).search(task) for rank in _RANKS}
    return {rank: match[0] for rank, match in found.items() if match}


def _schedules(script: str) -> Iterator[tuple[str, int]]:
    """The schedules of a script as they are written, each with the place of its unit."""
    for minute, hour, rest in _CRON.findall(script):
        days = rest.split()
        if all(re.fullmatch(r"[\d*,/-]+|[A-Za-z]{3}(?:[-,][A-Za-z]{3})*", each) for each in days):
            yield f"{minute} {hour}{rest}", _rank_of(minute, hour, days[0], days[2])
    for calendar, every, rate in _CALENDAR.findall(script):
        if clock := re.search(r"(\S+):(\S+?)(?::\S+)?$", calendar):
            date = calendar[: clock.start()]
            day, week = date.rpartition("-")[2].strip() or "*", (_WEEKDAY.match(date) or ["*"])[0]
            yield calendar, _rank_of(clock[2], clock[1], day, week)
        elif unit := next((each for each in _RANKS if (calendar or every or rate).lower().find(each[:4]) >= 0), ""):
            yield calendar or every or rate, _RANKS.index(unit)


def _rank_of(minute: str, hour: str, day: str, weekday: str) -> int:
    """The place of the unit in which a schedule comes again: a month if it has one day of it."""
    if _is_open(minute) or _is_open(hour):
        return _RANKS.index("minute" if _is_open(minute) else "hour")
    return _RANKS.index("month" if day.isdigit() else "week" if weekday.isalnum() else "day")


def _is_open(field: str) -> bool:
    return field.startswith("*")
