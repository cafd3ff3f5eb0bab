"""The parts of an output that tell whoever works by machine what to do, or what the custom is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import re2

from supervisor.evidence.prose.passages import Passage
from supervisor.evidence.provenance.machine_readers import speaks_of_machine

_FOLLOWING = 2  # sentences behind one that speaks of a machine
_OPENS = re2.compile(r'^\s*(?:[\[{(]+\s*)*"[^"]{1,40}"\s*:|^\s*[\[{]\s*["{\[]')  # a field of JSON
_POSES = re2.compile(r"(?i)[\[(<{]\s*(?:system|admin|administrator|developer|operator|root)\b[^\n]{0,40}[\])>}:]")
_ENDS = (".", "!", "?", "。", "…", ":")


class Bidding(NamedTuple):
    """A sentence that speaks of a machine with the sentences of the same field that follow it (`numbers`), and the one
    before it (`before`), as numbers of the output's passages."""

    numbers: tuple[int, ...]
    before: tuple[int, ...]

    def behind(self, passages: int) -> Bidding:
        """The same with numbers increased by `passages`, the number of passages before its output."""
        return Bidding(*(tuple(number + passages for number in numbers) for numbers in self))


def poses_as_system(text: str) -> bool:
    """Whether a sentence is marked as a message of the system: "[SYSTEM MESSAGE] …"."""
    return _POSES.search(text) is not None


def biddings_in(passages: Sequence[Passage]) -> list[Bidding]:
    """The biddings in one output."""
    found: list[Bidding] = []
    end = 0
    for at, passage in enumerate(passages):
        if at < end or not (speaks_of_machine(passage.text) or poses_as_system(passage.text)):
            continue
        opens = bool(_OPENS.search(passage.text))
        before = (at - 1,) if at and not opens and passages[at - 1].text.rstrip().endswith(_ENDS) else ()
        end = at + 1
        while end < len(passages) and end <= at + _FOLLOWING and not _OPENS.search(passages[end].text):
            end += 1
        found.append(Bidding(tuple(range(at, end)), before))
    return found
