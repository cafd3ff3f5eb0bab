"""The union: the whole of how opinions become one verdict.

A specialist is the sole authority for its one failure mode, so nothing is voted on: the greatest finding decides,
after each is capped by the authority that the deployment grants. A refusal has no vote, except where the policy says
what a refusal that the input caused shall mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from supervisor.verdict import Cause, Opinion, Refusal, Verdict


@dataclass(frozen=True, slots=True)
class Voice:
    """One specialist's opinion, how far it may go, and what its refusal of a hostile input means."""

    specialist: str
    opinion: Opinion
    ceiling: Verdict = Verdict.BLOCK
    on_refuse: Verdict = Verdict.OK

    @property
    def weight(self) -> Verdict:
        """What this voice counts as."""
        if isinstance(self.opinion, Refusal):
            said = self.on_refuse if self.opinion.cause is Cause.INPUT else Verdict.OK
        else:
            said = self.opinion.verdict
        return min(said, self.ceiling)


@dataclass(frozen=True, slots=True)
class Union:
    """The verdict, the voices that brought it about (in catalogue order), and whether a person shall look."""

    verdict: Verdict
    by: tuple[Voice, ...]
    review: bool


def union(voices: Sequence[Voice]) -> Union:
    """The greatest of the voices. No voice, or none that objects, is ok."""
    weights = [voice.weight for voice in voices]
    verdict = max(weights, default=Verdict.OK)
    by = tuple(voice for voice, weight in zip(voices, weights, strict=True) if weight == verdict > Verdict.OK)
    return Union(verdict, by, review=Verdict.FLAG in weights)
