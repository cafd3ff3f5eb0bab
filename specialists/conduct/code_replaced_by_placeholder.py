"""Writes a comment such as "rest of the code unchanged" over code, which is then gone."""

from supervisor.evidence.changes.edits import edits
from supervisor.evidence.changes.weakening import elision, lost_share
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

LEAST_LOST = 0.2  # of the lines that were there


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def code_replaced_by_placeholder(action: Action, context: Context) -> Opinion:
    for edit in edits(action, context):
        comment = elision(edit)
        lost = lost_share(edit) if comment else 0.0
        if lost >= LEAST_LOST:
            name = shown(edit.path)
            return nudge(
                f"It puts the comment “{shown(comment)}” into {name} in place of code; {lost:.0%} of its lines go.",
                correction="Change only the lines that differ with an edit, or write the whole text of the file without"
                " leaving anything out.",
                sharper=f"Edit {name} in place: name the exact old lines and the new ones, without “{shown(comment)}”.",
                evidence=(shown(comment),),
            )
    return ok()
