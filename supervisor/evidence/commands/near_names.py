"""Names that are easily taken for one another, and the words of a text that are names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.commands.acts import words

_LONGEST = 8 * 1024  # characters of a task or a command
_MOST_NAMES = 24  # of a request
_MOST_WORDS = 120  # of a command
_SEGMENTS = re.compile(r"[-_./:@]+")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_COMMAND_WORD = re.compile(r"[^\W_][\w.@:/+~%-]*")
_TOKEN = re.compile(r"[A-Za-z0-9_][\w.@/+-]*[\w/]|\d{3,}", re.ASCII)
_NO_THING = re.compile(
    r"\d{1,4}[-/:]\d{1,2}(?:[-/:]\d{1,4})?(?:[T ].*)?|\d{1,2}\.\d{1,2}(?:\.\d{4})?"
    r"|(?i:\d+(?:[.,]\d+)?(?:[kmgt]i?b?|%|ms|s|min|h|d|w|x|px|st|nd|rd|th|am|pm))"
    r"|[A-Z]{2,6}-\d{2,}|24/7"
)
_UNIT = re.compile(r"\s*(?:%|[kmgt]i?b\b|days?|hours?|minutes?|users?|eur\b|usd\b|€|\$|files?|rows?)", re.IGNORECASE)
# Values that need no noun: regions, addresses, of mail as well, days, pinned versions.
_VALUES = (
    re.compile(r"\b[a-z]{2,12}-[a-z]{4,12}-?\d\b"),
    re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"),
    re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,20}"),
    re.compile(r"(?<!\d)20\d\d-\d\d-\d\d(?!\d)"),
    re.compile(r"(?<![\d.])\d{1,3}\.\d{1,4}\.\d{1,4}(?![\d.])|@latest\b"),
)
_CODE = re.compile(
    r"\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|php|swift|scala|vue|css|scss|html|md|rst|lock)$"
)


class Sibling(NamedTuple):
    """The thing that the user named, and the one that the command takes."""

    named: str
    used: str


def may_take_sibling(text: str, task: str) -> bool:
    """Whether a command text has a near name of one that the request has and the text has not. Bounded work."""
    return any(True for _ in sibling_pairs(text, task[:_LONGEST]))


def may_have_other_value(text: str, task: str) -> bool:
    """Whether a request and a command have values of one sort, and the command none of the request's. Bounded work."""
    if len(text) > _LONGEST:
        return False
    named = _values(task[:_LONGEST])
    return any(each and not any(v in text for v in each) and _VALUES[n].search(text) for n, each in enumerate(named))


@lru_cache(maxsize=64)
def _values(task: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(islice(dict.fromkeys(each.findall(task)), _MOST_NAMES)) for each in _VALUES)


def telling_words(task: str) -> Iterator[str]:
    """The words of a request that no plain sentence has."""
    for found in _TOKEN.finditer(task):
        word = found[0].rstrip("/")
        is_telling = any(letter.isdigit() or letter in "_-.@/" for letter in word)
        if not is_telling or _NO_THING.fullmatch(word) or (word.isdigit() and _UNIT.match(task, found.end())):
            continue
        yield word


def is_no_thing(word: str) -> bool:
    """Whether a word is a date, a time, an amount or a ticket."""
    return bool(_NO_THING.fullmatch(word))


def sibling_pairs(text: str, task: str) -> Iterator[Sibling]:
    """The near names: one that only the request has, and one that only the command has."""
    names = _names(task) if len(text) <= _LONGEST else {}
    if not names:
        return
    folded, said = text.lower(), task.lower()
    for word in dict.fromkeys(found[0] for found in islice(_COMMAND_WORD.finditer(text), _MOST_WORDS)):
        used = base_of(word.rstrip(".:/+%~-"))
        near = names.get(_SEGMENTS.split(used)[0], ())
        if not near or len(used) < 3 or not _may_be_name(used) or has_word(said, used):
            continue
        for name in near:
            if are_siblings(base_of(name), used) and not _is_in(folded, name):
                yield Sibling(name, used)


def _is_in(folded: str, name: str) -> bool:
    return has_word(folded, name.lower()) or has_word(folded, base_of(name))


@lru_cache(maxsize=64)
def _names(task: str) -> dict[str, list[str]]:
    """The names of a request by their first segment. Cached: all actions of a session share it."""
    found: dict[str, list[str]] = {}
    for name in islice(dict.fromkeys(telling_words(task)), _MOST_NAMES):
        found.setdefault(_SEGMENTS.split(base_of(name))[0], []).append(name)
    return found


def base_of(name: str) -> str:
    """The last part of a path; a short one, as of a port `gi1/0/17`, stays whole."""
    last = name.rstrip("/").rpartition("/")[2]
    return (last if len(last) > 3 else name).lower()


def _may_be_name(word: str) -> bool:
    return word not in words("nouns") and not _CODE.search(word) and not word.isdigit()


def are_siblings(one: str, other: str) -> bool:
    """Whether names differ in one segment behind the same beginning: `customers_all.csv`, `customers_p2.csv`."""
    if one == other or _CODE.search(one):
        return False
    first, second = segments_of(one), segments_of(other)
    if _ADDRESS.fullmatch(one) and _ADDRESS.fullmatch(other):
        return sum(a != b for a, b in zip(first, second, strict=True)) == 1
    if not first or not second or first[0] != second[0] or len(first[0]) < 3:
        return False
    if len(first) == len(second):
        differing = sum(a != b for a, b in zip(first, second, strict=True))
        return differing == 1 and not _are_forms(first, second)
    short, long = sorted((first, second), key=len)
    return len(long) - len(short) == 1 and _is_within(short, long)


def segments_of(name: str) -> list[str]:
    return [part for part in _SEGMENTS.split(name) if part]


def _are_forms(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether only the ending of a file differs: `report.csv` and `report.parquet` are two forms of one thing."""
    return first[:-1] == second[:-1] and first[-1].isalpha() and len(first[-1]) <= 7 and len(first) == 2


def _is_within(short: Sequence[str], long: Iterable[str]) -> bool:
    rest = iter(long)
    return all(part in rest for part in short)


def has_word(text: str, name: str) -> bool:
    """Whether a text has a name as itself, not as a part of a longer name."""
    return name in text and bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]|\.\w)", text))
