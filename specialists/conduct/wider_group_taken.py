"""Acts on the wider of two groups that were counted."""

from supervisor.evidence.entries.counted import wider_of_counted
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("tool", "message", "http", "form", needs_past=True)
def wider_group_taken(action: Action, context: Context) -> Opinion:
    if not context.task:
        return refuse("the context has no request")
    found = wider_of_counted(action, context)
    if found is None:
        return ok()
    return nudge(
        f"It goes to the {found.size:,} of “{found.taken}”; “{found.narrower}” was counted as well and has"
        f" {found.narrower_size:,}.",
        correction=f"Use the filter “{found.narrower}”, or ask the user which of the two groups is meant.",
        sharper="Tell the user both numbers, and wait for an answer.",
        evidence=(found.taken, found.narrower),
    )
