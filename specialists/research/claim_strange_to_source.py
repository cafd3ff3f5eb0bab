"""Makes a claim most of whose words do not occur in its source."""

from supervisor.evidence.research.claims import Compared, compared
from supervisor.specialist import Action, Context, Opinion, flag, ok, refuse, specialist

FEWEST = 4  # telling words of a claim that can be judged
LEAST_TOLD = 8  # telling words of a source that is long enough
STRANGE = 0.55  # share of them that stand nowhere in the source


@specialist("report")
def claim_strange_to_source(action: Action, context: Context) -> Opinion:
    """Only flags, because a paraphrase uses other words too. A claim most of whose words are missing from a long source
    is seldom a paraphrase."""
    claims = [claim for claim in compared(action, context) if claim.same_language]
    if not claims:
        return refuse("the report makes no claim with an available source in its language")
    found = next((claim for claim in claims if claim.marked and _is_strange(claim)), None)
    if found is None:
        return ok()
    strange = ", ".join(found.strange[:8])
    return flag(
        f"Most words of “{found.claim[:120]}” do not occur in {found.source.name}: {strange}.",
        confidence=0.75,
        evidence=(found.claim[:300],),
    )


def _is_strange(claim: Compared) -> bool:
    if len(claim.reading.spread) < LEAST_TOLD:
        return False
    return len(claim.words) >= FEWEST and len(claim.strange) >= STRANGE * len(claim.words)
