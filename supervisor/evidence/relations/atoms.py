"""The values in a text that can be compared: addresses, codes, days, times, amounts, shares and names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from supervisor.evidence.situation.values.dates import days_said

LONGEST = 16 * 1024  # characters of one text that are read
_MOST = 400  # values of one text

_MAIL = re.compile(r"[\w.+%-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}")
_URL = re.compile(r"(?i)\b(?:https?://|www\.)[^\s<>\"'|\\)\]]{3,400}")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_TIME = re.compile(
    r"(?i)(?<![\d:.,-])(?:(?P<h>[01]?\d|2[0-3])[:h.](?P<m>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<half>[ap]\.?m\b))?"
    r"|(?P<bare>1[0-2]|0?[1-9])\s?(?P<side>[ap]\.?m)\b|(?P<clock>[01]?\d|2[0-3])\s?(?:uhr\b|h\b(?!\s?\d)))(?![\d%])"
)
_STAMP = re.compile(r"(?<=\d)T(?P<h>\d{2}):(?P<m>\d{2})")
_CODE = re.compile(r"(?<![\w.@])#?(?=[A-Za-z_./-]{0,24}\d)[A-Za-z0-9]+(?:[-_/.:][A-Za-z0-9]+){0,6}(?![\w@])")
_LONG_DIGITS = re.compile(r"(?<![\w.,])\+?\d(?:[\d \-*]{5,24})\d(?![\w])")
_NUMBER = re.compile(
    r"(?P<sign>[$€£¥₹₩]|R\$|\b[A-Z]{3}\s?)?\s?(?<![\w.,])(?P<n>\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?|\d{1,15}(?:[.,]\d{1,6})?)"
    r"(?!\d|[.,:]\d)(?P<unit>\s?(?:[%€£$₩₹]|[A-Za-zÀ-ÿ]{1,3}\b|euros?\b|percent\b|prozent\b|kr\b))?"
)
_NAME = re.compile(
    r"(?<![\w.@/])[A-ZÀ-ÖØ-ÞŁŚŻŹĆ][\w'’-]{1,24}(?:\s(?:(?:de|da|di|van|von|der|del|la|el|al|bin)\s)?[A-ZÀ-ÖØ-ÞŁŚŻŹĆ][\w'’-]{1,24}){1,3}"
)
_SCALES = {"k": 1e3, "m": 1e6, "mio": 1e6, "bn": 1e9, "mrd": 1e9, "mln": 1e6, "tsd": 1e3}


class Atom(NamedTuple):
    """A value: its sort (`mail url account code day time number share name`), its normal form, and its place."""

    sort: str
    key: str
    text: str
    start: int
    number: float = 0.0


@lru_cache(maxsize=2048)
def atoms_in(text: str) -> tuple[Atom, ...]:
    """The values of a text in order, none within another."""
    text = text[:LONGEST]
    found: list[Atom] = []
    taken = bytearray(len(text))
    for atom, end in _all(text):
        if len(found) >= _MOST:
            break
        if not any(taken[atom.start : end]):
            taken[atom.start : end] = b"\1" * (end - atom.start)
            found.append(atom)
    return tuple(sorted(found, key=lambda each: each.start))


def _all(text: str) -> Iterator[tuple[Atom, int]]:
    for match in _URL.finditer(text):
        yield Atom("url", plain_url(match[0]), match[0], match.start()), match.end()
    for match in _MAIL.finditer(text):
        yield Atom("mail", match[0].lower().strip("."), match[0], match.start()), match.end()
    for match in _IBAN.finditer(text):
        yield Atom("account", squeezed(match[0]), match[0], match.start()), match.end()
    for match in _STAMP.finditer(text):
        yield Atom("time", str(int(match["h"]) * 60 + int(match["m"])), match[0], match.start()), match.end()
    if any(letter.isdigit() for letter in text):
        yield from _days(text)
        for match in _TIME.finditer(text):
            if (minute := _minute(match)) is not None:
                yield Atom("time", str(minute), match[0], match.start()), match.end()
        for match in _LONG_DIGITS.finditer(text):
            digits = squeezed(match[0])
            if 7 <= sum(letter.isdigit() for letter in digits) <= 19 and " 000" not in match[0]:
                yield Atom("account", digits[-10:], match[0], match.start()), match.end()
        for match in _CODE.finditer(text):
            if (
                any(letter.isalpha() for letter in match[0])
                and len(match[0].strip("#")) > 2
                and not _is_measure(match[0])
            ):
                yield Atom("code", squeezed(match[0]), match[0], match.start()), match.end()
        for match in _NUMBER.finditer(text):
            yield _number(match), match.end("n")
    for match in _NAME.finditer(text):
        yield Atom("name", folded(match[0]), match[0], match.start()), match.end()


def _days(text: str) -> Iterator[tuple[Atom, int]]:
    at = 0
    for day in days_said(text):
        place = text.find(day.text, at)
        if place < 0:
            continue
        at = place + len(day.text)
        yield Atom("day", f"{day.year}-{day.month}-{day.day}", day.text, place), at


def _minute(match: re.Match[str]) -> int | None:
    hour = int(match["h"] or match["bare"] or match["clock"])
    half = (match["half"] or match["side"] or "").lower()
    if half and hour > 12:
        return None
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return hour * 60 + int(match["m"] or 0)


_MEASURE = re.compile(
    r"(?i)\d+(?:[.,]\d+)?(?:k|m|bn|mio|mln|kg|g|km|cm|mm|h|d|w|min|s|ml|l|mb|gb|tb|pm|am|st|nd|rd|th|x|pcs|eur|usd|kr|zl)"
)


def _is_measure(word: str) -> bool:
    return _MEASURE.fullmatch(word) is not None


def _number(match: re.Match[str]) -> Atom:
    unit = (match["unit"] or "").strip().lower()
    value = reading_of(match["n"]) * _SCALES.get(unit, 1.0)
    sort = "share" if unit in ("%", "percent", "prozent") else "number"
    return Atom(sort, f"{value:g}", match[0].strip(), match.start("n"), value)


def reading_of(written: str) -> float:
    """A number as people write it: the last mark before one or two figures is the decimal one."""
    plain = written.replace("'", "").replace("\u00a0", "").replace("\u202f", "").replace(" ", "")
    head, mark, tail = plain, "", ""
    for sign in (".", ","):
        before, found, after = plain.rpartition(sign)
        if found and len(after) < len(tail or "x" * 99):
            head, mark, tail = before, found, after
    if mark and (len(tail) != 3 or head in ("0", "")):
        plain = f"{head.replace('.', '').replace(',', '')}.{tail}"
    else:
        plain = plain.replace(".", "").replace(",", "")
    return float(plain)


def plain_url(url: str) -> str:
    """An address without its scheme, `www.`, query and trailing marks."""
    bare = url.lower().split("://")[-1].removeprefix("www.")
    return bare.split("?")[0].split("#")[0].rstrip("/.,;:")


def squeezed(text: str) -> str:
    """The letters and figures of a text, in lower case."""
    return "".join(letter for letter in text.lower() if letter.isalnum() or letter == "*")


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """A text in lower case without accents."""
    plain = unicodedata.normalize(
        "NFKD", text.replace("\u2019", "'").replace("ł", "l").replace("Ł", "L").replace("ß", "ss")
    )
    return "".join(letter for letter in plain if not "\u0300" <= letter <= "\u036f").lower()
