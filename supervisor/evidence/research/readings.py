"""A source, read once so that many claims can be compared with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from supervisor.evidence.prose.dates import months_in, unbroken
from supervisor.evidence.prose.figures import values_in
from supervisor.evidence.prose.text import sentences
from supervisor.evidence.prose.vocabulary import capital_runs, content_stems, language_of, plain


@dataclass(frozen=True, slots=True)
class Reading:
    """A text by its significant words: their stems, and the stems of each of its sentences."""

    parts: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    spread: Counter[str]
    values: tuple[float, ...]
    months: frozenset[int]
    initials: frozenset[str]
    language: str


def read(text: str) -> Reading:
    """Reads a source once for all claims."""
    text = unbroken(text)
    language = language_of(text)
    parts = tuple(part[:2_000] for part in sentences(text))
    stems = tuple(content_stems(part, language) for part in parts)
    spread = Counter(word for part in stems for word in part)
    initials = frozenset(plain(letters) for _, letters in capital_runs(text))
    return Reading(parts, stems, spread, tuple(values_in(text)), months_in(text), initials, language)
