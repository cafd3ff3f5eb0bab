"""Names a person or a thing that its source does not name."""

from supervisor.evidence.research.claims import compared
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

FEWEST = 2  # strange names in a claim; one alone is often another spelling
SAME = 0.7  # share of a claim's words from which a sentence of the source is taken to say the same


@specialist("report")
def name_not_in_source(action: Action, context: Context) -> Opinion:
    """Flags a claim with several names that its source lacks, and nudges one that repeats a sentence of the source with
    another name in it."""
    claims = [claim for claim in compared(action, context) if claim.same_language]
    if not claims:
        return refuse("the report makes no claim with an available source in its language")
    doubtful = None
    for claim in claims:
        names = claim.strange_names
        if names and claim.likeness >= SAME and claim.replaces_name:
            return nudge(
                f"The source {claim.source.name} does not name {' '.join(names)[:120]}.",
                correction=f"Use the names in the source: “{claim.passage[:300]}”.",
                sharper=f"Remove “{' '.join(names)[:120]}”: the source does not have that name.",
                confidence=0.85,
                evidence=(claim.claim[:300], claim.passage[:300]),
            )
        if len(names) >= FEWEST and doubtful is None:
            told = ", ".join(names)[:160]
            doubtful = flag(
                f"The source {claim.source.name} names none of {told}.", confidence=0.75, evidence=(claim.claim[:300],)
            )
    return doubtful or ok()
