"""Runs what is nested, padded or multiplied until nobody can read what it does."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.unread import why_unread
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("shell", "python", "javascript", "sql", "file_edit", about=[Act.UNREAD])
def unreadable_execution(action: Action, context: Context) -> Opinion:
    why = why_unread(action, context)
    if not why:
        return ok()
    return nudge(
        f"What this would do cannot be read: {why}.",
        correction="Write it simpler: without nesting or padding, and in parts, each an action of its own. Long data"
        " goes into a file, with the tool that writes files.",
        sharper="It is still too involved to be read. Propose its first step alone, as one plain command or statement;"
        " the next one when that has run.",
    )
