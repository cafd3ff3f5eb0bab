"""The patch among the arguments of an edit tool, recognised by its marks."""

from __future__ import annotations

from collections.abc import Mapping

from supervisor.evidence.patch import Change, is_patch, read_patch

_PARTS = ("patch", "diff", "input", "command", "changes")  # arguments in which tools take a patch
_LEAST = 16  # characters of a patch; words such as `str_replace` are shorter


def changes_in(patch: str, args: Mapping[str, object], path: str) -> tuple[Change, ...]:
    """The changes of `patch`; if it is empty, of the arguments that are patches.

    Raises Unreadable for a patch in an unknown format.
    """
    if not may_hold(patch, args):
        return ()
    if patch:
        return read_patch(patch, path=path)
    texts = [text for name in _PARTS if isinstance(text := args.get(name), str) and is_patch(text)]
    return tuple(change for text in texts for change in read_patch(text, path=path))


def may_hold(patch: str, args: Mapping[str, object]) -> bool:
    """Whether arguments may contain a patch, by their names and lengths."""
    return bool(patch) or any(len(str(args.get(name, ""))) > _LEAST for name in _PARTS)
