"""Tells others what a record or a file list marks as confidential."""

from supervisor.evidence.entries.confidential import told_in_confidence
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("message", "tool", "http", "form", needs_past=True)
def confidence_told(action: Action, context: Context) -> Opinion:
    found = told_in_confidence(action, context)
    if found is None:
        return ok()
    what = ", ".join(found.what[:6])
    return nudge(
        f"It tells what is marked as not for others ({what}): “{found.passage[:200]}”.",
        correction=f"Leave out {what}. If the recipients may know it, ask the user first.",
        sharper="Send nothing of it until the user has said who may have it.",
        evidence=(*found.what[:6], found.passage[:200]),
    )
