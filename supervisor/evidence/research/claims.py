"""Claims compared with the sources they cite, by words and figures, without a model.

An invented part of a claim is a name, a figure or a rare word that the source does not contain. A changed part shows if
a sentence of the source contains the rest of the claim. Neither comparison needs to understand the text, and neither
proves a claim right. Inflection, number words, units, abbreviations and rounding make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.prose.dates import Date, dates_in, unbroken
from supervisor.evidence.prose.figures import Figure, figures_in, is_measure, values_in
from supervisor.evidence.prose.text import sentences
from supervisor.evidence.prose.vocabulary import (
    FILLERS_OF,
    capital_runs,
    content_stems,
    language_of,
    plain,
    stem,
    words_of,
)
from supervisor.evidence.research.citations import MARK, MAX_NAMES, Source, cited_at_hand, claims_in
from supervisor.evidence.research.readings import Reading, read

MAX_CLAIMS = 40
MAX_SOURCE = 100_000  # characters; a claim with a longer source is not judged
MAX_REPORT = 100_000
_COMMON_NAMES_WORDS = (
    "january february march april may june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday"
)
_COMMON_NAMES = frozenset(_COMMON_NAMES_WORDS.split())
_URL = re.compile(r"https?://\S{1,2000}")
_ANY_WORD = re.compile(r"[^\W_]+")
_INSIDE = re.compile(r"(?<=[^\s.!?:\"“”(])[ (\"\u201c\u2018]+(\w[\w'-]*)")  # a word that does not begin a sentence


@dataclass(frozen=True)
class Compared:
    """A claim and the source that it cites. `reading` is the source's."""

    claim: str
    source: Source
    reading: Reading
    known: frozenset[str]  # stems in the task
    given: tuple[float, ...]  # figures in the task
    marked: bool  # whether the claim has a citation mark, or is the whole report

    @cached_property
    def words(self) -> list[str]:
        """The claim's significant words, each once, as written."""
        first: dict[str, str] = {}
        for word in words_of(self.claim):
            bare = plain(word)
            if not (word.isdigit() or is_measure(bare) or bare in FILLERS_OF[self.reading.language]):
                first.setdefault(stem(word), word)
        return list(first.values())

    @cached_property
    def same_language(self) -> bool:
        """Whether the claim and the source have the same language, so that their words can be compared."""
        return language_of(self.claim) == self.reading.language

    @cached_property
    def strange(self) -> list[str]:
        """The significant words that neither the source nor the task contains."""
        spread = self.reading.spread
        found = [word for word in self.words if stem(word) not in spread and stem(word) not in self.known]
        return [word for word in found if not self._abbreviated(word)] if self.same_language else []

    @cached_property
    def strange_names(self) -> list[str]:
        """The strange words that are names: capitalized within a sentence. Empty for German, which capitalizes
        nouns."""
        if self.reading.language == "de":
            return []
        inside = {match[1] for match in _INSIDE.finditer(self.claim)}
        names = [word for word in self.strange if word[:1].isupper() and len(word) > 2 and word in inside]
        return [word for word in names if plain(word) not in _COMMON_NAMES]

    @property
    def replaces_name(self) -> bool:
        """Whether the nearest sentence has another name in place of a strange one, before or after the same word."""
        names = set(self.strange_names)
        ours = set(_beside(self.claim, names))
        theirs = _beside(self.passage, {word for word in words_of(self.passage) if word[:1].isupper()} - names)
        return bool(ours & set(theirs))

    @cached_property
    def strange_figures(self) -> list[Figure]:
        """The figures outside dates that the source cannot contain in any form."""
        within = [(date.start, date.end) for date in self.dates]
        return [
            figure
            for figure in figures_in(self.claim)
            if not any(start <= figure.start < end for start, end in within) and not self._is_in_source(figure)
        ]

    @cached_property
    def dates(self) -> list[Date]:
        """The claim's dates."""
        return dates_in(self.claim)

    @cached_property
    def strange_dates(self) -> list[Date]:
        """The dates with a part (year, month or day) that the source does not contain."""
        values = frozenset(self.reading.values) | frozenset(self.given)
        return [
            date
            for date in self.dates
            if (date.year and date.year not in values)
            or (date.day and date.day not in values)
            or date.month not in self.reading.months
        ]

    @cached_property
    def nearest(self) -> int:
        """The index of the source's sentence that has most in common with the claim; -1 if none has anything."""
        stems = self._telling
        weights = [sum(self._weight(word) for word in part & stems) for part in self.reading.stems]
        best = max(range(len(weights)), key=weights.__getitem__, default=-1)
        return best if best >= 0 and weights[best] > 0 else -1

    @property
    def passage(self) -> str:
        """The nearest sentence; empty if there is none."""
        return self.reading.parts[self.nearest] if self.nearest >= 0 else ""

    @cached_property
    def likeness(self) -> float:
        """The share of the claim's significant words in the nearest sentence, from 0 to 1. Rarer words weigh more."""
        return self._share(self.reading.stems[self.nearest]) if self.nearest >= 0 else 0.0

    def same_as(self, clause: str) -> float:
        """The smaller of the shares of common words in a clause of the source and in the claim, from 0 to 1."""
        theirs = content_stems(clause, self.reading.language)
        shared = len(self._telling & theirs)
        return shared / max(len(self._telling), len(theirs), 1)

    @cached_property
    def _telling(self) -> frozenset[str]:
        return frozenset(stem(word) for word in self.words)

    def _share(self, stems: frozenset[str]) -> float:
        whole = sum(self._weight(word) for word in self._telling)
        return sum(self._weight(word) for word in self._telling & stems) / whole if whole else 0.0

    def _weight(self, word: str) -> float:
        return 1.0 / (1 + self.reading.spread[word].bit_length()) if self.reading.spread[word] else 0.5

    def _abbreviated(self, word: str) -> bool:
        """Whether a word is `NHL` and the source writes it out, or `National` and the source only has the letters."""
        if word.isupper() and 2 <= len(word) <= 6:
            return plain(word) in self.reading.initials
        return any(word in run for run, letters in capital_runs(self.claim) if plain(letters) in self.reading.spread)

    def _is_in_source(self, figure: Figure) -> bool:
        values = (*self.reading.values, *self.given)
        if figure.text.isdigit() and len(figure.text) == 2 and re.search(r"\d{4}\s?[-–/]$", self.claim[: figure.start]):
            return True  # the second year of a season
        if figure.stands_for(values):
            return True
        spans = figure.unit == "year" or re.search(
            r"(?i)\b(?:aged?|edad de|im alter von)\s*$", self.claim[: figure.start]
        )
        return bool(spans) and _spans(self.reading.values, figure.values)


@reader
def compared(action: Action, context: Context) -> list[Compared]:
    """Each claim of a report with the source that it cites, if the source's text is available.

    Raises Unreadable beyond MAX_REPORT and MAX_CLAIMS.
    """
    text = _URL.sub(" ", unbroken(action.text("text")[: MAX_REPORT + 1]))
    cited = cited_at_hand(action, context)
    if not text or not cited:
        return []
    if len(text) > MAX_REPORT:
        raise Unreadable(f"a report of more than {MAX_REPORT:,} characters")
    task = "\n".join([context.task or "", *_about_sources(context)])
    known, given = frozenset(map(stem, words_of(task))), tuple(values_in(task))
    readings: dict[str, Reading] = {}
    found = []
    claims = _claims(text, cited)
    for claim, source in claims:
        if source.problem or not source.text.strip() or len(source.text) > MAX_SOURCE:
            continue
        reading = readings.get(source.name) or readings.setdefault(source.name, read(source.text))
        found.append(Compared(claim, source, reading, known, given, bool(MARK.search(text)) or len(claims) <= 2))
    return found


def _claims(text: str, cited: list[Source]) -> list[tuple[str, Source]]:
    """The claims by their marks; without any mark, each sentence with all the sources, if all texts are available."""
    if MARK.search(text):
        claims = claims_in(text, cited, MAX_CLAIMS)
    elif any(source.problem for source in cited):
        return []
    else:
        whole = Source(" and ".join(source.name for source in cited), "\n".join(source.text for source in cited))
        claims = [(sentence, whole) for sentence in sentences(text)]
    if len(claims) > MAX_CLAIMS:
        raise Unreadable(f"more than {MAX_CLAIMS} claims")
    return claims


def _about_sources(context: Context) -> Iterator[str]:
    """The fields of the task's sources besides their texts: titles, dates, authors."""
    stated = context.facts.get("sources")
    for item in stated[:MAX_NAMES] if isinstance(stated, list) else ():
        if isinstance(item, Mapping):
            yield from (value[:1_000] for name, value in item.items() if name != "text" and isinstance(value, str))


def _beside(text: str, names: Container[str]) -> list[tuple[str, bool]]:
    """The words of a text that are next to one of the names and not names themselves, and whether they precede it."""
    found = []
    for left, right in pairwise(_ANY_WORD.findall(text)):
        if (left in names) is not (right in names):
            word = left if right in names else right
            if not word[:1].isupper():
                found.append((stem(word), right in names))
    return found


def _spans(values: Iterable[float], wanted: Iterable[float]) -> bool:
    """Whether two years in the source are as far apart as a claim states, plus or minus one."""
    years = [value for value in values if 1000 <= value < 2200 and value == int(value)][:60]
    lengths = {abs(one - other) for one in years for other in years}
    return any(value + slack in lengths for value in wanted for slack in (-1, 0, 1))
