"""Schedules that run far more often than their hour, their comment or the request says: `* 9 * * *` runs sixty times.

The five fields are the same in crontabs, jobs of Kubernetes, pipelines, clouds and libraries; some put seconds before
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MENTIONS = ("cron", "Cron", "CRON", "chedul")
_FIELD = r"[\d*/,?LW#A-Za-z-]{1,40}"
_FIVE = (
    r"(?P<minute>[\d*/,-]{1,40})\s+(?P<hour>[\d*/,-]{1,40})"
    rf"\s+(?P<day>{_FIELD})\s+(?P<month>{_FIELD})\s+(?P<week>{_FIELD})"
)
_LINE = re.compile(rf"^[ \t]*{_FIVE}\s+(?P<rest>\S[^\n]*)$", re.MULTILINE)
_QUOTED = re.compile(
    r"(?i:\b(?:cron\w*|schedule\w*|rate|spec|timer|trigger\w*)\b)[^\n]{0,60}?[\"'(= :]\s*(?:cron\()?"
    rf"(?:TZ=\S+\s+|CRON_TZ=\S+\s+)?(?P<whole>(?:{_FIELD}\s+){{4,6}}{_FIELD})\s*[\"')]"
)
_KEY = re.compile(
    rf"^[ \t-]*(?:cron\w*|schedule)[\"']?\s*[:=]\s*(?P<whole>(?:{_FIELD}\s+){{4,6}}{_FIELD})[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)
_CELERY = re.compile(r"\bcrontab\(\s*(?P<given>[^()\n]{0,200})\)")
_ANSIBLE = re.compile(
    r"^(?P<indent>[ \t]*)(?:ansible\.builtin\.)?cron:[ \t]*\n(?P<body>(?:(?P=indent)[ \t]+[^\n]*\n?){1,20})",
    re.MULTILINE,
)
_EVERY_MINUTE = re.compile(
    r"(?i)\b(?:every|each|per)[- ](?:single )?(?:minute|min\b|second)|minutely|\*/1\b|once a minute|every \d+"
    r" ?(?:min|sec)"
    r"|cada minuto|chaque minute|jede minute|co minutę|a cada minuto|毎分|每分钟|heartbeat|keep-?alive|poll"
)
# How often a text wants it, by the words for it; the number is how often a day.
_WANTED = tuple(
    (re.compile(words, re.IGNORECASE), times)
    for words, times in (
        (
            r"\b(?:hourly|every hour|once an hour|stündlich|cada hora|toutes les heures|co godzinę|a cada hora)\b|毎時"
            r"|每小时",
            24.0,
        ),
        (
            r"\b(?:daily|nightly|once a (?:day|night)|every (?:day|night|morning|evening)|each (?:day|night|morning)"
            r"|täglich|diari(?:o|a|amente)"
            r"|cada (?:día|noche|mañana)|todos los días|todo dia|tous les (?:jours|matins)|quotidien\w*|codziennie"
            r"|raz dziennie|co noc)\b|毎日|毎朝|每天",
            1.0,
        ),
        (
            r"\b(?:weekly|once a week|every (?:week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|wöchentlich"
            r"|semanal\w*|cada semana|hebdomadaire"
            r"|toutes les semaines|co tydzień|tygodniowo)\b|毎週|每周",
            1 / 7,
        ),
        (
            r"\b(?:monthly|once a month|every month|monatlich|mensual\w*|mensuel\w*|mensal\w*|co miesiąc"
            r"|miesięcznie)\b|毎月|每月",
            1 / 30,
        ),
    )
)
_OTHER_PACE = re.compile(
    r"(?i)\b(?:every|each|alle|cada|co|toutes les)\s+\d+|\btwice|\d+ times|times a day|\bhours? (?:of|from|between)"
    r"|between\b"
)


class Schedule(NamedTuple):
    """`times` is how often it runs on a day on which it runs at all; `a_day` the mean over all days. `said` is what
    stands beside it."""

    text: str
    times: int
    a_day: float
    said: str
    is_slip: bool  # every minute of a chosen hour, or of a chosen day


def schedules(path: str, text: str) -> Iterator[Schedule]:
    """The schedules of a crontab, a configuration or code."""
    if not any(word in path or word in text for word in _MENTIONS):
        return
    name = path.rpartition("/")[2].lower()
    if "cron" in path.lower() and not name.endswith(
        (".py", ".js", ".ts", ".java", ".kt", ".php", ".rb", ".go", ".cs", ".yml", ".yaml")
    ):
        for found in _LINE.finditer(text):
            yield from _of(found, found.groupdict(), text)
    for pattern in (_QUOTED, _KEY):
        for found in pattern.finditer(text):
            yield from _of(found, _fields(found["whole"], text), text)
    for found in _CELERY.finditer(text) if "celery" in text.lower() or "crontab(" in text else ():
        given = dict(re.findall(r"(\w+)\s*=\s*[\"']?([^,\"']+)", found["given"]))
        if given and not found["given"].lstrip()[:1].isdigit() and found["given"].lstrip()[:1] not in ("'", '"'):
            names = {
                "minute": "minute",
                "hour": "hour",
                "day": "day_of_month",
                "month": "month_of_year",
                "week": "day_of_week",
            }
            yield from _of(found, {own: given.get(other, "*").strip() for own, other in names.items()}, text)
    for found in _ANSIBLE.finditer(text):
        given = dict(
            re.findall(
                r"^\s*(minute|hour|day|month|weekday|special_time)\s*:\s*[\"']?([^\"'\n#]+)",
                found["body"],
                re.MULTILINE,
            )
        )
        if given and "special_time" not in given:
            fields = {name: given.get(name, "*").strip() for name in ("minute", "hour", "day", "month")}
            yield from _of(found, {**fields, "week": given.get("weekday", "*").strip()}, text)


def too_often(path: str, text: str, task: str) -> Schedule | None:
    """The schedule that runs far more often than what is said beside it or, of an only one, in the request."""
    found = list(schedules(path, text))[:200]
    for each in found:
        said = each.said if len(found) > 1 else f"{each.said}\n{task[:2_000]}"
        if _EVERY_MINUTE.search(said):
            continue
        wanted = next((times for words, times in _WANTED if words.search(said)), None)
        if each.is_slip or (wanted is not None and not _OTHER_PACE.search(said) and each.a_day > _FAR * wanted):
            return each
    return None


_FAR = 11  # times as often


def _fields(whole: str, text: str) -> dict[str, str]:
    """The five fields of an expression, which may have seconds before them or a year after them."""
    parts = whole.split()
    if len(parts) == 7 or (len(parts) == 6 and not _has_year(parts, text)):
        parts = parts[1:] if parts[0] != "*" else ["*", *parts[2:]]  # every second is as bad as every minute
    return dict(zip(("minute", "hour", "day", "month", "week"), parts, strict=False))


def _has_year(parts: list[str], text: str) -> bool:
    return "cron(" in text or re.fullmatch(r"(?:19|20)\d\d.*", parts[5]) is not None


def _of(found: re.Match[str], fields: dict[str, str], text: str) -> Iterator[Schedule]:
    counts = {
        name: _count(fields.get(name, "*"), most)
        for name, most in (("minute", 60), ("hour", 24), ("day", 31), ("week", 7))
    }
    if len(fields) < 5 or any(count is None for count in counts.values()):
        return
    minute, hour, day, week = (counts[name] or 0 for name in ("minute", "hour", "day", "week"))
    month = _count(fields["month"], 12) or 12
    share = min(day / 31, week / 7) * month / 12
    is_every_minute = minute == 60
    is_chosen_hour = hour <= 3 or (hour < 24 and fields["hour"].startswith("*/"))
    is_chosen_day = hour == 24 and (day <= 3 or week == 1)
    shown = " ".join(found[0].split())[:80]
    said = _beside(text, found.start(), found.end())
    yield Schedule(
        shown, minute * hour, minute * hour * share, said, is_every_minute and (is_chosen_hour or is_chosen_day)
    )


def _count(field: str, most: int) -> int | None:
    """How many values a field has; None if it is none."""
    if field in ("*", "?"):
        return most
    total = 0
    for part in field.split(","):
        span, _, step = part.partition("/")
        if step and not step.isdecimal():
            return None
        if span == "*":
            width = most
        elif re.fullmatch(r"\d{1,2}-\d{1,2}", span):
            first, last = map(int, span.split("-"))
            width = max(last - first + 1, 1)
        elif re.fullmatch(r"\d{1,2}", span):
            width = most - int(span) if step else 1
        elif re.fullmatch(r"[A-Za-z]{3}(?:-[A-Za-z]{3})?|L|\d?[LW]|\d#\d", span):
            width = 5 if "-" in span else 1
        else:
            return None
        total += -(-width // max(int(step or 1), 1))
    return min(total, most)


def _beside(text: str, start: int, end: int) -> str:
    """The line of a schedule, and the comments and names directly above and below it."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    line = text[first : last if last >= 0 else len(text)]
    above = text[:first].split("\n")[-4:-1]
    comments: list[str] = []
    for each in reversed(above):
        if not each.lstrip().startswith(("#", "//", "*", "--", "- name", "name", "@")):
            break
        comments.append(each)
    return "\n".join([*reversed(comments), line])
