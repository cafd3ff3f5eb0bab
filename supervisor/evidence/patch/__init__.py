"""What a patch changes, file by file. Nothing here depends on actions.

Supported are the envelope of Codex's `apply_patch`, unified diffs with git's extended headers, context diffs, normal
diffs, ed scripts, and search-and-replace blocks. Sources: git-diff(1) "Generating patch text", git-apply(1),
patch(1), POSIX diff, https://github.com/openai/codex (apply-patch).
"""

from __future__ import annotations

import re

from supervisor.errors import Unreadable
from supervisor.evidence.patch import blocks, codex, scripts, unified
from supervisor.evidence.patch.change import Change, FileOperation

__all__ = ["Change", "FileOperation", "is_patch", "read_patch", "reversed_changes"]

MAX_TEXT = 2 * 1024 * 1024  # characters of a patch
_MARKS = re.compile(
    r"^[ \t]*\*\*\* (?:Begin Patch|(?:Add|Delete|Update) File: )|^diff --git |^(?:---|\*\*\*) [^\n]+\n(?:\+\+\+|---) "
    r"|^(?:<{5,}|-{5,}) ?SEARCH|^@@ -\d",
    re.MULTILINE,
)


def is_patch(text: str) -> bool:
    """Whether a text contains the marks of a patch, at any place."""
    return _MARKS.search(text.replace("\r", "") if "\r" in text else text) is not None


def read_patch(text: str, *, strip: int | None = None, path: str = "") -> tuple[Change, ...]:
    """The changes of a patch, in order, with paths as the patch names them.

    `strip` is the number of leading components to remove from a diff's names (`-p`); None removes only the `a/` and
    `b/` of git. `path` is the file that is meant if the patch names none.

    Raises Unreadable beyond MAX_TEXT characters, and if the text contains no patch in a known format.
    """
    if len(text) > MAX_TEXT:
        raise Unreadable(f"a patch of more than {MAX_TEXT:,} characters")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if codex.is_envelope(lines):
        return tuple(codex.changes(lines))
    found = tuple(unified.changes(lines, strip, path))
    found = found or tuple(blocks.changes(lines, path)) or tuple(scripts.changes(lines, path))
    signed = [line for line in lines if line.startswith(("+", "-"))] if path and not found else []
    if signed:  # signed lines without a header, which `path` makes unnecessary
        added, removed = ([line[1:] for line in signed if line[0] == sign] for sign in "+-")
        return (Change(path, FileOperation.EDIT, tuple(added), tuple(removed)),)
    if not found and text.strip():
        raise Unreadable("a patch in a format that is not read")
    return found


def reversed_changes(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The changes that undo these, in reverse order, as `-R` applies them."""
    return tuple(each.reversed() for each in reversed(changes))
