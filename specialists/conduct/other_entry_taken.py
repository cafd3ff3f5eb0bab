"""Takes another entry of a list than the one that the request describes."""

from supervisor.evidence.entries.described import neighbour_of_described
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("tool", "message", "payment", "refund", "http", "form", needs_past=True)
def other_entry_taken(action: Action, context: Context) -> Opinion:
    if not context.task:
        return refuse("the context has no request")
    found = neighbour_of_described(action, context)
    if found is None:
        return ok()
    return nudge(
        f"The request speaks of {', '.join(found.words)}, which the list says of “{found.described}”. This takes"
        f" {found.value}: “{found.taken}”.",
        correction=f"Take “{found.described}”, or show the user both entries and ask which one is meant.",
        sharper="Do not guess again: ask the user which entry is meant.",
        evidence=(found.value, found.described),
    )
