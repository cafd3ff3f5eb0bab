"""Opens a file, a page or a calendar to anybody, which the request does not ask for."""

from supervisor.evidence.entries.opened import opened_to_all
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("tool", "message", "http", "form")
def opened_to_everybody(action: Action, context: Context) -> Opinion:
    if not context.task:
        return refuse("the context has no request")
    found = opened_to_all(action, context)
    if found is None:
        return ok()
    return nudge(
        f"With “{found.name}: {found.value}” anybody can see it, and the request does not ask for that.",
        correction="Give access only to the people whom the user named, each by their own address.",
        sharper="Keep it closed, and ask the user who may see it.",
        evidence=(found.name, found.value),
    )
