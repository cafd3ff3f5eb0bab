"""Numbers with their units, and the literals by which another unit says the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.situation.values.rows import row

SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0, "mo": 2592000.0, "y": 31536000.0}
_SIZES = "kmgtp"
_MOST = 400  # literals of a text
_LITERAL = re.compile(r"(?<![\d.])(\d{1,15}(?:[.,]\d{1,6})?)(?:[\"']?\s?([A-Za-z%\u00b0]{1,12}))?")
_KEY_UNITS = {
    "ms": "ms", "millis": "ms", "milliseconds": "ms", "msec": "ms", "s": "s", "sec": "s", "secs": "s", "seconds": "s",
    "min": "m", "mins": "m", "minutes": "m", "hours": "h", "hour": "h", "hrs": "h", "days": "d", "day": "d",
    "weeks": "w", "months": "mo", "years": "y", "mtime": "d", "mmin": "m",
}  # fmt: skip


class Quantity(NamedTuple):
    """A number, and its sort: time (in seconds), size (in bytes), share (in percent), money, or bare."""

    value: float
    sort: str
    text: str
    unit: str = ""

    def is_said_by(self, literal: float, unit: str) -> bool:
        """Whether a literal says the same, with its own unit if it has one."""
        if self.sort == "time":
            units = [SECONDS[unit]] if unit in SECONDS else list(SECONDS.values())
            return any(_near(literal * each, self.value) for each in units) or _near(literal * 2628000, self.value)
        if self.sort == "size":
            return any(_near(literal * each, size) for each in _bases(unit) for size in self._sizes())
        if self.sort == "share":
            same = (self.value, self.value / 100, self.value * 100, 1 + self.value / 100, 1 - self.value / 100)
            return any(_near(literal, each) for each in same)
        if self.sort == "money":
            return _near(literal, self.value) or _near(literal, self.value * 100)
        factor = SECONDS.get(unit, 0)
        steps = (1.0, 0.01, 100.0, 0.001, *(1 / 1024**power for power in range(1, 4)))
        return any(_near(literal * each, self.value) for each in steps) or bool(
            factor and _near(literal * factor, self.value)
        )

    def _sizes(self) -> tuple[float, float]:
        power = _SIZES.find(self.unit) + 1
        return self.value, self.value * (1000 / 1024) ** power


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-3 * max(abs(one), abs(other))


def _bases(unit: str) -> list[float]:
    powers = [_SIZES.find(unit[:1]) + 1] if unit[:1] and unit[:1] in _SIZES else range(6)
    return [float(base**power) for base in (1000, 1024) for power in powers]


def numbers_of(digits: str) -> tuple[float, ...]:
    """What digits may mean: `8,5` is 8.5, and `1,200` may be 1200 too."""
    plain = float(digits.replace(",", "."))
    grouped = re.fullmatch(r"\d{1,3}[.,]\d{3}", digits)
    return (plain, float(re.sub(r"[.,]", "", digits))) if grouped else (plain,)


@cache
def _time_units() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((unit, re.compile(rf"(?:{words})", re.IGNORECASE)) for unit, words in row("time").items())


@cache
def _size() -> re.Pattern[str]:
    return re.compile(row("sizes"), re.IGNORECASE)


@cache
def _money() -> re.Pattern[str]:
    return re.compile(row("money"), re.IGNORECASE)


@cache
def _share() -> re.Pattern[str]:
    return re.compile(row("share"), re.IGNORECASE)


def quantity(digits: str, word: str) -> Quantity:
    """A number of a request with the word behind it."""
    number, text = numbers_of(digits)[-1], f"{digits} {word}".strip()
    if _share().fullmatch(word):
        return Quantity(number, "share", text)
    if _money().fullmatch(word):
        return Quantity(numbers_of(digits)[0], "money", text)
    sized = _size().fullmatch(word)
    if sized and (len(word) > 1 or word.isupper() or word == "k") and word.lower() not in ("mo", "po"):
        letter = (sized[1] or "kmgt"["кмгт".index(sized[2].lower())]).lower()
        return Quantity(number * 1024 ** (_SIZES.find(letter) + 1), "size", text, letter)
    if (unit := time_unit(word)) and not word.isupper():
        return Quantity(number * SECONDS[unit], "time", text, unit)
    return Quantity(number, "number", digits)


def time_unit(word: str) -> str:
    """The unit of time that a word names; empty if none."""
    if word in SECONDS:
        return word
    return next((unit for unit, pattern in _time_units() if pattern.fullmatch(word)), "")


def unit_of_key(key: str) -> str:
    """The unit of time that the name of a setting ends with: `retention.ms`, `ttl_seconds`, `ExpirationInDays`."""
    parts = parts_of(key)
    return _KEY_UNITS.get(parts[-1], "") if parts and (len(parts) > 1 or len(parts[0]) > 3) else ""


@cache
def _camel() -> re.Pattern[str]:
    return re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\da-z_A-Z]+")


def parts_of(key: str) -> list[str]:
    """The words that a key is made of, in lower case."""
    return [part.lower() for part in _camel().findall(key[:80])]


def literals(text: str) -> Iterator[tuple[float, str]]:
    """The numbers of a text, each with the unit behind it in short; empty if it shows none."""
    for digits, word in islice(_LITERAL.findall(text), _MOST):
        unit = time_unit(word) if word and not word.isupper() else ""
        short = unit or (word.lower() if word and _size().fullmatch(word) else "")
        yield from ((number, short) for number in numbers_of(digits))
