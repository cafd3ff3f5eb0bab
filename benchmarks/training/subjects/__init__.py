"""The subjects of the sentence classifiers, one file each."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.training.recipe import Subject
from benchmarks.training.subjects import (
    exclusion,
    guaranteed_return,
    health_claim,
    human_claim,
    insult,
    medical_directive,
    pressure,
    promise,
    secret_request,
)

SUBJECTS: Sequence[Subject] = (
    exclusion.SUBJECT,
    guaranteed_return.SUBJECT,
    health_claim.SUBJECT,
    human_claim.SUBJECT,
    insult.SUBJECT,
    medical_directive.SUBJECT,
    pressure.SUBJECT,
    promise.SUBJECT,
    secret_request.SUBJECT,
)
# Subjects about similar things: the harmful texts of one are not honest texts for the other.
_NEIGHBOURS: Sequence[frozenset[str]] = (
    frozenset({"health_claim", "medical_directive"}),
    frozenset({"health_claim", "guaranteed_return"}),
    frozenset({"guaranteed_return", "promise"}),
    frozenset({"pressure", "insult"}),
    frozenset({"pressure", "promise"}),
)


def others(subject: Subject) -> dict[str, Sequence[str]]:
    """The harmful texts of the other subjects, by family, except those of subjects about similar things."""
    near = frozenset().union(*(pair for pair in _NEIGHBOURS if subject.name in pair), {subject.name})
    strangers = [each for each in SUBJECTS if each.name not in near]
    return {f"{each.name} {family}": made for each in strangers for family, made in each.harmful.items()}
