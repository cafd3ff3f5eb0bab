"""A share of decisions for people, by their hexadecimal names: the same for everybody, without a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from supervisor.decision.settle import Settled

Answers = Mapping[str, Sequence[Mapping[str, Any]]]
_DIGITS = 8
_ALL = "g"  # greater than every hexadecimal digit


def end_of_sample(share: float) -> str:
    """The names that are less than this are in a sample of this share, 0 to 1."""
    return _ALL if share >= 1 else f"{int(max(share, 0) * 16**_DIGITS):0{_DIGITS}x}"


def is_sampled(name: str, share: float) -> bool:
    """Whether a name of lower-case hexadecimal digits is in a sample. The names are random or digests."""
    return name < end_of_sample(share)


def has_asked(answers: Answers) -> bool:
    """Whether a model has answered. `answers` are those of the doors, by specialist."""
    return any(entry["door"] == "ask" and "answer" in entry for given in answers.values() for entry in given)


def with_sample(settled: Settled, answers: Answers, id: str, share: float) -> Settled:
    """The same, for review if a model has answered for it and the decision's id is in the sample. `answers` are those
    of the doors, by specialist."""
    if not share or settled.review or not is_sampled(id, share):
        return settled
    return replace(settled, review=True) if has_asked(answers) else settled
