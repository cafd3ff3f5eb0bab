"""In which step of a session a word was first said, so that a value is found however long ago that was.

Each output is read once, when its step is taken; a look-up touches a bounded number of steps, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import re2

from supervisor.action import Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.language.passages import fold, is_numeric, plainly
from supervisor.evidence.provenance.utterances import Sources, Utterance, cut, utterance_of
from supervisor.evidence.session.past import Growing, grown

MOST_STEPS = 12  # in which a word stands, the first ones
MOST_TRIED = 3  # steps in which a value is looked for, where all of its words stand
_MOST_WORDS = 8  # of a value that are looked up
_IDEOGRAPHS = re2.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]+")


class Concordance(Growing):
    """The words of all outputs, each with the numbers of the first steps that say it."""

    def __init__(self) -> None:
        self.steps: dict[str, list[int]] = {}

    def take(self, number: int, step: Step) -> None:
        try:
            text = fold(cut(plainly(step.output)))
        except Unreadable:
            return  # who looks at this step learns it
        for word in _words(text):
            steps = self.steps.get(word)
            if steps is None:
                self.steps[word] = [number]
            elif len(steps) < MOST_STEPS and steps[-1] < number:
                steps.append(number)

    def saying(self, folded: str, before: int) -> list[int]:
        """The first steps before one that may say all words of a folded value."""
        places = [[step for step in self.steps.get(word, ()) if step < before] for word in _words(folded)]
        rarest, *others = sorted(places, key=len)[:_MOST_WORDS] or [[]]
        return [step for step in rarest if all(step in steps or len(steps) == MOST_STEPS for steps in others)]


def first_said(context: Context, spellings: Sequence[str], before: int) -> Utterance | None:
    """What the tool said that was the first to say a value, where that was before a step; None where it was not."""
    concordance = grown(context, Concordance)
    steps = {step for folded in spellings for entry in _entries(folded) for step in concordance.saying(entry, before)}
    for number in sorted(steps)[:MOST_TRIED]:
        utterance = utterance_of(context, number)
        sources = Sources([utterance])
        if any(sources.find(folded) or sources.find_split(folded) for folded in spellings):
            return utterance
    return None


def _entries(folded: str) -> Iterator[str]:
    """What a value may be looked up by: its words, and where it is a number, the group of figures it begins with."""
    yield folded
    if is_numeric(squeezed := folded.replace(" ", "")):
        yield from (squeezed[:length] for length in (*range(2, 9), len(squeezed)))


def _words(folded: str) -> set[str]:
    """The words of a folded text; of a run without spaces every two neighbours."""
    if folded.isascii():
        return set(folded.split())
    runs = _IDEOGRAPHS.findall(folded) if _IDEOGRAPHS.search(folded) else []
    return set((_IDEOGRAPHS.sub(" ", folded) if runs else folded).split()).union(
        run[at : at + 2] for run in runs for at in range(max(len(run) - 1, 1))
    )
