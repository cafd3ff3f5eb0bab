"""Consecutive passages of an output, kept without the output, and whether a value may begin in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from supervisor.evidence.provenance.spellings import SpelledValue
from supervisor.evidence.provenance.utterances import MAX_BETWEEN, Utterance

_COMPARED = 192  # characters of a value, or of its second word, that are looked for
_BEHIND = _COMPARED + MAX_BETWEEN  # characters that are kept of what follows


class Stretch(NamedTuple):
    """Consecutive passages and how the output goes on behind them, as one text without spaces. `length`: characters of
    the passages themselves."""

    text: str
    length: int

    def may_begin(self, value: SpelledValue) -> bool:
        """Whether a value may begin in these passages, in any of the ways in which `Sources` finds one: unchanged, with
        other spaces, or if it is distinctive with a few other words in between."""
        if any(self._begins(each.replace(" ", "")) for each in value.spellings):
            return True
        first, *rest = value.spellings[0].split()
        return bool(value.distinctive and rest) and self._begins(first) and rest[0][:_COMPARED] in self.text

    def _begins(self, squeezed: str) -> bool:
        begun = squeezed[:_COMPARED]
        return self.text.find(begun, 0, self.length + len(begun) - 1) >= 0


def stretch_of(said: Utterance, numbers: Sequence[int]) -> Stretch:
    """From the first of these passages of an output to the last."""
    text, starts = said.squeezed
    begin, last = starts[min(numbers)], max(numbers) + 1
    end = starts[last] if last < len(starts) else len(text)
    return Stretch(text[begin : end + _BEHIND], end - begin)
