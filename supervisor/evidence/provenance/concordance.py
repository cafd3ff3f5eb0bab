"""In which steps of a session the words of a value were said, so that it is found however long ago that was.

To enter all words of an output takes thirty times as long as to look for a few of them in it, and who first sees a long
past has no time for that. So each action enters some outputs, and those that are not entered yet are searched: what is
found is the same, whichever they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from supervisor.action import Action, Context, Step
from supervisor.evidence import reader
from supervisor.evidence.language.passages import MAX_PLACES, is_numeric, spread
from supervisor.evidence.language.scripts import UNSPACED
from supervisor.evidence.provenance.spellings import Spelt, values_of
from supervisor.evidence.provenance.utterances import MAX_STEPS, Sources, Utterance, heard_in, may_hold, utterance_of
from supervisor.evidence.session.past import Growing, grown

MOST_TRIED = 3  # steps in which a value is looked for, where all of its words stand
_ENTERED = 256 * 1024  # characters that an action enters
_MOST_WORDS = 8  # of a value that are looked up, the longest
_LONGEST_GROUP = 8  # figures
_UNSPACED = re.compile(f"[{UNSPACED}]+")
_BORDERING = re.compile(r"(?<=[^\x00-\x7f])[!-~]+|[!-~]+(?=[^\x00-\x7f])")


class Concordance(Growing):
    """The words of the outputs, each with the numbers of the steps that say it, and the outputs still to be entered."""

    def __init__(self) -> None:
        self._texts: list[str] = []  # of each step, all words between spaces; "" where they are entered
        self._entered = 0
        self._steps: dict[str, list[int]] = {}

    def take(self, number: int, step: Step) -> None:
        self._texts[number : number + 1] = [_apart(spread(heard_in(step)))]

    def saying(self, words: Sequence[str], since: int = 0) -> list[int]:
        """The steps, of those from number `since` on, that say all of these words, in order."""
        if not words:
            return []
        first, needles = max(self._entered, since), [f" {word} " for word in words]
        unread = enumerate(self._texts[first:], first)  # before the others, which another thread may enter meanwhile
        found = [number for number, text in unread if all(needle in text for needle in needles)]
        rarest, *others = sorted((self._steps.get(word, []) for word in words), key=len)
        entered = rarest[bisect_left(rarest, since) :]
        if others:
            entered = [number for number in entered if all(_among(numbers, number) for numbers in others)]
        return sorted({*entered, *found}) if found else entered

    def enter(self, room: int = _ENTERED) -> bool:
        """Enters the next outputs; whether there are more. A step that two threads enter stands there twice, which
        changes nothing."""
        while room > 0 and (number := self._entered) < len(self._texts):
            room -= len(self._texts[number])
            for word in set(self._texts[number].split()):
                insort(self._steps.setdefault(word, []), number)
            self._entered = number + 1
            self._texts[number] = ""
        return self._entered < len(self._texts)


def _among(numbers: Sequence[int], number: int) -> bool:
    at = bisect_left(numbers, number)
    return at < len(numbers) and numbers[at] == number


class Whereabouts(NamedTuple):
    """Steps that may say a value, but for what they encode: those where all of its words stand, in order; of the recent
    ones those where it may stand as it is; and those where it may begin, with its first word or the first figures."""

    said: list[int]
    whole: Set[int]
    begun: Set[int]


@reader
def whereabouts(action: Action, context: Context) -> dict[Spelt, Whereabouts]:
    """For each value of an action the steps that may say it."""
    concordance, end = grown(context, Concordance), len(context.history)
    concordance.enter()
    return {value: _steps_of(value, concordance, end) for value in values_of(action)}


def _steps_of(value: Spelt, concordance: Concordance, end: int) -> Whereabouts:
    recent = range(max(end - MAX_STEPS, 0), end)
    entries = dict.fromkeys(entry for folded in value.spellings for entry in _entries(folded))
    found = [concordance.saying(entry) for entry in entries]
    said = found[0] if len(found) == 1 else sorted(set().union(*found))
    said = said[: bisect_left(said, end)]
    if not all(folded.isascii() for folded in value.spellings):
        return Whereabouts(said, set(recent), set(recent))  # other scripts write words together
    firsts = {first for folded in value.spellings for first in beginnings(folded)}
    begun = set().union(*(concordance.saying((first,), recent.start) for first in firsts))
    in_groups = any(map(is_numeric, value.spellings))
    return Whereabouts(said, begun if in_groups else set(said[bisect_left(said, recent.start) :]), begun)


def first_said(context: Context, value: Spelt, steps: Sequence[int], before: int) -> Utterance | None:
    """What the tool said that was the first to say a value, where that was in one of these steps before another. None
    where so many say it that the first is no clue."""
    if len(steps) > MAX_PLACES and not value.distinctive:
        return None
    for number in steps[: min(bisect_left(steps, before), MOST_TRIED)]:
        if value.is_word:
            return utterance_of(context, number)
        if not may_hold(heard_in(context.history[number]), value):
            continue
        utterance = utterance_of(context, number)
        if Sources([utterance]).passages_of(value, {number}, {number}):
            return utterance
    return None


def _entries(folded: str) -> Iterator[tuple[str, ...]]:
    """What a value may be looked up by: its words, and where it is a number, the group of figures it begins with."""
    words = sorted(set(_apart(folded).split()), key=lambda word: (-len(word), word))
    yield tuple(words[:_MOST_WORDS])
    yield from ((figures,) for figures in _first_figures(folded) if len(figures) > 1)


def beginnings(folded: str) -> Iterator[str]:
    """The words or figures with which a folded value may begin."""
    yield folded.partition(" ")[0]
    yield from _first_figures(folded)


def _first_figures(folded: str) -> Iterator[str]:
    """The groups of figures that a number may begin with, as people write it."""
    squeezed = folded.replace(" ", "")
    if is_numeric(squeezed):
        yield from (squeezed[:length] for length in (*range(1, _LONGEST_GROUP + 1), len(squeezed)))


def _apart(folded: str) -> str:
    """A folded text with its words between spaces; of a run without spaces every two neighbours are words, and of a
    word in which other letters stand next to Latin ones or figures, those are too."""
    if folded.isascii():
        return f" {folded} "
    runs = _UNSPACED.findall(folded)
    pairs = [run[at : at + 2] for run in runs for at in range(max(len(run) - 1, 1))]
    words = _UNSPACED.sub(" ", folded) if runs else folded
    inside = _BORDERING.findall(words)
    return f" {words} {' '.join(pairs)} {' '.join(inside)} "
