"""The union: how opinions become one verdict.

A specialist is the sole authority for its one failure mode, so there is no majority vote: the greatest finding decides,
after each is capped by the authority that the policy grants. A refusal has no vote, unless the policy counts refusals
that the input caused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from supervisor.verdict import Cause, Opinion, Refusal, Verdict


@dataclass(frozen=True, slots=True)
class Voice:
    """One specialist's opinion, the ceiling of its findings, and the verdict of an input-caused refusal. `is_exempt`: a
    person's exemption lets the action run despite its finding; the person need not look at it again."""

    specialist: str
    opinion: Opinion
    ceiling: Verdict = Verdict.BLOCK
    on_refuse: Verdict = Verdict.OK
    is_exempt: bool = False

    @property
    def weight(self) -> Verdict:
        """The verdict that this voice counts as."""
        if isinstance(self.opinion, Refusal):
            verdict = self.on_refuse if self.opinion.cause is Cause.INPUT else Verdict.OK
        else:
            verdict = self.opinion.verdict
        verdict = min(verdict, self.ceiling)
        return min(verdict, Verdict.FLAG) if self.is_exempt else verdict


@dataclass(frozen=True, slots=True)
class Union:
    """The verdict, the voices that decided it (in catalogue order), and whether a person should look."""

    verdict: Verdict
    by: tuple[Voice, ...]
    review: bool


def union(voices: Sequence[Voice]) -> Union:
    """The greatest verdict of all voices; ok if no voice objects."""
    weights = [voice.weight for voice in voices]
    verdict = max(weights, default=Verdict.OK)
    by = tuple(voice for voice, weight in zip(voices, weights, strict=True) if weight == verdict > Verdict.OK)
    flagged = any(weight is Verdict.FLAG and not voice.is_exempt for voice, weight in zip(voices, weights, strict=True))
    return Union(verdict, by, review=flagged)
