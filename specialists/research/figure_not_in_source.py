"""States a number that its source does not have."""

from supervisor.evidence.prose.figures import Figure, figures_in
from supervisor.evidence.research.claims import Compared, compared
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, refuse, specialist

SAME = 0.7  # share of a claim's words from which a sentence of the source is taken to say the same


@specialist("report")
def figure_not_in_source(action: Action, context: Context) -> Opinion:
    """Rounding, units and number words make no difference. A year alone is a figure too; dates are not judged here."""
    claims = compared(action, context)
    if not claims:
        return refuse("the report makes no claim with an available source")
    worst: Finding = ok()
    for claim in claims:
        for figure in claim.strange_figures:
            finding = _finding(claim, figure)
            worst = max(worst, finding, key=lambda each: each.verdict)
    return worst


def _finding(claim: Compared, figure: Figure) -> Finding:
    reason = f"The source {claim.source.name} has no figure “{figure.text}”."
    others = [
        other for other in figures_in(claim.passage) if (other.unit, other.is_year) == (figure.unit, figure.is_year)
    ]
    if claim.likeness < SAME or not others:
        return flag(reason, confidence=0.8, evidence=(claim.claim[:300],))
    return nudge(
        reason,
        correction=f"Give the figure as the source has it: “{claim.passage[:300]}”.",
        sharper=f"Remove “{figure.text}”, or replace it by the source's own figure.",
        confidence=0.9,
        evidence=(claim.claim[:300], claim.passage[:300]),
    )
