"""Presses a button that deletes for good what the task does not ask to delete."""

from supervisor.evidence.web.buttons import DELETES
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

_SLIGHT = ("delete", "löschen", "eliminar", "borrar", "supprimer")  # what it deletes may be the agent's own


@specialist("click")
def deletion_unasked(action: Action, context: Context) -> Opinion:
    if not (context.task or "").strip():
        return refuse("the context has no task")
    label = DELETES.pressed(action)
    if not label or DELETES.is_asked(context):
        return ok()
    if label in _SLIGHT:
        return flag("It presses “delete”, and the task does not ask for that.", confidence=0.7, evidence=(label,))
    return nudge(
        f"“{label[:80]}” deletes for good, and the task does not ask for that.",
        correction="Leave it, and go on with the task. If the deletion seems needed, ask the user first and name what"
        " would be lost.",
        sharper="Do not press it. Cancel the dialogue or go back.",
        evidence=(label,),
    )
