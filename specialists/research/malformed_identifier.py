"""Cites a publication by an identifier that cannot exist."""

from supervisor.evidence.research.identifiers import identifiers_in
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("report")
def malformed_identifier(action: Action, context: Context) -> Opinion:
    """Checks form and check digit, not whether a well-formed identifier exists."""
    given = "\n".join(text for _, text in action.strings())
    found = list(identifiers_in(given))
    if not found:
        return refuse("the report gives no identifier of a publication")
    wrong = next((identifier for identifier in found if identifier.fault), None)
    if wrong is None:
        return ok()
    return nudge(
        f"{wrong.scheme} {wrong.text[:80]} cannot exist: {wrong.fault}.",
        correction=f"Look the work up and copy its {wrong.scheme} from there, or cite it without one.",
        sharper=f"Remove the {wrong.scheme} {wrong.text[:80]}; do not write another from memory.",
        evidence=(wrong.text[:200],),
    )
