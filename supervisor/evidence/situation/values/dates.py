"""Days and months as requests and commands write them: `17.6.`, `May 2025`, `20250617`, `2025年5月`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.situation.values.rows import row
from supervisor.evidence.situation.values.seen import pattern

_MOST = 40
_ISO = re.compile(r"(?<![\d-])(?P<year>20\d{2}|19\d{2})[-/](?P<month>\d{2})(?:[-/](?P<day>\d{2}))?(?![\d-]\d|\d)")
_DIGITS = re.compile(r"(?<!\d)(?P<year>20\d{2})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])?(?!\d)")
_DOTTED = re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>20\d{2})?(?![\d])(?!\.\d)")
_ASIAN = re.compile(r"(?:(?P<year>20\d{2})\s?[年년]\s?)?(?P<month>\d{1,2})\s?[月월]\s?(?:(?P<day>\d{1,2})\s?[日일])?")
_OPTION = re.compile(
    r"(?P<key>(?<![\w-])--?[A-Za-z][\w-]{0,40}|[A-Za-z_][\w.-]{0,40}|(?i:partition))[\"'\\]{0,2}(?:\s{0,2}(?:=>|[<>]?=|[:=<>])\s{0,2}|\s{1,2})"
    r"[\"'\\(]{0,3}(?P<value>(?:20|19)\d{2}(?:[-/]?\d{2}){1,2}(?:[T ]\d{2}:\d{2})?)"
)


_CLAUSE = re.compile(r"[,;!?\n\u3002\u3001\uff0c]|\.(?=\s|$)")


class Day(NamedTuple):
    """A day, or a whole month if `day` is 0. `year` is 0 if it is not said."""

    year: int
    month: int
    day: int
    text: str
    role: str = ""  # "start" or "end" of a span, "bound" if it only limits

    def is_same(self, other: Day) -> bool:
        """Whether two are the same, as far as both say it."""
        return all(not one or not two or one == two for one, two in zip(self[:3], other[:3], strict=True)) and bool(
            self.day or not other.day or self.month == other.month
        )

    def distance(self, other: Day) -> int:
        """The days between two, by the nearest year if one has none; 0 if one is within the other's month."""
        if self.is_same(other):
            return 0
        if not self.day and not other.day:
            return 31
        years = [self.year] if self.year else [other.year - 1, other.year, other.year + 1] if other.year else [2024]
        spans = []
        for year in years:
            for first in self._edges(year):
                spans += [abs((first - second).days) for second in other._edges(other.year or year)]
        return min(spans, default=0)

    def _edges(self, year: int) -> list[date]:
        """The first and the last day."""
        try:
            if self.day:
                return [date(year, self.month, self.day)]
            return [date(year, self.month, 1), date(year, self.month, 28)]
        except ValueError:
            return []


class Dated(NamedTuple):
    """A day that a command gives to something."""

    key: str
    day: Day
    text: str


@lru_cache(maxsize=64)
def days_said(task: str) -> tuple[Day, ...]:
    """The days and months of a request, each with its role."""
    if not any(letter.isdigit() for letter in task):
        return ()
    found: list[tuple[int, int, Day]] = []
    for form in (*_named(), _ISO, _DOTTED, _ASIAN, _DIGITS):
        for match in islice(form.finditer(task), _MOST):
            day = _day(match)
            if day and all(match.end() <= start or end <= match.start() for start, end, _ in found):
                found.append((match.start(), match.end(), day))
    return tuple(_with_roles(task, sorted(found, key=lambda each: each[0])))


def days_in(text: str) -> Iterator[Day]:
    """The days and months that stand in a script or an output in figures."""
    for form in (_ISO, _DIGITS, _DOTTED):
        for match in islice(form.finditer(text), _MOST):
            if day := _day(match):
                yield day


def days_set(text: str) -> Iterator[Dated]:
    """The days that a script gives to options, fields and partitions."""
    for match in islice(_OPTION.finditer(text), _MOST):
        if day := next(days_in(match["value"]), None):
            yield Dated(match["key"].lstrip("-").lower(), day, f"{match['key']} {match['value']}")


def _day(match: re.Match[str]) -> Day | None:
    parts = match.groupdict()
    month = int(parts["month"]) if parts.get("month") else _month(parts.get("name") or "")
    day, year = int(parts.get("day") or 0), int(parts.get("year") or 0)
    if not year and _is_plain_word(parts.get("name") or ""):
        return None
    if not 1 <= month <= 12 or day > 31 or not (day or year or match.re is _ASIAN):
        return None
    return Day(year, month, day, match[0].strip())


def _is_plain_word(name: str) -> bool:
    """Whether a name of a month may be another word: "may 3 files", "mar 3"."""
    return 0 < len(name) <= 4 and name.islower() and name.isascii()


@cache
def _months() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(line.strip(), re.IGNORECASE) for line in row("months").strip().split("\n"))


def _month(name: str) -> int:
    return next((number for number, words in enumerate(_months(), 1) if words.fullmatch(name)), 0)


@cache
def _named() -> tuple[re.Pattern[str], ...]:
    names = f"(?P<name>{'|'.join(words.pattern for words in _months())})"
    year = r"(?P<year>20\d{2})"
    first = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.|º|er)?\s(?:of |de |di )?"
    return tuple(
        re.compile(f"(?i){each}")
        for each in (
            rf"(?<![\w.]){first}{names}(?!\w)(?:,?\s(?:de |del )?{year}(?!\d))?",
            rf"(?<!\w){names}\.?\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.]\d|\d|\w)(?:,?\s{year}(?!\d))?",
            rf"(?<!\w){names}\.?,?\s(?:of |de |del )?{year}(?!\d)",
        )
    )


@cache
def _word(name: str, *, ends: bool) -> re.Pattern[str]:
    words = rf"(?:{row(name)})"
    return re.compile(
        rf"(?i)(?<!\w){words}\s{{0,2}}(?:the |dem |den |le |el |o |il )?$" if ends else rf"(?i)\s?{words}\s?"
    )


def _with_roles(task: str, found: list[tuple[int, int, Day]]) -> Iterator[Day]:
    for place, (start, end, day) in enumerate(found):
        before = task[max(0, start - 24) : start]
        following = task[end : found[place + 1][0]] if place + 1 < len(found) else ""
        previous = task[found[place - 1][1] : start] if place else ""
        if following and _word("through", ends=False).fullmatch(following):
            yield day._replace(role="start")
        elif previous and _word("through", ends=False).fullmatch(previous):
            yield day._replace(role="end")
        else:
            is_bound = _is_bound(before, task[end : end + 12]) or not _is_worked_on(task, start, end)
            yield day._replace(role="bound") if is_bound else day


def _is_worked_on(task: str, start: int, end: int) -> bool:
    """Whether a day is what the request wants something done with, not when something happened."""
    before = _CLAUSE.split(task[max(0, start - 80) : start])[-1]
    behind = _CLAUSE.split(task[end : end + 60])[0]
    works = pattern("works").search(f"{before} {behind}") or pattern("works_asian", whole=False).search(behind)
    if works and not pattern("past").search(before):
        return True
    return pattern("that_day").search(task) is not None


def _is_bound(before: str, behind: str) -> bool:
    """Whether the words around a day make it a limit: "since", "older than"."""
    words = (_word("bounding", ends=True), _word("since", ends=True))
    return any(each.search(before) for each in words) or bool(re.match(row("bounding_after"), behind))
