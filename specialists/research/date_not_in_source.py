"""Gives a date that its source does not give."""

from supervisor.evidence.prose.dates import Date, dates_in
from supervisor.evidence.research.claims import Compared, compared
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, refuse, specialist

SAME = 0.7  # share of a claim's words from which a sentence of the source is taken to say the same


@specialist("report")
def date_not_in_source(action: Action, context: Context) -> Opinion:
    """A date is missing from a source if its day, its month or its year does not occur there in any spelling."""
    claims = compared(action, context)
    if not any(claim.dates for claim in claims):
        return refuse("the report gives no date with an available source")
    worst: Finding = ok()
    for claim in claims:
        for date in claim.strange_dates:
            worst = max(worst, _finding(claim, date), key=lambda each: each.verdict)
    return worst


def _finding(claim: Compared, date: Date) -> Finding:
    reason = f"The source {claim.source.name} does not give the date “{date.text}”."
    if claim.likeness < SAME or not dates_in(claim.passage):
        return flag(reason, confidence=0.8, evidence=(claim.claim[:300],))
    return nudge(
        reason,
        correction=f"Give the date as the source has it: “{claim.passage[:300]}”.",
        sharper=f"Remove “{date.text}”, or replace it by the source's own date.",
        confidence=0.9,
        evidence=(claim.claim[:300], claim.passage[:300]),
    )
