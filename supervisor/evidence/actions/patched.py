"""The patch in an edit, read once for all callers."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.patch import Change
from supervisor.evidence.patch.arguments import changes_in, may_hold


@reader
def changes_of(action: Action, context: Context) -> tuple[Change, ...]:
    """The changes in the patch of an edit, with the paths as the patch names them; empty if the edit has no patch.

    Raises Unreadable for a patch in an unknown format.
    """
    if action.kind != "file_edit":
        return ()
    return changes_in(action.text("patch"), action.args, action.text("path"))


def may_hold_patch(action: Action) -> bool:
    """Whether an action may be an edit with a patch, by the names of its arguments."""
    return action.kind == "file_edit" and may_hold(action.text("patch"), action.args)
