"""What classifiers of sentences are about, one file a subject."""

from __future__ import annotations

from collections.abc import Sequence

from training.everyday import EVERYDAY
from training.recipe import Subject
from training.subjects import (
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
# Subjects that speak of the same things: what one forbids is no honest text for the other.
_NEIGHBOURS = ({"health_claim", "medical_directive"}, {"guaranteed_return", "promise"}, {"pressure", "insult"}, {"pressure", "promise"})


def background(subject: Subject) -> dict[str, Sequence[str]]:
    """Honest texts that are not the subject's own: everyday mail, and what other subjects forbid."""
    near = set().union(*(pair for pair in _NEIGHBOURS if subject.name in pair))
    others = [other for other in SUBJECTS if other.name not in {subject.name, *near}]
    strange = {f"{other.name} {family}": made for other in others for family, made in other.harmful.items()}
    return {**EVERYDAY, **strange}
