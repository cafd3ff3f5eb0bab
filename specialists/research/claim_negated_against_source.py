"""Denies what its source says, or says what its source denies."""

from supervisor.evidence.prose.polarity import clauses_of, denies, opposed
from supervisor.evidence.research.claims import Compared, compared
from supervisor.specialist import Action, Context, Finding, Opinion, nudge, ok, refuse, specialist

SAME = 0.75  # share of words in common from which a clause of the source is taken to be about the very same
NEARLY = 0.6  # the same, where a word and its opposite stand against each other


@specialist("report")
def claim_negated_against_source(action: Action, context: Context) -> Opinion:
    claims = [claim for claim in compared(action, context) if claim.same_language]
    if not claims:
        return refuse("the report makes no claim with an available source in its language")
    return next((found for found in map(_finding, claims) if found), ok())


def _finding(claim: Compared) -> Finding | None:
    best = max(clauses_of(claim.passage), key=claim.same_as)
    likeness = claim.same_as(best)
    turned = denies(claim.claim) is not denies(best)
    opposites = opposed(claim.claim, best)
    if likeness >= SAME and turned and not opposites:
        return _reversed(claim, best, "the opposite")
    if likeness >= NEARLY and opposites and not turned:
        return _reversed(claim, best, f"“{opposites[1]}”, not “{opposites[0]}”")
    return None


def _reversed(claim: Compared, told: str, instead: str) -> Finding:
    return nudge(
        f"The source {claim.source.name} says {instead}: “{told[:200]}”.",
        correction=f"State what the source states: “{told[:300]}”.",
        sharper="Remove this claim: the source cited for it says the opposite.",
        confidence=0.85,
        evidence=(claim.claim[:300], told[:300]),
    )
