# ruff: noqa: E501, RUF001 - patterns of words in many languages
"""Acts that the request puts at a time of day, and a clock that shows another: "restart it tonight after 22:00" at 10:12.

The clock is the fact `now`, or the latest output of a command that shows the time. A command that runs later by itself is
in time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.warned import Warned, said

_LATEST = 20  # steps
_DAY = 24 * 60  # minutes
_SLACK = 30  # minutes by which an act may be early
_NIGHT = 6 * 60  # until then, "tonight" is not over
_GRAVE = frozenset({"delete", "deploy", "restart", "revert", "stop"})
_TIME = r"(\d{1,2})(?:[:.h](\d{2}))?\s?(?:h\b|uhr\b|o.clock\b)?"
_FROM = re.compile(
    rf"(?i)\b(?:(?:only |not |nothing )?(?:after|before)|from|at|erst (?:ab|nach|um)|nicht vor|ab|nach|um|pas avant|apr[èe]s|[àa] partir de|no antes de|despu[ée]s de|a partir de|depois d[ae]s?|antes das|dopo le|non prima delle|dalle|po|od|na|vanaf|после|с) (?:las |as |le )?{_TIME}(?!\s?(?:%|gb|mb|days?|tage|jours|vms?|pcs?|hosts?|users?|min|sec|ms|/|-\d{{2}}-))"
)
_WINDOW = re.compile(
    rf"(?i)\b(?:window|slot|maintenance|fenster|wartung\w*|fen[êe]tre|ventana|janela|finestra|okno|venster|between|zwischen|entre|tra|fra)\b[^.;\n]{{0,20}}?{_TIME}\s?(?:-|–|to|and|bis|und|[àa]|et|y|e|do|tot)\s?{_TIME}"
)
_TONIGHT = re.compile(
    r"(?i)\b(?:tonight|this evening|heute (?:abend|nacht)|ce soir|cette nuit|esta noche|esta noite|logo [àa] noite|stasera|stanotte|dzi[śs] (?:wieczorem|w nocy)|vanavond|vannacht|bu gece|сегодня (?:ночью|вечером)|after hours|out of hours|nach feierabend)\b|今夜|오늘 밤|今晚"
)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?(?:\s?([AP])M)?", re.IGNORECASE)
_SHOWS_TIME = re.compile(r"(?i)(?:^|[;&|]\s*)(?:date|get-date|uptime|timedatectl|time /t)\b")
_LATER = re.compile(
    r"(?i)\bat (?:now|\d|-t)|\bschtasks\b|new-scheduledtask|--on-calendar|--on-active|\bcrontab\b|/etc/cron|\bsleep \d{3,}|start-sleep|\bshutdown\b[^;\n]{0,40}(?:\d\d:\d\d|\+\d{2,}|/t \d{3,})|--schedul\w*|--start-?time|--at[= ]|preferred-maintenance"
)


def before_its_hour(action: Action, context: Context) -> tuple[Deed, Warned] | None:
    """The first grave deed that runs at another hour than the request puts it."""
    wanted = _wanted(said(context))
    now = _clock(context) if wanted else None
    if wanted is None or now is None or _LATER.search(action.text("command")):
        return None
    first, last, words = wanted
    is_in_time = (first - now) % _DAY <= _SLACK or (now - first) % _DAY <= (last - first) % _DAY
    done = None if is_in_time else next((deed for deed in deeds(action, context) if deed.sort in _GRAVE), None)
    return (done, Warned(f"{now // 60:02}:{now % 60:02}", done.command.text[:200], words)) if done else None


def is_over(sentence: str, context: Context) -> bool:
    """Whether what a sentence says to be going on has ended: the clock shows the hour behind "till", or one of the latest
    outputs shows that nobody and nothing is there any more."""
    until, now = _TILL.search(sentence), _clock(context)
    end = _minute(until[1], until[2]) if until else None
    if end is not None and now is not None and now >= end:
        return True
    return any(_NOBODY.search(step.text[:2000]) for step in islice(reversed(context.history), _LATEST))


_TILL = re.compile(
    rf"(?i)\b(?:till|until|bis|jusqu.[àa]|hasta las?|at[ée] [àa]s?|fino alle|do|tot|до|til|till kl) {_TIME}"
)
_NOBODY = re.compile(
    r"(?im)^\s*0\s*$|\b0 (?:active|open|running|current|connected)? ?(?:users?|sessions?|connections?|clients?|channels?|calls?|listeners?|players?|viewers?|jobs?|streams?)\b|\bno (?:active|open|running|current) \w+"
)


@lru_cache(maxsize=64)
def _wanted(task: str) -> tuple[int, int, str] | None:
    """From when to when the request wants it done, in minutes of a day, and its words."""
    if window := _WINDOW.search(task):
        first, last = _minute(window[1], window[2]), _minute(window[3], window[4])
        return (first, last, window[0].strip()) if first is not None and last is not None else None
    if _TONIGHT.search(task) and (start := _FROM.search(task)):
        minute = _minute(start[1], start[2])
        return (minute, _NIGHT, start[0].strip()) if minute is not None and minute >= 16 * 60 else None
    return None


def _minute(hour: str, minute: str | None) -> int | None:
    value = int(hour) * 60 + int(minute or 0)
    return value if value < _DAY else None


def _clock(context: Context) -> int | None:
    """The time of day at hand."""
    fact = context.facts.get("now")
    shown = (
        step.text[:200]
        for step in islice(reversed(context.history), _LATEST)
        if not step.failed and any(_SHOWS_TIME.search(text[:500]) for _, text in strings_in(step.args))
    )
    for text in (fact, *shown):
        if isinstance(text, str) and (found := _CLOCK.search(text)):
            hour = int(found[1]) % 12 + (12 if found[3].upper() == "P" else 0) if found[3] else int(found[1])
            return _minute(str(hour), found[2])
    return None
