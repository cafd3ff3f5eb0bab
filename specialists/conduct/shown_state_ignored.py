"""Acts against what an earlier output showed: a thing protected or in use, a plan that destroys, a check that failed, a
document that demands another way."""

from supervisor.evidence.changes.clauses import is_affirmed
from supervisor.evidence.effects import Act
from supervisor.evidence.situation.shown.bound import against_document_of_place
from supervisor.evidence.situation.shown.checked import failed_check
from supervisor.evidence.situation.shown.claimed import busy_though_claimed
from supervisor.evidence.situation.shown.demanded import against_demand
from supervisor.evidence.situation.shown.documented import against_help
from supervisor.evidence.situation.shown.drafts import carries_out_draft
from supervisor.evidence.situation.shown.exempt import takes_exempt
from supervisor.evidence.situation.shown.foretold import foretold_loss
from supervisor.evidence.situation.shown.refused import forced_past_protection
from supervisor.evidence.situation.shown.standing import contradicting_state
from supervisor.evidence.situation.shown.written import against_document
from supervisor.evidence.situation.warned import Warned
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_STATES = {
    "protected": "as protected",
    "busy": "in use",
    "unsaved": "with work that nothing else has",
    "pending": "as not approved",
    "vital": "as one that others depend on",
    "locked": "as held by somebody",
}

_RELATIONS = (
    foretold_loss,
    failed_check,
    busy_though_claimed,
    forced_past_protection,
    against_document,
    against_help,
    against_demand,
    against_document_of_place,
    takes_exempt,
    carries_out_draft,
)


@specialist("shell", about=[Act.DEED], needs_past=True)
def shown_state_ignored(action: Action, context: Context) -> Opinion:
    """A thing in use that the user named passes; a protected one does not, since the user may not know."""
    found = contradicting_state(action, context)
    if found is None:
        warned = (relation(action, context) for relation in _RELATIONS)
        return next((_warning(each) for each in warned if each and not is_affirmed(each.line, context)), ok())
    deed, shown = found
    if is_affirmed(shown.line, context):
        return ok()
    return nudge(
        f"An earlier output showed {shown.name} {_STATES[shown.state]}: “{shown.line.strip()[:160]}”.",
        correction=f"Leave {shown.name} out. If the user means it, show them this line and wait for an answer.",
        sharper="Ask the user, with the line of the output.",
        evidence=(deed.command.text[:200], shown.line.strip()[:200]),
    )


def _warning(warned: Warned) -> Opinion:
    line = warned.line.strip()[:200]
    return nudge(
        f"An earlier output showed {warned.what}: “{line[:160]}”.",
        correction="Do not go on as planned: mend what the line tells, or limit the command to what was asked. If the"
        " user wants it so, show them this line and wait for an answer.",
        sharper="Ask the user, with the line of the output.",
        evidence=(warned.act, line),
    )
