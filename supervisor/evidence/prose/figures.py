"""Numbers and dates as people write them, in three languages: `1,234.5`, `1.234,5`, `1.2 million`, `3. März`.

An ambiguous figure (`1.234`) has both values: a comparison gives the benefit of the doubt.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from supervisor.evidence.prose.dates import MONTH_OF
from supervisor.evidence.prose.vocabulary import plain

_SPACE = "\u00a0\u202f\u2009'\u2019"
_NUMBER = re.compile(rf"\d{{1,3}}(?:[.,{_SPACE}]\d{{3}})+(?![\d])(?:[.,]\d{{1,4}})?|\d+(?:[.,]\d+)?")
_SPACED = re.compile(r"\b\d{1,3}(?: \d{3})+\b")
_SCALES = {
    **dict.fromkeys(["hundred", "hundert"], 1e2),
    **dict.fromkeys(["thousand", "k", "tausend", "tsd", "mil"], 1e3),
    **dict.fromkeys(["lakh", "lakhs"], 1e5),
    **dict.fromkeys(["million", "millions", "mn", "mln", "m", "mio", "millionen", "millón", "millones"], 1e6),
    **dict.fromkeys(["crore", "crores"], 1e7),
    **dict.fromkeys(["billion", "billions", "bn", "b", "mrd", "milliarde", "milliarden"], 1e9),
    **dict.fromkeys(["trillion", "trillions", "tn", "billionen"], 1e12),
}
_SHORT = frozenset(("m", "b", "k"))  # a scale only directly after the figure, or with a currency
_CURRENCIES = {"$": "dollar", "€": "euro", "£": "pound sterling", "¥": "yen", "₹": "rupee"}
# Units by quantity, each with its size in the first unit of its row.
_UNITS: tuple[dict[str, float], ...] = (
    {"metre": 1, "kilometre": 1e3, "centimetre": 0.01, "millimetre": 1e-3, "mile": 1609.34, "foot": 0.3048,
     "inch": 0.0254, "yard": 0.9144, "nautical mile": 1852},
    {"kilogram": 1, "gram": 1e-3, "milligram": 1e-6, "microgram": 1e-9, "pound": 0.45359, "ounce": 0.02835,
     "tonne": 1e3, "stone": 6.35},
    {"second": 1, "millisecond": 1e-3, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_629_800,
     "year": 31_557_600},
    {"litre": 1, "millilitre": 1e-3, "gallon": 3.785, "pint": 0.568},
    {"hectare": 1, "acre": 0.4047},
    {"celsius": 1}, {"fahrenheit": 1}, {"percent": 1}, {"percentage point": 1},
    {"watt": 1, "kilowatt": 1e3, "megawatt": 1e6, "gigawatt": 1e9},
    {"byte": 1, "kilobyte": 1e3, "megabyte": 1e6, "gigabyte": 1e9, "terabyte": 1e12},
    {"dollar": 1}, {"euro": 1}, {"pound sterling": 1}, {"yen": 1}, {"rupee": 1},
)  # fmt: skip
_SPELLED = {
    "metre": "m metre metres meter meters metro metros", "kilometre": "km kilometre kilometres kilometer kilometers",
    "centimetre": "cm centimetre centimetres centimeter centimeters", "millimetre": "mm millimetre millimetres "
    "millimeter",
    "mile": "mi mile miles meilen", "foot": "ft foot feet", "inch": "in inch inches", "yard": "yd yard yards",
    "kilogram": "kg kilogram kilograms kilo kilos kilogramm", "gram": "g gram grams gramm", "pound": "lb lbs pound "
    "pounds",
    "milligram": "mg milligram milligrams milligramm", "microgram": "µg mcg microgram micrograms",
    "ounce": "oz ounce ounces", "tonne": "t tonne tonnes ton tons tonnen toneladas",
    "second": "s sec second seconds sekunden segundos", "millisecond": "ms millisecond milliseconds",
    "minute": "min minute minutes minuten minutos", "hour": "h hr hrs hour hours stunde stunden hora horas",
    "day": "day days tag tage tagen día días", "week": "week weeks woche wochen semana semanas",
    "month": "month months monat monate monaten mes meses", "year": "year years jahr jahre jahren año años",
    "litre": "l litre litres liter liters litros", "millilitre": "ml millilitre millilitres milliliter",
    "gallon": "gallon gallons", "hectare": "ha hectare hectares hektar", "acre": "acre acres",
    "celsius": "°c celsius", "fahrenheit": "°f fahrenheit", "percent": "% percent prozent porciento",
    "kilowatt": "kw kilowatt kilowatts", "megawatt": "mw megawatt megawatts", "gigawatt": "gw gigawatt",
    "watt": "w watt watts", "kilobyte": "kb kilobyte", "megabyte": "mb megabyte megabytes",
    "gigabyte": "gb gigabyte gigabytes", "terabyte": "tb terabyte terabytes",
    "dollar": "dollar dollars usd dólares", "euro": "euro euros eur", "pound sterling": "gbp", "yen": "yen jpy",
    "rupee": "rupee rupees inr", "percentage point": "",
}  # fmt: skip
_UNIT_OF = {word: unit for unit, words in _SPELLED.items() for word in words.split()}
_SIZES = {unit: (row, size) for row, units in enumerate(_UNITS) for unit, size in units.items()}
_AMBIGUOUS = frozenset(("in", "s", "t", "l", "w", "h", "g", "once", "as"))
_BEHIND = re.compile(r"[\s-]{0,2}(°[CFcf]|[%µ]?[^\W\d_]{0,16}|%)")
_PHRASES = (("percentage point", "percentage point"), ("per cent", "percent"), ("por ciento", "percent"))
_NAMED_NUMBERS = {
    word: number
    for number, words in {
        1: "one eins ein eine uno una", 2: "two zwei dos both", 3: "three drei tres", 4: "four vier cuatro",
        5: "five fünf cinco", 6: "six sechs seis", 7: "seven sieben siete", 8: "eight acht ocho", 9: "nine neun nueve",
        10: "ten zehn diez", 11: "eleven elf once", 12: "twelve zwölf doce dozen", 13: "thirteen dreizehn trece",
        14: "fourteen vierzehn catorce", 15: "fifteen fünfzehn quince", 16: "sixteen sechzehn",
        17: "seventeen siebzehn", 18: "eighteen achtzehn", 19: "nineteen neunzehn",
        20: "twenty zwanzig veinte", 30: "thirty dreißig treinta",
        40: "forty vierzig cuarenta", 50: "fifty fünfzig cincuenta", 60: "sixty sechzig sesenta",
        70: "seventy siebzig setenta", 80: "eighty achtzig ochenta", 90: "ninety neunzig noventa",
        100: "hundred hundert cien", 1000: "thousand tausend mil",
    }.items()
    for word in words.split()
}  # fmt: skip
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_NAMED_NUMBERS |= {word: number for number, word in enumerate(_ORDINALS.split()) if number}
_WORD = re.compile(r"[^\W\d_]+")
_YEARS = range(1000, 2200)
_MAX_FIGURES = 5_000


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text: its possible values, its unit, and its precision."""

    text: str
    start: int
    end: int
    values: tuple[float, ...]
    unit: str = ""
    precision: float = 0.0
    decade: bool = False

    @property
    def is_year(self) -> bool:
        """Whether it looks like a year."""
        return not self.unit and self.text.isdigit() and len(self.text) == 4 and int(self.text) in _YEARS

    def stands_for(self, others: Iterable[float]) -> bool:
        """Whether it equals one of these values, within its own precision and, if it has a unit, after conversion."""
        return any(self._is(value, other) for value in self.values for other in others)

    def _is(self, value: float, other: float) -> bool:
        if math.isclose(value, other, rel_tol=1e-9):
            return True
        if self.is_year:
            return self.decade and value <= other < value + 10
        precision = min(self.precision, value / 10) if self.precision >= 1 else self.precision
        precision = precision or (0.0 if float(other).is_integer() else 1.0)
        return abs(value - other) < precision or (self.unit in _SIZES and self._converts(value, other))

    def _converts(self, value: float, other: float) -> bool:
        row, size = _SIZES[self.unit]
        ratios = (size / theirs for unit, theirs in _UNITS[row].items() if unit != self.unit)
        if self.unit in ("celsius", "fahrenheit"):
            converted = (other - 32) / 1.8 if self.unit == "celsius" else other * 1.8 + 32
            return abs(converted - value) <= 1
        return any(math.isclose(other, value * ratio, rel_tol=0.03) for ratio in ratios)


def figures_in(text: str) -> list[Figure]:
    """The figures of a text, in order: at most the first _MAX_FIGURES."""
    found: list[Figure] = []
    for match in _NUMBER.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if not (before.isalpha() or before == "_"):  # `H1N1`, `file_2` are names
            found.append(_figure(text, match))
        if len(found) >= _MAX_FIGURES:
            break
    return found


def _figure(text: str, match: re.Match[str]) -> Figure:
    written, end = match[0], match.end()
    values = tuple(_readings(written))
    before = text[max(0, match.start() - 2) : match.start()].strip()
    unit = _CURRENCIES.get(before[-1:], "")
    behind = _BEHIND.match(text, end)
    word = behind[1].lower() if behind else ""
    adjacent = behind is not None and behind.start(1) == end
    scale = _SCALES.get(word, 1.0) if word not in _SHORT or adjacent or unit else 1.0
    if word == "m" and adjacent and not unit:  # metres, or millions
        return Figure(written, match.start(), end, (*values, *(value * scale for value in values)))
    if scale != 1.0 and behind:
        end = behind.end()
        after = _BEHIND.match(text, end)
        word = after[1].lower() if after else ""
    decade = (word == "s" and adjacent) or text[end : end + 2] in ("'s", "er")
    unit = unit or ("" if decade else _unit(text, end, word))
    precision = _precision(written, values) * scale if not decade else 0.0
    return Figure(written, match.start(), end, tuple(value * scale for value in values), unit, precision, decade)


def _unit(text: str, end: int, word: str) -> str:
    following = text[end : end + 24].lower().lstrip(" -")
    phrase = next((unit for spelled, unit in _PHRASES if following.startswith(spelled)), "")
    if word in _AMBIGUOUS and following[len(word) : len(word) + 2].strip()[:1].isalpha():
        return phrase  # `2016 in London`
    return phrase or _UNIT_OF.get(word, "")


def _readings(written: str) -> Iterator[float]:
    """The possible values of a number: with separators of thousands, and with the last one as the decimal mark."""
    plain = "".join(letter for letter in written if letter not in _SPACE)
    head, mark, tail = _last_mark(plain)
    whole = head.replace(".", "").replace(",", "")
    if not mark:
        yield float(plain)
        return
    if len(tail) == 3:
        yield float(whole + tail)
    if len(tail) != 3 or (mark not in head and len(head) <= 3):
        yield float(f"{whole}.{tail}")


def _last_mark(plain: str) -> tuple[str, str, str]:
    at = max(plain.rfind("."), plain.rfind(","))
    return (plain[:at], plain[at], plain[at + 1 :]) if at >= 0 else (plain, "", "")


def _precision(written: str, values: tuple[float, ...]) -> float:
    """The rounding error of a value: one unit of its last non-zero digit; 0 for a plain integer."""
    _, mark, tail = _last_mark(written)
    if mark and len(tail) != 3:
        return float(10 ** -len(tail))
    if math.isinf(values[0]):  # more digits than a double has
        return 0.0
    value = int(values[0])
    zeros = len(str(value)) - len(str(value).rstrip("0")) if value >= 100 else 0
    return float(10**zeros) if zeros else 0.0


def values_in(text: str) -> list[float]:
    """Every number in a text, also in words and with spaces: the values that a claim's figures may come from."""
    found = [value for figure in figures_in(text) for value in figure.values]
    found += [float(match[0].replace(" ", "")) for match in _SPACED.finditer(text)]
    words = _WORD.findall(text.lower())
    found += [float(_NAMED_NUMBERS[word]) for word in words if word in _NAMED_NUMBERS]
    for word, following in pairwise(words):
        tens, ones = _NAMED_NUMBERS.get(word, 0), _NAMED_NUMBERS.get(following, 0)
        if 20 <= tens < 100 and 0 < ones < 10:
            found.append(float(tens + ones))
        elif tens and following in _SCALES and following not in _SHORT:
            found.append(tens * _SCALES[following])
    return list(dict.fromkeys(found))


_MEASURES = frozenset(map(plain, (*_SCALES, *_UNIT_OF, *MONTH_OF)))


def is_measure(word: str) -> bool:
    """Whether a `plain` word is a unit, a scale or a month: a part of a figure or a date."""
    return word in _MEASURES
