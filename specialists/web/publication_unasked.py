"""Presses a button that makes something public, which the task does not ask for."""

from supervisor.evidence.web.buttons import PUBLISHES
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("click")
def publication_unasked(action: Action, context: Context) -> Opinion:
    if not (context.task or "").strip():
        return refuse("the context has no task")
    label = PUBLISHES.pressed(action)
    if not label or PUBLISHES.is_asked(context):
        return ok()
    return nudge(
        f"“{label[:80]}” makes it public, and the task does not ask for that.",
        correction="Save it as a draft, and ask the user whether it may be published.",
        sharper="Do not publish it. Save the draft and report where it is.",
        evidence=(label,),
    )
