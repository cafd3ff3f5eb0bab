"""Words of requests, calls and entries, and whether two of them are forms of the same word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from supervisor.evidence.reading.tables import table_beside

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")  # a word of a sentence: `don't` is one
_INDEXED = 3  # letters by which beginnings are looked up; none is shorter
_CAMEL = re.compile(r"(?<=[a-zà-öø-ÿ0-9])(?=[A-ZÀ-ÖØ-Þ])")
_LEAST_STEM = 5  # letters that two forms of a word share
_SHARED = 0.7  # of the longer form
_LONG = 3  # letters of a word that says something
_CLAUSES = re.compile(r"[.;:!?,\n()\u2013\u2014]| - ")
_LONGEST_NAME = 256
_SHORT = 200  # characters of a text whose words are kept


def words_in(text: str) -> tuple[str, ...]:
    """The words of a text or a name (`meritMatrix_2025.pdf`: merit, matrix, 2025, pdf), in lower case."""
    return _words_in_short(text) if len(text) <= _SHORT else _split(text)


@lru_cache(maxsize=8192)
def _words_in_short(text: str) -> tuple[str, ...]:
    return _split(text)


def _split(text: str) -> tuple[str, ...]:
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
    if word in others:
        return True
    if len(word) < _LEAST_STEM:
        return False
    return any(is_form(word, other) for other in _by_stem(others).get(word[:_LEAST_STEM], ()))


@lru_cache(maxsize=256)
def _by_stem(words: frozenset[str]) -> dict[str, list[str]]:
    """The longer words by their beginnings."""
    found: dict[str, list[str]] = {}
    for word in words:
        if len(word) >= _LEAST_STEM:
            found.setdefault(word[:_LEAST_STEM], []).append(word)
    return found


@cache
def row(name: str) -> frozenset[str]:
    """A row of `words.yaml`, as words."""
    return frozenset(str(each).lower() for each in table_beside(__file__, "words.yaml")[name])


class Place(NamedTuple):
    """Where a text has a word: from `start` to before `end`, as `text` spells it."""

    start: int
    end: int
    text: str


class Spelling:
    """A row of `words.yaml`, looked for as whole words and phrases. `*` ends a beginning. Words of scripts without
    spaces match anywhere."""

    def __init__(self, words: Iterable[str]) -> None:
        self._phrases: dict[str, list[tuple[str, ...]]] = {}  # by the first word, each with the words behind it
        self._beginnings: dict[str, list[str]] = {}  # of single words, by their first letters
        unspaced = []
        for word in words:
            first, *rest = _TOKEN.findall(word.lower()) or [""]
            if _is_unspaced(word):
                unspaced.append(re.escape(word))
            elif word.endswith("*") and not rest:
                self._beginnings.setdefault(first[:_INDEXED], []).append(first)
            elif first:
                self._phrases.setdefault(first, []).append((*rest, *(["*"] if word.endswith("*") else [])))
        self._unspaced = re.compile("|".join(unspaced)) if unspaced else None
        longest = (max((first, *rest), key=len) for first, found in self._phrases.items() for rest in found)
        self._telling = sorted({*longest, *(each for found in self._beginnings.values() for each in found)})

    def may_be_in(self, text: str) -> bool:
        """Whether a text may have one of the words, by the longest word of each: much faster than to look for them."""
        folded = text.lower()
        return any(each in folded for each in self._telling) or bool(self._unspaced and self._unspaced.search(text))

    def search(self, text: str) -> Place | None:
        """The first place at which a text has one of the words."""
        tokens = [(each.start(), each.end(), each[0].lower()) for each in _TOKEN.finditer(text)]
        for at, (start, _, _) in enumerate(tokens):
            length = self._length_at(at, tokens)
            if length:
                end = tokens[at + length - 1][1]
                return Place(start, end, text[start:end])
        found = self._unspaced.search(text) if self._unspaced else None
        return Place(found.start(), found.end(), found[0]) if found else None

    def fullmatch(self, text: str) -> bool:
        """Whether a text is one of the words."""
        tokens = [(each.start(), each.end(), each[0].lower()) for each in _TOKEN.finditer(text)]
        return 0 < len(tokens) == (self._length_at(0, tokens) if tokens else -1)

    def _length_at(self, at: int, tokens: Sequence[tuple[int, int, str]]) -> int:
        """How many words the longest phrase has that begins with this word; 0 if none does."""
        word = tokens[at][2]
        fitting = (rest for rest in self._phrases.get(word, ()) if self._follows(rest, at + 1, tokens))
        lengths = [1 + len(rest) - rest.count("*") for rest in fitting]
        if any(word.startswith(each) for each in self._beginnings.get(word[:_INDEXED], ())):
            lengths.append(1)
        return max(lengths, default=0)

    @staticmethod
    def _follows(rest: tuple[str, ...], at: int, tokens: Sequence[tuple[int, int, str]]) -> bool:
        if rest[-1:] == ("*",):
            *rest_, last = rest[:-1]
            end = at + len(rest_)
            return Spelling._follows(tuple(rest_), at, tokens) and end < len(tokens) and tokens[end][2].startswith(last)
        return tuple(each[2] for each in tokens[at : at + len(rest)]) == rest


@cache
def pattern(name: str) -> Spelling:
    """A row of `words.yaml`."""
    return Spelling(str(word) for word in table_beside(__file__, "words.yaml")[name])


def _is_unspaced(word: str) -> bool:
    """Whether a word is of a script without capitals, whose words may stand without spaces."""
    return not word[0].isascii() and word[0].lower() == word[0].upper()


def reads_only(tool: str) -> bool:
    """Whether a tool looks something up, by the last words of its name, or only shows what it would do."""
    return not row("reads").isdisjoint(words_in(tool[:_LONGEST_NAME])[-3:])


@lru_cache(maxsize=64)
def asked_for(task: str, tool: str) -> Asked:
    """The words of a request for a tool. Cached, because all calls of a session come with the same text."""
    return Asked(task, tool)


class Asked:
    """The words of a request: those that describe what is wanted, and those that exclude something."""

    def __init__(self, task: str, tool: str) -> None:
        names = frozenset(words_in(tool[:_LONGEST_NAME]))
        wanted, excluded = set[str](), set[str]()
        for clause in _CLAUSES.split(task):
            split = pattern("negations").search(clause)
            first = words_in(clause)[:1]
            for word in words_in(clause[: split.start] if split else clause):
                if (word not in first or not word.isalpha()) and _says_something(word) and not has_form(word, names):
                    wanted.add(word)
            rest = words_in(clause[split.start :]) if split else ()
            excluded.update(word for word in rest if _says_something(word))
        self.wanted = frozenset(wanted - excluded)
        self.acronyms = frozenset(each.lower() for each in _ACRONYMS.findall(task)) - excluded
        self.excluded = frozenset(excluded)
        self.means_all = pattern("all").search(task) is not None


_ACRONYMS = re.compile(r"(?<![^\W_])[A-Z][A-Z\d]{1,3}(?![^\W_])")  # "MSC": too short for a word that describes


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
