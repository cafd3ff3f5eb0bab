"""Whether a command takes a selection that an earlier output counted, and the request is for fewer or for one.

"Patch the three pilot servers", `(Get-ADComputer -Filter …).Count` showed 87, and the command goes through that filter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from supervisor.action import strings_in
from supervisor.evidence.situation.wider.filters import Beyond
from supervisor.evidence.situation.wider.request import Request

_LATEST = 40  # steps
_MOST = 12
_MOST_TEXT = 16 * 1024
_LEAST = 6  # characters of what tells a selection
_SELECTION = re.compile(
    r"(?s)'([^'\n]{6,300})'|\"([^\"\n]{6,300})\"|(?:^|\s)((?:[\w.-]+/)+[\w.*-]+|[\w.-]{0,40}[=*][\w.*:-]{1,60})(?=[\s;|)]|$)"
)
_TELLS = re.compile(r"[=<>*/]|\s-(?:eq|ne|lt|le|gt|ge|like|match|notlike)\s")
_COUNT = re.compile(r"(?i)^\s*(?:count\s*[:=]\s*)?(\d{1,6})\s*$|\bhosts \((\d{1,6})\)")
_NARROWS = re.compile(
    r"(?i)\bhead\b|-first\b|\blimit\b|--max-(?:items|count)|\bgrep\b|where-object|\| ?\?|--limit|-l \S|\bselect\("
)
_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_SPELLED = (
    "ein eine einen zwei drei vier funf sechs sieben acht neun zehn un une deux trois quatre cinq dos tres cuatro cinco"
    " dois duas quatro due tre quattro dwa trzy twee drie vier"
)
_UNITS = (
    "(?:days?|hours?|minutes?|seconds?|weeks?|months?|years?|oldest|largest|newest|latest|percent|times?|stunden|tage\\w*"
    "|wochen|monate\\w*|jahre\\w*|heures?|jours?|semaines?|mois|ans|horas?|dias?|semanas?|meses|ore|giorni|mesi|anni|gb|mb|tb)"
)


def counted_selection(text: str, lines: str, request: Request) -> Iterator[Beyond]:
    """A selection that an earlier output counted, where the request is for fewer things than that."""
    wanted = _wanted(request.text) or _one_person(request)
    if not wanted or not request.context.history or _NARROWS.search(text):
        return
    selections = [each for each in _selections(text) if each not in request.text]
    for step in islice(reversed(request.context.history), _LATEST) if selections else ():
        given = " ".join(each for _, each in islice(strings_in(step.args), _MOST))[:_MOST_TEXT]
        counts = [int(one or other) for line in step.text[:2000].splitlines() for one, other in _COUNT.findall(line)]
        same = next((each for each in selections if each in given), "")
        if same and counts and max(counts) > wanted:
            yield Beyond(f"{max(counts)} by {same[:60]}", lines[:300], f"{wanted}")
            return


_PERSON = re.compile(r"(?<![\w.])([^\W\d_a-z][^\W\d_]+ [^\W\d_a-z][^\W\d_]+)(?!\w)")


def _one_person(request: Request) -> int:
    """1 if the request names one person, whom an output shows by that name; otherwise 0."""
    if request.named.everything:
        return 0
    named = {name for name in _PERSON.findall(request.text) if any(name in line for line in request.lines)}
    return int(len(named) == 1)


def _selections(text: str) -> list[str]:
    """What tells which things a command takes: conditions, patterns, the path of a list."""
    words = (next(filter(None, found.groups())) for found in islice(_SELECTION.finditer(text), 4 * _MOST))
    return [word for word in words if len(word) >= _LEAST and _TELLS.search(word) and "://" not in word][:_MOST]


def _wanted(said: str) -> int:
    """How many things a request is for; 0 if it does not say, or says several numbers."""
    found = {_number(match[1]) for match in islice(_counted().finditer(said), _MOST)} - {0}
    return found.pop() if len(found) == 1 else 0


@cache
def _counted() -> re.Pattern[str]:
    """A number before a noun in the plural, which is no unit: "the three servers", "5 PCs"."""
    words = "|".join((*_WORDS[1:], *_SPELLED.split()))
    return re.compile(
        rf"(?i)(?<![\w.,:/-])(\d{{1,3}}|{words})\s(?!{_UNITS}\b)(?:[a-z][\w-]{{1,20}}\s){{0,2}}?[a-z][\w-]{{1,24}}s\b"
    )


def _number(word: str) -> int:
    lowered = word.lower()
    if lowered.isdigit():
        return int(lowered)
    return _WORDS.index(lowered) + 1 if lowered in _WORDS else _VALUES.get(lowered, 0)


_VALUES = {
    word: number
    for number, words in {
        1: "ein eine einen un une",
        2: "zwei deux dos dois duas due dwa twee",
        3: "drei trois tres tre trzy drie",
        4: "vier quatre cuatro quatro quattro",
        5: "funf cinq cinco",
        6: "sechs",
        7: "sieben",
        8: "acht",
        9: "neun",
        10: "zehn",
    }.items()
    for word in words.split()
}
