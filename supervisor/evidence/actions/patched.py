"""The patch that an edit brings, read once for everybody who asks what it changes."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.patch import Change, is_patch, read_patch

_PARTS = ("patch", "diff", "input", "command", "changes")  # arguments by which tools are given a patch
_LEAST = 16  # characters of a patch; words such as `str_replace` are none


@reader
def changes_of(action: Action, context: Context) -> tuple[Change, ...]:
    """What the patch of an edit changes, as it names it; nothing where the edit holds none.

    Raises Unreadable for a patch whose format is not read.
    """
    if not may_hold_patch(action):
        return ()
    path = action.text("path")
    if patch := action.text("patch"):
        return read_patch(patch, path=path)
    texts = [text for name in _PARTS if isinstance(text := action.args.get(name), str) and is_patch(text)]
    return tuple(change for text in texts for change in read_patch(text, path=path))


def may_hold_patch(action: Action) -> bool:
    """Whether an action may be an edit that holds a patch, told by the names of its arguments."""
    if action.kind != "file_edit":
        return False
    return bool(action.text("patch")) or any(len(str(action.args.get(name, ""))) > _LEAST for name in _PARTS)
