# ruff: noqa: E501 - patterns of words in many scripts
"""Whether a command takes another day, month or span of time than the request names, or gives it no end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from itertools import islice

from supervisor.action import Context
from supervisor.evidence.situation.values.dates import Dated, Day, days_in, days_said, days_set
from supervisor.evidence.situation.values.demands import demands
from supervisor.evidence.situation.values.numbers import says_in
from supervisor.evidence.situation.values.rows import row
from supervisor.evidence.situation.values.seen import Mismatch, lines, pattern
from supervisor.evidence.situation.values.settings import written

_FAR = 62  # days by which a date is another one, where the request says "last week"
_MOST = 8
_MOMENT = re.compile(
    r"(?i)(?<![a-z])(start|end|from|until)\w*[\"'\\]{0,2}\s?[:=\s]\s?[\"'\\]{0,2}(20\d{2}-\d{2}-\d{2}T\d{2}:\d{2})"
)
_ENDLESS = re.compile(
    r"(?i)(?<!\w)(-{0,2}\w*never-?expires?[\s=:]{1,2}[\"']?\$?true"
    r"|-{0,2}\w*(?:expir|ttl)\w*[\s=:]{1,2}[\"']?(?:never|none|\$null|null|infinite|0))(?![\w.])"
)
_TIMED = re.compile(
    r"(?i)ttl|expir|valid|until|duration|lifetime|days|hours|@|\$|(?<!\w)-f\s|--file|<<|\.(?:json|ya?ml|hcl|toml)(?!\w)"
)


def other_days(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A day or a month in an option, a field or a partition."""
    said = days_said(task)
    after = written(script)
    given = list(days_set(after)) if said else []
    yield from _outside(given, said)
    if not given or any(day.role for day in said):
        return
    present = any(day.is_same(each) for day in said for each in days_in(after))
    is_set = any(day.is_same(each.day) for day in said for each in given)
    slack = _FAR if pattern("near").search(task) else 1
    for each in given:
        if all(day.distance(each.day) > slack for day in said):
            shown = [day for line in lines(context) for day in days_in(line)]
            is_known = any(day.is_same(each.day) for day in shown)
            beside = any(day.is_same(other) for day in said for other in shown)
            if (is_set and _is_edge(each) and not is_known) if present else (beside or not is_known):
                yield Mismatch(said[0].text, each.text)


def longer_spans(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """Days from start to end, where the request names hours of one day."""
    clocks = _clocks().findall(task)
    moments: dict[str, datetime] = {}
    for name, moment in islice(_MOMENT.findall(script), _MOST):
        try:
            moments.setdefault("start" if name.lower() in ("start", "from") else "end", datetime.fromisoformat(moment))
        except ValueError:
            return
    if len(clocks) == 1 and len(moments) == 2 and (moments["end"] - moments["start"]).days >= 2:
        yield Mismatch(clocks[0], f"{moments['start']} to {moments['end']}")


# A request for what belongs to one day: "yesterday's run", "den Lauf von gestern".
_DAY = r"(?:yesterday|today|last night|gestern|heute|letzte nacht|hier|aujourd.hui|ayer|hoy|ontem|hoje|ieri|oggi|wczoraj\w*|dzisiaj|gisteren|vandaag|dün|вчера\w*|сегодня\w*)"
_RUN = r"(?:run|runs|job|jobs|load|import|export|batch|partition|data|lauf|charge|daten|carga|ejecuci[óo]n|execu[çc][ãa]o|datos|dados|dati|dane|vuelta|запуск\w*)"
_ONE_DAY = re.compile(
    rf"(?i)\b{_DAY}(?:['\u2019]s)? (?:\w+ ){{0,2}}{_RUN}\b|\b{_RUN} (?:\w+ ){{0,2}}?(?:of|from|for|von|vom|de|d['\u2019]|do|da|di|z|van|за) {_DAY}\b"
    r"|\b(?:for|of|on|from) the \d{1,2}(?:st|nd|rd|th)\b(?! (?:to|and|-))|\b(?:vom|am|für den) \d{1,2}\.(?=\s|$)|\b(?:du|pour le|del(?: día)?|do dia|de dia) \d{1,2}\b(?! (?:au|al|a|à))"
)
_DAYS_WIDE = 4  # from the first to the last day of a span that is more than one


def more_than_one_day(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A span of many days, where the request is for what belongs to one."""
    said = _ONE_DAY.search(task)
    given = [*islice(days_set(written(script)), _MOST)] if said else []
    for first in given:
        for last in given:
            is_span = first.key in _STARTS and last.key in _STOPS
            if said and is_span and first.day.distance(last.day) >= _DAYS_WIDE:
                yield Mismatch(said[0], f"{first.text} {last.text}")
                return


_STARTS = frozenset("s start from since start-date startdate start-time after begin".split())
_STOPS = frozenset("e end to until end-date enddate end-time before till".split())


def no_end(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """No end, where the request says how long something is valid."""
    last = next((day.text for day in days_said(task) if day.day and _expires(day.text, task)), "")
    times = [each for each in demands(task) if each.quantity.sort == "time" and "retention" in each.concepts]
    wanted = last or next((each.quantity.text for each in times), "")
    if not wanted:
        return
    if endless := _ENDLESS.search(script):
        yield Mismatch(wanted, endless[1])
        return
    handed = None if _TIMED.search(script) or any(says_in(each, script) for each in times) else _handed().search(script)
    if times and handed:
        yield Mismatch(wanted, handed[0].strip())


def _outside(given: Sequence[Dated], said: Sequence[Day]) -> Iterator[Mismatch]:
    """The edge of a span that is not where the request puts it."""
    for role, name in (("start", "starts"), ("end", "stops")):
        wanted = [day for day in said if day.role == role]
        for each in given:
            if wanted and _edge(name).search(each.key) and all(day.distance(each.day) > 1 for day in said):
                yield Mismatch(wanted[0].text, each.text)


def _is_edge(given: Dated) -> bool:
    return bool(_edge("starts").search(given.key) or _edge("stops").search(given.key))


def _expires(day: str, task: str) -> bool:
    """Whether a request speaks of the end of something before it names a day."""
    at = task.find(day)
    return pattern("expires").search(task[max(0, at - 40) : at]) is not None


@cache
def _edge(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[^a-z])(?:{row(name)})(?:[^a-z]|$)")


@cache
def _clocks() -> re.Pattern[str]:
    return re.compile(
        rf"(?i)(?<![\d:.])\d{{1,2}}[:.]\d{{2}}\s?(?:{row('through')})\s?\d{{1,2}}[:.]\d{{2}}(?![\d:]|\.\d)"
    )


@cache
def _handed() -> re.Pattern[str]:
    things, makes = row("handed"), row("makes")
    return re.compile(
        rf"(?i)(?:^|[\s/-])(?:{things})(?:[\s-]\w+)?[\s-](?:{makes})(?!\w)"
        rf"|(?<!\w)(?:{makes})[\s-](?:\w+[\s-])?(?:{things})(?!\w)"
    )


def may_name_span(task: str) -> bool:
    """Whether a request names a day, or hours of a day."""
    return bool(days_said(task) or _clocks().search(task) or _ONE_DAY.search(task))
