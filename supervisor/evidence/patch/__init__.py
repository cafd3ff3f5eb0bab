"""What a patch changes, file by file: text in, structure out. Nothing here knows of actions.

Read are the envelope that Codex's `apply_patch` takes, unified diffs with git's extended headers, context diffs, normal
diffs, ed scripts, and blocks of search and replace. The formats: git-diff(1) "Generating patch text", git-apply(1),
patch(1), POSIX diff, https://github.com/openai/codex (apply-patch).
"""

from __future__ import annotations

import re

from supervisor.errors import Unreadable
from supervisor.evidence.patch import blocks, codex, scripts, unified
from supervisor.evidence.patch.change import Change, Deed

__all__ = ["Change", "Deed", "is_patch", "read_patch", "reversed_changes"]

MAX_TEXT = 2 * 1024 * 1024  # characters of a patch that is read
_MARKS = re.compile(
    r"^[ \t]*\*\*\* (?:Begin Patch|(?:Add|Delete|Update) File: )|^diff --git |^(?:---|\*\*\*) [^\n]+\n(?:\+\+\+|---) "
    r"|^(?:<{5,}|-{5,}) ?SEARCH|^@@ -\d",
    re.MULTILINE,
)


def is_patch(text: str) -> bool:
    """Whether a text is a patch by its shape, wherever it begins in it."""
    return _MARKS.search(text.replace("\r", "") if "\r" in text else text) is not None


def read_patch(text: str, *, strip: int | None = None, path: str = "") -> tuple[Change, ...]:
    """The changes of a patch, in order, their paths as the patch names them.

    `strip` is how many leading components of a diff's names are taken off (`-p`); None takes off the `a/` and `b/`
    that git puts there, and nothing else. `path` is the file that is meant where the patch names none.

    Raises Unreadable beyond MAX_TEXT characters and for a text in which no patch stands that its format allows.
    """
    if len(text) > MAX_TEXT:
        raise Unreadable(f"a patch of more than {MAX_TEXT:,} characters")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if codex.is_envelope(lines):
        return tuple(codex.changes(lines))
    found = tuple(unified.changes(lines, strip, path))
    found = found or tuple(blocks.changes(lines, path)) or tuple(scripts.changes(lines, path))
    signed = [line for line in lines if line.startswith(("+", "-"))] if path and not found else []
    if signed:  # lines that come and go, and no header: who names the file beside them needs none
        added, removed = ([line[1:] for line in signed if line[0] == sign] for sign in "+-")
        return (Change(path, Deed.EDIT, tuple(added), tuple(removed)),)
    if not found and text.strip():
        raise Unreadable("a patch in a format that is not read")
    return found


def reversed_changes(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The same the other way about: what `-R` makes of a patch."""
    return tuple(each.reversed() for each in reversed(changes))
