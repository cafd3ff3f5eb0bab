"""What the rules of this package share: the lines of earlier outputs, words of the model, numbers of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from supervisor.action import Context
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.situation.values.quantities import literals
from supervisor.evidence.situation.values.rows import row

MOST_TEXT = 16 * 1024  # characters of a script or an output
LATEST = 40  # steps
_MOST_LINES = 1000


class Mismatch(NamedTuple):
    """The value that the user demands, and what the command sets instead."""

    asked: str
    used: str


def lines(context: Context) -> Iterator[str]:
    """The lines of the latest outputs."""
    room = _MOST_LINES
    for step in islice(reversed(context.history), LATEST):
        found = step.text[:MOST_TEXT].splitlines()
        yield from islice(found, max(room, 0))
        room -= len(found)


def numbers_in(text: str) -> frozenset[float]:
    """The numbers of a text."""
    return frozenset(number for number, _ in literals(text))


def shown_numbers(context: Context) -> frozenset[float]:
    """The numbers of the latest outputs."""
    return frozenset(number for line in lines(context) for number, _ in literals(line))


def has(word: str, text: str) -> bool:
    """Whether a text has a word as itself."""
    return has_word(word.lower(), text.lower())


@cache
def pattern(name: str, *, whole: bool = True) -> re.Pattern[str]:
    """A pattern of `values.yaml`, of whole words unless it says itself where it stands."""
    words = row(name)
    return re.compile(rf"(?i)(?<![a-zà-žа-яё])(?:{words})(?![a-zà-žа-яё])" if whole else f"(?i){words}")


@cache
def word_set(name: str) -> frozenset[str]:
    """A set of words of `values.yaml`."""
    return frozenset(row(name).split())
