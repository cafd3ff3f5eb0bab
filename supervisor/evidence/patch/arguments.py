"""The patch that an edit tool is given, found by its shape among the arguments."""

from __future__ import annotations

from collections.abc import Mapping

from supervisor.evidence.patch import Change, is_patch, read_patch

_PARTS = ("patch", "diff", "input", "command", "changes")  # arguments by which tools are given a patch
_LEAST = 16  # characters of a patch; words such as `str_replace` are none


def changes_in(patch: str, args: Mapping[str, object], path: str) -> tuple[Change, ...]:
    """What a patch changes, as it names it: the text known to be one, else those among the arguments that are one.

    Raises Unreadable for a patch whose format is not read.
    """
    if not may_hold(patch, args):
        return ()
    if patch:
        return read_patch(patch, path=path)
    texts = [text for name in _PARTS if isinstance(text := args.get(name), str) and is_patch(text)]
    return tuple(change for text in texts for change in read_patch(text, path=path))


def may_hold(patch: str, args: Mapping[str, object]) -> bool:
    """Whether arguments may hold a patch, told by their names and lengths."""
    return bool(patch) or any(len(str(args.get(name, ""))) > _LEAST for name in _PARTS)
