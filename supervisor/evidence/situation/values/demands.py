"""The values that a request demands: "set retention to 36 hours", "TTL 300:aan", "6 réplicas", "auf 40 GiB"."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.situation.values.quantities import Quantity, quantity
from supervisor.evidence.situation.values.rows import row

_MOST = 12
_NUMBER = r"(?P<number>(?<![A-Za-z0-9_.,:/@#-])\d{1,12}(?:[.,]\d{1,6})?)(?!\d|[.,:/@-]\d|[eE]-?\d|\.(?:\s?[^\W\d]|\d))"
_UNIT = r"(?:\s?(?P<unit>[%€$£]|(?!(?:a|m|as|to|in|is|or|on|s)\b(?=\s))[^\W\d_]{1,12}))?"
_NEAR = 60  # characters around a value that tell what it is of
_CLAUSE = re.compile(r"[;!?\n\u3002]|\.(?=\s|$)")


class Demand(NamedTuple):
    """A value that the user wants, the words around it, and the concepts that these name."""

    quantity: Quantity
    around: str
    concepts: frozenset[str]
    at_most: bool = False  # less of it is right too


@lru_cache(maxsize=64)
def demands(task: str) -> tuple[Demand, ...]:
    """The numbers that a request demands of something, each once."""
    task = with_digits(task)
    if not any(letter.isdigit() for letter in task):
        return ()
    found: dict[Quantity, Demand] = {}
    for pattern, is_wish in _patterns():
        for match in islice(pattern.finditer(task), _MOST):
            clause = clause_around(task, match.start("number"), match.end("number"))
            value = quantity(match["number"], match.groupdict().get("unit") or "")
            if (is_wish or _is_wished(clause)) and not _is_relative(task, match.start("number"), match.end("number")):
                found.setdefault(value, Demand(value, clause, concepts_in(clause)))
    for match in islice(_budget().finditer(task), _MOST):
        value = quantity(match["number"], match["unit"])
        if value.sort == "money":
            found.setdefault(value, Demand(value, match[0], frozenset({"spending"}), at_most=True))
    for match in islice(_term().finditer(task), _MOST):
        value = quantity(match["number"], match["unit"])
        found.setdefault(value, Demand(value, match[0], frozenset({"retention"})))
    return tuple(islice(found.values(), _MOST))


def with_digits(task: str) -> str:
    """A request with the tens that it writes as words in digits: "ninety days"."""
    return _tens().sub(lambda word: str(row("tens")[word[0].lower()]), task)


@cache
def _tens() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<![\w-])(?:{'|'.join(row('tens'))})(?![\w-])")


@cache
def _term() -> re.Pattern[str]:
    """How long something shall be valid that a request has made: "issue a certificate for the relay, 60 days"."""
    makes, things = row("issues"), row("issued")
    return re.compile(
        rf"(?i)(?<!\w)(?:{makes})\s[^.;!?\n]{{0,30}}(?:{things})(?:[^;!?\n.]|\.(?=\S)){{0,80}}?{_NUMBER}\s?{_time()}(?!\w)"
    )


@cache
def _budget() -> re.Pattern[str]:
    words = row("at_most")
    return re.compile(rf"(?i)(?<!\w)(?:{words})[\s:](?:\S{{1,6}}\s)?\s?{_NUMBER}\s?(?P<unit>[€$£]|[^\W\d_]{{1,8}})")


def concepts_in(text: str) -> frozenset[str]:
    """What the words of a text are about."""
    return frozenset(name for name, pattern, _ in _concepts() if pattern.search(text))


def concepts_of(parts: list[str]) -> frozenset[str]:
    """What the parts of a key are about."""
    return frozenset(name for name, _, keys in _concepts() if not keys.isdisjoint(parts))


@cache
def _concepts() -> tuple[tuple[str, re.Pattern[str], frozenset[str]], ...]:
    return tuple(
        (name, re.compile(rf"(?i)(?<![a-zà-žа-яё])(?:{words})(?![a-zà-žа-яё])"), frozenset(keys.split("|")))
        for name, (words, keys) in row("concepts").items()
    )


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], bool], ...]:
    """Forms in which a value stands, and whether the form alone is a wish."""
    sets, to, concepts = _joined("sets"), row("to"), row("concepts")
    replicas, users = concepts["replicas"][0], concepts["users"][0]
    nouns = "|".join(row("concepts")[name][0] for name in ("retention", "timeout", "interval", "replicas", "limit"))
    source = rf"(?<!\w)(?:{row('from')})\s{{1,2}}[\d.,]{{1,12}}\s?\w{{0,8}}"
    words = r"(?:(?:[^\s.,;:!?]{1,40}|[A-Za-z]:)\s{1,2}){0,8}?"
    number_of_time = rf"{_NUMBER}\s?{_time()}"
    wishes = (
        rf"(?<!\w)(?:{sets})\s{words}(?:{to})\s{{1,2}}(?:about |max |circa |ca\.? )?{_NUMBER}{_UNIT}",
        rf"{source}\s{{1,2}}(?:{to})\s{{1,2}}{_NUMBER}{_UNIT}",
        rf"(?<!\w)(?:{row('gives')})\s{{1,2}}\S{{1,40}}\s{{1,2}}{_NUMBER}\s?(?P<unit>[KMGTkmgt]i?[Bb]|[KMGT]i?)(?!\w)",
        rf"{_NUMBER}(?:\s?(?P<unit>[%€$£]|°?[^\W\d_]{{1,12}}?))?(?:{row('targets')})",
        rf"(?:{row('leads')})\s?{_NUMBER}{_UNIT}",
        rf"{number_of_time}\s(?:{sets})(?!\w)",
        rf"(?<!\w)(?:{row('no_more')})\s(?:\S{{1,20}}\s){{0,3}}?{_NUMBER}\s?(?P<unit>%)",
    )
    things = (
        rf"(?<![a-zà-žа-яё])(?:ttl|{nouns})(?:\s(?:of|von|de|van|di|to|=))?[\s:=]\s?{_NUMBER}{_UNIT}",
        rf"{_NUMBER}\s{{1,2}}(?:[^\s\d.,;:!?]{{1,20}}\s){{0,2}}?(?:{replicas}|{users})(?!\w)",
        rf"{number_of_time}\s(?:{row('lasts')})",
        rf"(?<![a-zà-žа-яё])(?:{row('lasting')})\s(?:[^\s\d]{{1,10}}\s)?{number_of_time}",
    )
    return tuple(
        (re.compile(f"(?i){each}"), is_wish) for forms, is_wish in ((wishes, True), (things, False)) for each in forms
    )


@cache
def _time() -> str:
    return f"(?P<unit>{'|'.join(row('time').values())})"


def _joined(name: str) -> str:
    return re.sub(r"\s+", "", row(name))


def _is_wished(clause: str) -> bool:
    """Whether a clause says what shall be, not what is."""
    wish = _worded("wants").search(clause) or re.search(rf"(?i)(?<!\w)(?:{_joined('sets')})(?!\w)", clause)
    return bool(wish) and not _worded("described").search(clause)


@cache
def _worded(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<!\w)(?:{row(name)})(?!\w)")


@cache
def _relative() -> tuple[re.Pattern[str], re.Pattern[str]]:
    before = rf"(?i)(?<!\w)(?:(?:{row('relative')})\s{{1,2}}$|{row('adding')})"
    return re.compile(before), re.compile(rf"(?i)\s{{1,2}}{row('more')}")


def _is_relative(task: str, start: int, end: int) -> bool:
    """Whether a number is a difference or a rate: "by 20", "add 2", "3 more", "9 per minute"."""
    before, behind = _relative()
    rest = task[end : end + 30]
    return bool(before.search(task[max(0, start - 24) : start]) or behind.match(rest) or _rates().match(rest))


@cache
def _rates() -> re.Pattern[str]:
    return re.compile(f"(?i){row('rates')}")


def clause_around(text: str, start: int, end: int) -> str:
    """The words of the same clause before and behind a place."""
    before = _CLAUSE.split(text[max(0, start - _NEAR) : start])[-1]
    return before + text[start:end] + _CLAUSE.split(text[end : end + _NEAR])[0]
