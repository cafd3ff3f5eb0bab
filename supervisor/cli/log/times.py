"""Times as people type them. Records have times in UTC, and so has everything that `supervisor log` shows and reads."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from supervisor.errors import BadInput

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_AGO = re.compile(r"(\d{1,6})\s*([smhdw])(?: ago)?", re.ASCII)
_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2})?", re.ASCII)
_DAYS = {"today": 0, "yesterday": 1}
FORMS = "2026-11-23, 2026-11-23T03:14:09, 03:14, 2h (s, m, h, d, w), today or yesterday; UTC unless it has an offset"


def moment(text: str, option: str, now: datetime) -> datetime:
    """The moment that a text names, in UTC. `2h` is two hours ago, `yesterday` is its midnight, and a time without a
    date is the last such time. Raises BadInput, with the option as its place."""
    typed = text.strip().lower()
    try:
        if ago := _AGO.fullmatch(typed):
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        if typed in _DAYS:
            return datetime.combine(now.date() - timedelta(days=_DAYS[typed]), time(), UTC)
        if _CLOCK.fullmatch(typed):
            return _last(time.fromisoformat(typed.zfill(len(typed) + (typed[1] == ":"))), now)
        if len(typed) <= len("2026-11-23"):
            return datetime.combine(date.fromisoformat(typed), time(), UTC)
        parsed = datetime.fromisoformat(text.strip())
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise BadInput(f"{text[:100]!r} is no time; write {FORMS}", place=option, code="bad_time") from None


def second_of(text: str, option: str, now: datetime) -> tuple[datetime, datetime]:
    """The first and the last moment that a text with a clock time means: `03:14` is a whole minute. Raises BadInput."""
    begin = moment(text, option, now)
    clock = re.search(r"\d{1,2}:\d{2}(:\d{2}(?:\.(\d{1,6}))?)?", text)
    if clock and clock[2]:
        length = timedelta(microseconds=10 ** (6 - len(clock[2])))
    else:
        length = timedelta(minutes=1) if clock and not clock[1] else timedelta(seconds=1)
    return begin, begin + length - timedelta(microseconds=1)


def _last(clock: time, now: datetime) -> datetime:
    today = datetime.combine(now.date(), clock, UTC)
    return today if today <= now else today - timedelta(days=1)
