"""Dates as people write them, in English, German and Spanish: `March 3, 2021`, `3. März`, `2021-03-03`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import re2

_MONTHS = (
    "jan january januar jänner enero",
    "feb february februar febrero",
    "mar march märz maerz marzo",
    "apr april abril",
    "may mai mayo",
    "jun june juni junio",
    "jul july juli julio",
    "aug august agosto",
    "sep sept september septiembre setiembre",
    "oct october okt oktober octubre",
    "nov november noviembre",
    "dec december dez dezember diciembre",
)
# How other languages write the day and the month of a date, with the twelve names of the month; French to Indonesian.
_ELSEWHERE = (
    ("{day} {month}", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    ("{day} de {month}", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
    ("{day} {month}", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
    ("{day} de {month}", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
    ("{day} {month}", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    ("{day} {month}", "januari februari maart april mei juni juli augustus september oktober november december"),
    ("{day} {month}", "januari februari mars april maj juni juli augusti september oktober november december"),
    (
        "{day} {month}",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    ),
    ("{day} {month}", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    ("{day} {month}", "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня"),
    ("{day} {month}", "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"),
    ("{day} {month}", "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember"),
    ("{day} {month}", "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर"),
    ("{day} {month}", "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
)
_NUMBERED = ("{month}月{day}日", "{month}월 {day}일", "{day} tháng {month}")  # Chinese and Japanese, Korean, Vietnamese
_ENGLISH = "january february march april may june july august september october november december".split()
MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}


@dataclass(frozen=True, slots=True)
class Date:
    """A date as written: some parts may be missing (0)."""

    text: str
    start: int
    end: int
    year: int = 0
    month: int = 0
    day: int = 0


_MONTH = rf"(?P<month>{'|'.join(sorted(MONTH_OF, key=len, reverse=True))})"
_DATES = (
    re.compile(
        rf"(?i)\b{_MONTH}\b\.?,? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (?:de |del )?(?P<year>\d{{4}})\b)?"
    ),
    re.compile(
        rf"(?i)\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of |de )?{_MONTH}\b\.?(?:,? (?:de "
        rf"|del )?(?P<year>\d{{4}})\b)?"
    ),
    re.compile(rf"(?i)\b{_MONTH}\b\.?,? (?:of |de |del )?(?P<year>\d{{4}})\b"),
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b"),
    re.compile(r"\b(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})\b"),
)

_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}))?")
_NAMES = "|".join(sorted(MONTH_OF, key=len, reverse=True))
_NAMED = re2.compile(rf"(?i)\b(?:{_NAMES})\b")
_DAY_STOP = re2.compile(rf"(?i)\b(\d{{1,2}})\. ({_NAMES})\b")
_MONTH_STOP = re2.compile(rf"(?i)\b({_NAMES})\. (\d)")


def dates_in(text: str) -> list[Date]:
    """The dates of a text that name a month, in order, none overlapping another."""
    found: list[Date] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            date = _date(match)
            if date and all(date.end <= other.start or other.end <= date.start for other in found):
                found.append(date)
            if len(found) >= 500:
                return sorted(found, key=lambda date: date.start)
    return sorted(found, key=lambda date: date.start)


def _date(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    name = parts["month"].lower()
    month = int(name) if name.isdecimal() else MONTH_OF[name]
    day, year = int(parts.get("day") or 0), int(parts.get("year") or 0)
    if not 1 <= month <= 12 or day > 31 or parts["month"] == "may":
        return None
    return Date(match[0], match.start(), match.end(), year, month, day)


def months_in(text: str) -> frozenset[int]:
    """The months that a text names, in words or in dates written in figures."""
    named = {MONTH_OF[match[0].lower()] for match in _NAMED.finditer(text)}
    iso = {int(match[1]) for match in re.finditer(r"\b\d{4}[-/](\d{2})\b", text)}
    spelled = {
        int(part) for match in re.finditer(r"\b(\d{1,2})[./](\d{1,2})[./]\d{2,4}\b", text) for part in match.groups()
    }
    return frozenset(named | iso | spelled)


def spellings_of(day: str) -> list[str]:
    """Other spellings of a day in ISO 8601, in figures, in English and in seventeen other languages, the most specific
    first; else empty."""
    found = _ISO.match(day.strip())
    month = int(found[2]) if found else 0
    if found is None or not 1 <= month <= 12:
        return []
    year, number, name = found[1], int(found[3]), _ENGLISH[month - 1]
    ordinal = f"{number}{'th' if 10 < number < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
    days = [
        form for each in (ordinal, str(number)) for form in (f"{name} {each}", f"{each} {name}", f"{each} of {name}")
    ]
    figures = [f"{year}-{found[2]}-{found[3]}", f"{number:02}.{month:02}.{year}", f"{number}.{month}.{year}"]
    short = [f"{name[:3]} {number}", f"{number} {name[:3]}"]
    return [*figures, f"{month}/{number}/{year}", *days, *short, *_elsewhere(number, month)]


def _elsewhere(day: int, month: int) -> Iterator[str]:
    """A day as other languages than English write it."""
    yield from (form.format(day=day, month=month) for form in _NUMBERED)
    yield from (form.format(day=day, month=names.split()[month - 1]) for form, names in _ELSEWHERE)


def unbroken(text: str) -> str:
    """The text without the stops inside dates (`3. März`, `Aug. 10`), which do not end a sentence."""
    return str(_MONTH_STOP.sub(r"\1 \2", _DAY_STOP.sub(r"\1 \2", text)))
