"""In which steps of a session the words of a value were said, so that it is found however long ago that was.

To enter all words of an output takes thirty times as long as to look for a few of them in it, and who first sees a long
past has no time for that. So each action enters some outputs, and those that are not entered yet are searched: what is
found is the same, whichever they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from supervisor.action import Action, Context, Step
from supervisor.evidence import reader
from supervisor.evidence.language.passages import fold, is_numeric, spread
from supervisor.evidence.language.scripts import UNSPACED
from supervisor.evidence.provenance.spellings import Spelt, values_of
from supervisor.evidence.provenance.utterances import Sources, Utterance, heard_in, may_hold, utterance_of
from supervisor.evidence.session.past import Growing, grown

MOST_TRIED = 3  # steps in which a value is looked for, where all of its words stand
_ENTERED = 256 * 1024  # characters that an action enters
_MOST_WORDS = 8  # of a value that are looked up, the longest
_UNSPACED = re.compile(f"[{UNSPACED}]+")


class Concordance(Growing):
    """The words of the outputs, each with the numbers of the steps that say it, and the outputs still to be entered."""

    def __init__(self) -> None:
        self._texts: list[str] = []  # of each step, all words between spaces; "" where they are entered
        self._entered = 0
        self._steps: dict[str, list[int]] = {}

    def take(self, number: int, step: Step) -> None:
        self._texts[number : number + 1] = [_apart(spread(heard_in(step)))]

    def saying(self, words: Sequence[str]) -> set[int]:
        """The steps that say all of these words."""
        if not words:
            return set()
        first, needles = self._entered, [f" {word} " for word in words]
        unread = enumerate(self._texts[first:], first)  # before the others, which another thread may enter meanwhile
        found = {number for number, text in unread if all(needle in text for needle in needles)}
        rarest, *others = sorted((self._steps.get(word, ()) for word in words), key=len)
        return found.union(set(rarest).intersection(*others)) if rarest else found

    def enter(self, room: int = _ENTERED) -> bool:
        """Enters the next outputs; whether there are more. A step that two threads enter stands there twice, which
        changes nothing."""
        while room > 0 and (number := self._entered) < len(self._texts):
            room -= len(self._texts[number])
            for word in set(self._texts[number].split()):
                self._steps.setdefault(word, []).append(number)
            self._entered = number + 1
            self._texts[number] = ""
        return self._entered < len(self._texts)


@reader
def whereabouts(action: Action, context: Context) -> dict[Spelt, list[int]]:
    """For each value of an action the steps that may say it, in order: all of its words stand there."""
    concordance, end = grown(context, Concordance), len(context.history)
    concordance.enter()
    found: dict[Spelt, list[int]] = {}
    for value in values_of(action):
        entries = {entry for folded in value.spellings for entry in _entries(folded)}
        steps = set().union(*(concordance.saying(entry) for entry in entries))
        found[value] = sorted(step for step in steps if step < end)
    return found


def first_said(context: Context, value: Spelt, steps: Iterable[int], before: int) -> Utterance | None:
    """What the tool said that was the first to say a value, where that was in one of these steps before another."""
    for number in [step for step in steps if step < before][:MOST_TRIED]:
        text = fold(heard_in(context.history[number]))
        if not any(may_hold(text, folded) for folded in value.spellings):
            continue
        utterance = utterance_of(context, number)
        sources = Sources([utterance])
        if any(sources.find(folded) or sources.find_split(folded) for folded in value.spellings):
            return utterance
    return None


def _entries(folded: str) -> Iterator[tuple[str, ...]]:
    """What a value may be looked up by: its words, and where it is a number, the group of figures it begins with."""
    words = sorted(set(_apart(folded).split()), key=lambda word: (-len(word), word))
    yield tuple(words[:_MOST_WORDS])
    if is_numeric(squeezed := folded.replace(" ", "")):
        yield from ((squeezed[:length],) for length in (*range(2, 9), len(squeezed)))


def _apart(folded: str) -> str:
    """A folded text with its words between spaces; of a run without spaces every two neighbours are words."""
    if folded.isascii() or not _UNSPACED.search(folded):
        return f" {folded} "
    runs = _UNSPACED.findall(folded)
    pairs = [run[at : at + 2] for run in runs for at in range(max(len(run) - 1, 1))]
    return f" {_UNSPACED.sub(' ', folded)} {' '.join(pairs)} "
