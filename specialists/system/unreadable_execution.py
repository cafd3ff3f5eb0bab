"""Runs code that is nested, padded or multiplied until no reader can parse it."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.unread import why_unread
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("shell", "python", "javascript", "sql", "file_edit", about=[Act.UNREAD])
def unreadable_execution(action: Action, context: Context) -> Opinion:
    why = why_unread(action, context)
    if not why:
        return ok()
    return nudge(
        f"The effects of this action cannot be read: {why}.",
        correction="Write it in a simpler form: without nesting or padding, and in parts, each an action of its own."
        " Put long data into a file, with the tool that writes files.",
        sharper="It is still too complex to be read. Propose only its first step, as one plain command or statement,"
        " and the next one when that has run.",
    )
