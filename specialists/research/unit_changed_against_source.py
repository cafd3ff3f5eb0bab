"""Gives a figure of its source in another unit without converting it."""

from supervisor.evidence.prose.figures import Figure, figures_in
from supervisor.evidence.research.claims import Compared, compared
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

ALIKE = 0.4  # share of a claim's words that the sentence with the same figure says


@specialist("report")
def unit_changed_against_source(action: Action, context: Context) -> Opinion:
    """`10 miles` where the source has `10 km`, `3 billion` where it has `3 million`, `5%` for 5 percentage points."""
    claims = compared(action, context)
    if not claims:
        return refuse("the report makes no claim with an available source")
    for claim in claims:
        if claim.likeness < ALIKE:
            continue
        for figure in figures_in(claim.claim):
            other = _other_unit(claim, figure)
            if other is not None:
                theirs, ours = _told(claim.passage, other), _told(claim.claim, figure)
                return nudge(
                    f"The source {claim.source.name} has “{theirs}”, not “{ours}”.",
                    correction=f"Give the figure with the source's own unit: “{claim.passage[:300]}”.",
                    sharper="Keep the unit and the scale of the source, or convert the figure along with them.",
                    confidence=0.85,
                    evidence=(claim.claim[:300], claim.passage[:300]),
                )
    return ok()


def _other_unit(claim: Compared, figure: Figure) -> Figure | None:
    """The same figure in the nearest sentence with another unit or scale, unless a figure there says the same."""
    told = figures_in(claim.passage)
    same = [other for other in told if other.text == figure.text]
    if not same or any(_agrees(other, figure) for other in told):
        return None
    return same[0]


def _agrees(other: Figure, figure: Figure) -> bool:
    is_stated = bool(other.unit and figure.unit)
    if other.text == figure.text:
        return not set(other.values).isdisjoint(figure.values) and (not is_stated or other.unit == figure.unit)
    return figure.stands_for(other.values)


def _told(text: str, figure: Figure) -> str:
    return text[figure.start : figure.end + 12].strip()
