"""The style of a text, as features: its words, the notions that they express, and an order's signals.

Addresses, amounts and other values are left out: the requested thing does not show who is addressed. Notions are common
to all languages, and pairs of them show more than each alone: a text with both *the user* and *do not tell* does not
address the user. Scripts without spaces are read as pairs of characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import re2

from supervisor.evidence.prose.passages import fold, sentences
from supervisor.evidence.provenance.instructions import signals_of
from supervisor.evidence.provenance.notions import NOTIONS

MAX_READ = 2_000  # characters of one text

_VALUES = re2.compile(
    r"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s\"'<>)\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:~|\.\.?)?(?:/[\w.@+-]+)+"
    r"|[\w-]*\d[\w.,:-]*|\"[^\"\n]{1,120}\"|'[^'\n]{1,120}'"
)
# A model's name with its version is not a value.
_MODEL = re2.compile(
    r"(?i)\b(?:chat)?(?:gpt|claude|gemini|llama|mistral|mixtral|qwen|deepseek|grok)[ -]?v?\d(?:[\w.-]*\w)?"
)
_RUNS = re2.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]+")


def manner(text: str) -> Mapping[str, int]:
    """The features of a text, each with the value 1.

    A feature is a word, or two adjacent words joined by a space; the prefix `#` marks a signal, `%` a notion, `&` a
    pair of notions or signals.
    """
    text = text[:MAX_READ]
    plain = _VALUES.sub(" ", _MODEL.sub("gpt", text))
    marks = sorted({f"#{name}" for sentence in sentences(text) if sentence for name in signals_of(sentence)})
    notions = [f"%{name}" for name in _notions(plain)]
    together = (f"&{one}{other}" for one, other in combinations([*marks, *notions], 2))
    return dict.fromkeys([*_words(fold(plain)), *marks, *notions, *together], 1)


def _words(folded: str) -> Iterator[str]:
    runs = _RUNS.findall(folded) if not folded.isascii() else []
    words = (_RUNS.sub(" ", folded) if runs else folded).split()
    yield from words
    yield from map(" ".join, pairwise(words))
    yield from (run[at : at + 2] for run in runs for at in range(len(run) - 1))


def _notions(text: str) -> list[str]:
    patterns, names = _compiled()
    return sorted({names[match] for match in patterns.Match(text.encode("utf-8", "replace")) or ()})


@cache
def _compiled() -> tuple[Any, list[str]]:
    """All notions as one automaton (RE2: linear time), and their names."""
    patterns = re2.Set.SearchSet(re2.Options())
    for expression in NOTIONS.values():
        patterns.Add(f"(?i){expression}")
    patterns.Compile()
    return patterns, list(NOTIONS)
