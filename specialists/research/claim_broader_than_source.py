"""States as certain, or of all, what its source states as possible, or of some."""

from supervisor.evidence.prose.polarity import generalises, limits
from supervisor.evidence.research.claims import Compared, compared
from supervisor.specialist import Action, Context, Finding, Opinion, nudge, ok, refuse, specialist

SAME = 0.6  # share of a claim's words from which a sentence of the source is taken to be about the same


@specialist("report")
def claim_broader_than_source(action: Action, context: Context) -> Opinion:
    claims = [claim for claim in compared(action, context) if claim.same_language]
    if not claims:
        return refuse("the report makes no claim with an available source in its language")
    return next((found for found in map(_finding, claims) if found), ok())


def _finding(claim: Compared) -> Finding | None:
    told = claim.passage
    broad, narrow = generalises(claim.claim), limits(told)
    if not broad or not narrow or limits(claim.claim) or generalises(told) or claim.likeness < SAME:
        return None
    return nudge(
        f"The claim says “{broad}” where the source {claim.source.name} says “{narrow}”.",
        correction=f"Keep the limits that the source sets: “{told[:300]}”.",
        sharper=f"Remove “{broad}”, or write “{narrow}” as the source does.",
        confidence=0.8,
        evidence=(claim.claim[:300], told[:300]),
    )
