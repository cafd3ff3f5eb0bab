"""An index of the words in a session's outputs, so that a value is found however old the output is.

To index all words of an output takes thirty times as long as to search it for a few words, and a first reading of a
long past has no time for that. So each action indexes some outputs, and the others are searched. The result does not
depend on which outputs are indexed.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from supervisor.action import Action, Context, Step
from supervisor.evidence import reader
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.prose.passages import apart, is_numeric, spread
from supervisor.evidence.provenance.spellings import SpelledValue, values_of
from supervisor.evidence.provenance.utterances import (
    MAX_STEPS,
    Sources,
    Utterance,
    may_hold,
    text_of_step,
    utterance_of,
)

MOST_TRIED = 3  # steps with all words of a value that are searched for the value itself
_ENTERED = 128 * 1024  # characters that an action indexes
_MOST_WORDS = 8  # of a value that are looked up, longest first
_LONGEST_GROUP = 8  # figures


class Concordance(Growing):
    """The words of the outputs, each with the numbers of its steps, and the outputs that are not yet indexed."""

    def __init__(self) -> None:
        self._texts: list[str] = []  # for each step, all words between spaces; "" once they are indexed
        self._entered = 0
        self._steps: dict[str, list[int]] = {}
        self._entering = threading.Lock()

    def take(self, number: int, step: Step) -> None:
        self._texts[number : number + 1] = [apart(spread(text_of_step(step)))]

    def saying(self, words: Sequence[str], since: int = 0) -> list[int]:
        """The steps from number `since` on that contain all of these words, in order."""
        if not words:
            return []
        first = max(self._entered, since)
        unread = list(enumerate(self._texts[first:], first))  # before the index, which threads may extend
        for word in words:
            needle = f" {word} "
            unread = [(number, text) for number, text in unread if needle in text]
        found = [number for number, _ in unread]
        rarest, *others = sorted((self._steps.get(word, []) for word in words), key=len)
        entered = rarest[bisect_left(rarest, since) :]
        if others:
            entered = [number for number in entered if all(_among(numbers, number) for numbers in others)]
        return sorted({*entered, *found}) if found else entered

    def enter(self, room: int = _ENTERED) -> bool:
        """Indexes the next outputs, unless another thread is doing so. Returns whether there are more."""
        if self._entering.acquire(blocking=False):
            try:
                self._enter(room)
            finally:
                self._entering.release()
        return self._entered < len(self._texts)

    def _enter(self, room: int) -> None:
        while room > 0 and (number := self._entered) < len(self._texts):
            room -= len(self._texts[number])
            for word in set(self._texts[number].split()):
                numbers = self._steps.setdefault(word, [])
                if numbers[-1:] != [number]:  # a deadline may have interrupted an earlier call
                    numbers.append(number)
            self._entered = number + 1
            self._texts[number] = ""


def _among(numbers: Sequence[int], number: int) -> bool:
    at = bisect_left(numbers, number)
    return at < len(numbers) and numbers[at] == number


class Whereabouts(NamedTuple):
    """The steps whose unencoded text may contain a value.

    `said` are all steps with all of its words, in order; `whole` are the recent steps that may contain it unchanged;
    `begun` are the recent steps in which it may begin and continue after other words.
    """

    said: list[int]
    whole: Set[int]
    begun: Set[int]


@reader
def whereabouts(action: Action, context: Context) -> dict[SpelledValue, Whereabouts]:
    """For each value of an action, the steps that may contain it."""
    concordance, end = grown(context, Concordance), len(context.history)
    concordance.enter()
    return {value: _steps_of(value, concordance, end) for value in values_of(action, context)}


def _steps_of(value: SpelledValue, concordance: Concordance, end: int) -> Whereabouts:
    recent = range(max(end - MAX_STEPS, 0), end)
    entries = dict.fromkeys(entry for folded in value.spellings for entry in _entries(folded))
    found = [concordance.saying(entry) for entry in entries]
    said = found[0] if len(found) == 1 else sorted(set().union(*found))
    said = said[: bisect_left(said, end)]
    if value.is_glued:
        return Whereabouts(said, set(recent), set(recent))
    firsts = {folded.partition(" ")[0] for folded in value.spellings}
    begun = set().union(*(concordance.saying((first,), recent.start) for first in firsts))
    return Whereabouts(said, set(said[bisect_left(said, recent.start) :]), begun)


def first_utterance(context: Context, value: SpelledValue, steps: Sequence[int], before: int) -> Utterance | None:
    """The first output that contains a value, among these steps and before the step `before`; None if there is none."""
    for number in steps[: min(bisect_left(steps, before), MOST_TRIED)]:
        if value.is_word or may_hold(text_of_step(context.history[number]), value):
            utterance = utterance_of(context, number)
            if Sources([utterance]).passages_of(value):
                return utterance
    return None


def _entries(folded: str) -> Iterator[tuple[str, ...]]:
    """The words to look a value up by: its words, or if it is a number, each possible first group of digits."""
    words = sorted(set(apart(folded).split()), key=lambda word: (-len(word), word))
    yield tuple(words[:_MOST_WORDS])
    squeezed = folded.replace(" ", "")
    if is_numeric(squeezed):
        yield from ((squeezed[:length],) for length in (*range(2, _LONGEST_GROUP + 1), len(squeezed)))
