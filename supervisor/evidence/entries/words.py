"""Words of requests, calls and entries, and whether two of them are forms of the same word."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from supervisor.evidence.reading.tables import table_beside

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-zà-öø-ÿ0-9])(?=[A-ZÀ-ÖØ-Þ])")
_LEAST_STEM = 5  # letters that two forms of a word share
_SHARED = 0.7  # of the longer form
_LONG = 3  # letters of a word that says something
_CLAUSES = re.compile(r"[.;:!?,\n()\u2013\u2014]| - ")
_LONGEST_NAME = 256


@lru_cache(maxsize=8192)
def words_in(text: str) -> tuple[str, ...]:
    """The words of a text or a name (`meritMatrix_2025.pdf`: merit, matrix, 2025, pdf), in lower case."""
    return tuple(_WORD.findall(_CAMEL.sub(" ", text).lower()))


def is_form(one: str, other: str) -> bool:
    """Whether two words are forms of one: equal, or with the same long beginning."""
    if one == other:
        return True
    shorter, longer = sorted((len(one), len(other)))
    shared = max(_LEAST_STEM, int(_SHARED * longer + 0.5))
    return shorter >= shared and one[:shared] == other[:shared] and not (one.isdigit() or other.isdigit())


def has_form(word: str, others: frozenset[str]) -> bool:
    """Whether one of the words is a form of this one."""
    return word in others or any(is_form(word, other) for other in others)


@cache
def row(name: str) -> frozenset[str]:
    """A row of `words.yaml`, as words."""
    return frozenset(str(each).lower() for each in table_beside(__file__, "words.yaml")[name])


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A row of `words.yaml`, as a pattern of whole words. `*` ends a beginning."""
    each = (re.escape(str(word)).replace(r"\*", r"\w*") for word in table_beside(__file__, "words.yaml")[name])
    spelt = sorted(each, key=len, reverse=True)
    plain = "|".join(word for word in spelt if not _is_unspaced(word))
    unspaced = "|".join(word for word in spelt if _is_unspaced(word))
    return re.compile(rf"(?i)(?<!\w)(?:{plain})(?!\w)" + (f"|{unspaced}" if unspaced else ""))


def _is_unspaced(word: str) -> bool:
    """Whether a word is of a script without capitals, whose words may stand without spaces."""
    return not word[0].isascii() and word[0].lower() == word[0].upper()


def reads_only(tool: str) -> bool:
    """Whether a tool looks something up, by the last words of its name, or only shows what it would do."""
    return not row("reads").isdisjoint(words_in(tool[:_LONGEST_NAME])[-3:])


class Asked:
    """The words of a request: those that describe what is wanted, and those that exclude something."""

    def __init__(self, task: str, tool: str) -> None:
        names = frozenset(words_in(tool[:_LONGEST_NAME]))
        wanted, excluded = set[str](), set[str]()
        for clause in _CLAUSES.split(task):
            split = pattern("negations").search(clause)
            first = words_in(clause)[:1]
            for word in words_in(clause[: split.start()] if split else clause):
                if (word not in first or not word.isalpha()) and _says_something(word) and not has_form(word, names):
                    wanted.add(word)
            rest = words_in(clause[split.start() :]) if split else ()
            excluded.update(word for word in rest if _says_something(word))
        self.wanted = frozenset(wanted - excluded)
        self.excluded = frozenset(excluded)
        self.means_all = pattern("all").search(task) is not None


def _says_something(word: str) -> bool:
    if word in row("empty"):
        return False
    return len(word) > _LONG or (len(word) == _LONG and not word.isalpha()) or (len(word) > 1 and not word.isascii())


def values_in(args: Any, longest: int, most: int = 200) -> list[tuple[str, str]]:
    """The texts and numbers in the arguments of a call, each with the name of the argument that holds it. Switches and
    values longer than `longest` are left out."""
    found: list[tuple[str, str]] = []
    stack: list[tuple[str, Any]] = [("", args)]
    for _ in range(4 * most):
        if not stack or len(found) >= most:
            break
        name, value = stack.pop()
        if isinstance(value, dict):
            stack.extend((str(key), each) for key, each in reversed(list(value.items())[:most]))
        elif isinstance(value, (list, tuple)):
            stack.extend((name, each) for each in reversed(value[:most]))
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool) and 0 < len(str(value)) <= longest:
            found.append((name, str(value).strip()))
    return found
