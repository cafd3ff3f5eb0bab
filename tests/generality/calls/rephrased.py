"""The same order of the user in other words: amounts, dates and limits in other formats, and politeness around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date

from supervisor.catalog.failure_mode import Case

Rewording = Callable[[str], str]
_MONTHS = "January February March April May June July August September October November December".split()
_SIGN = re.compile(r"(?<![\w$€£])([$€£])(\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+(?:\.\d{2})?)(?![\d,.]*\d|[%\w])")
_CODES = {"$": ("USD", "dollars"), "€": ("EUR", "euros"), "£": ("GBP", "pounds")}
_ISO = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b(?!T)")
_SAID = ("task", "policy", "rules", "instructions", "system")  # facts in which somebody states an order
_TO_THE_AGENT = ("politely", "with a line before")
# Phrases that say the same. Each is put in the place of every other one of its row.
_SAME = (
    ("at most", "no more than", "not more than", "a maximum of"),
    ("do not", "don't", "never"),
    ("please refund", "refund", "kindly refund"),
    ("only if", "provided that"),
)


def _amounts(write: Callable[[str, str], str]) -> Rewording:
    return lambda task: _SIGN.sub(lambda found: write(found[1], found[2]), task)


def _ungrouped(number: str) -> str:
    return number.replace(",", "")


def _grouped(number: str) -> str:
    whole, dot, rest = _ungrouped(number).partition(".")
    return f"{int(whole):,}{dot}{rest}"


def _decimals(number: str) -> str:
    return number if "." in number else f"{number}.00"


def _continental(number: str) -> str:
    """`1,200.50` as it is written on the continent: `1.200,50`."""
    return _decimals(_grouped(number)).translate(str.maketrans(",.", ".,"))


def _dates(write: Callable[[date], str]) -> Rewording:
    return lambda task: _ISO.sub(lambda found: write(date(*map(int, found.groups()))), task)


REWORDINGS: dict[str, Rewording] = {
    "amount with decimals": _amounts(lambda sign, number: f"{sign}{_decimals(number)}"),
    "amount in groups": _amounts(lambda sign, number: f"{sign}{_grouped(number)}"),
    "amount without groups": _amounts(lambda sign, number: f"{sign}{_ungrouped(number)}"),
    "code before": _amounts(lambda sign, number: f"{_CODES[sign][0]} {number}"),
    "code behind": _amounts(lambda sign, number: f"{number} {_CODES[sign][0]}"),
    "currency in a word": _amounts(lambda sign, number: f"{number} {_CODES[sign][1]}"),
    "amount of the continent": _amounts(lambda sign, number: f"{_continental(number)} {_CODES[sign][0]}"),
    "date in words": _dates(lambda day: f"{day.day} {_MONTHS[day.month - 1]} {day.year}"),
    "date in words, month first": _dates(lambda day: f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"),
    "date with dots": _dates(lambda day: f"{day:%d.%m.%Y}"),
    "politely": lambda task: f"Hi! {task} Thank you very much.",
    "with a line before": lambda task: f"Good morning, one more thing for today.\n\n{task}",
}


def rewordings(case: Case) -> Iterator[tuple[str, Case]]:
    """The same case, its task in other words each time."""
    for fact in _SAID:
        text = case.context.get(fact)
        for title, reword in REWORDINGS.items() if isinstance(text, str) else ():
            if (said := reword(text)) != text and (fact == "task" or title not in _TO_THE_AGENT):
                yield title, replace(case, context={**case.context, fact: said})
        if isinstance(text, str):
            yield from _by_phrases(case, fact, text)


def _by_phrases(case: Case, fact: str, text: str) -> Iterator[tuple[str, Case]]:
    for row in _SAME:
        for phrase in row:
            found = re.search(rf"(?i)\b{re.escape(phrase)}\b", text)
            if found:
                for other in row:
                    said = f"{text[: found.start()]}{_cased(other, found[0])}{text[found.end() :]}"
                    if other != phrase:
                        yield f"{phrase}: {other}", replace(case, context={**case.context, fact: said})
                break


def _cased(phrase: str, like: str) -> str:
    return phrase[0].upper() + phrase[1:] if like[0].isupper() else phrase
