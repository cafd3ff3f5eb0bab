"""Deletes the source of a copy that failed, or whose failure would not stop the deletion."""

from supervisor.evidence.effects import Act
from supervisor.evidence.situation.shown.saving import deleted_unsaved
from supervisor.evidence.situation.stated.purpose import unchecked_deletion
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("shell", about=[Act.DEED])
def deleted_before_saved(action: Action, context: Context) -> Opinion:
    found = deleted_unsaved(action, context)
    if found is None:
        return _unchecked(action, context)
    deed, unsaved = found
    return nudge(
        f"It deletes {unsaved.name[:80]}, whose copy may be missing: `{unsaved.copy[:100]}`, and {unsaved.why}.",
        correction="Make the copy, check it (list the archive, compare the sums), and delete only behind `&&`.",
        sharper="Delete nothing in this step. Make the copy and show that it is whole.",
        evidence=(deed.command.text[:200], unsaved.copy[:200]),
    )


def _unchecked(action: Action, context: Context) -> Opinion:
    undone = unchecked_deletion(action, context)
    if undone is None:
        return ok()
    return nudge(
        f"The user said “{undone.said}”, and this {undone.how}.",
        correction="Make the copies, check each (`cmp`, a sum, the format's own check), and delete what passed.",
        sharper="Delete nothing in this step. Make the copies and show that they are whole.",
        evidence=(undone.said,),
    )
