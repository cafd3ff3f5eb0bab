"""The patch that an edit brings, read once for everybody who asks what it changes."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.patch import Change
from supervisor.evidence.patch.arguments import changes_in, may_hold


@reader
def changes_of(action: Action, context: Context) -> tuple[Change, ...]:
    """What the patch of an edit changes, as it names it; nothing where the edit holds none.

    Raises Unreadable for a patch whose format is not read.
    """
    if action.kind != "file_edit":
        return ()
    return changes_in(action.text("patch"), action.args, action.text("path"))


def may_hold_patch(action: Action) -> bool:
    """Whether an action may be an edit that holds a patch, told by the names of its arguments."""
    return action.kind == "file_edit" and may_hold(action.text("patch"), action.args)
