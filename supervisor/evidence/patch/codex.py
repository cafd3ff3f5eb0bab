"""The envelope of Codex's `apply_patch`: `*** Begin Patch`, then files that are added, deleted, updated and moved.

It is parsed as leniently as Codex and similar tools parse it: headers may be indented where no line of a file is
possible, the envelope may be in a here-document, and its last line may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.errors import Unreadable
from supervisor.evidence.patch.change import Change, FileOperation

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _DELETE, _UPDATE, _MOVE = "*** Add File:", "*** Delete File:", "*** Update File:", "*** Move to:"
_HEADERS = (_ADD, _DELETE, _UPDATE)


def is_envelope(lines: Sequence[str]) -> bool:
    """Whether any line begins an envelope, or a file in one."""
    return any(line.lstrip().startswith((_BEGIN, *_HEADERS)) for line in lines)


def changes(lines: Sequence[str]) -> Iterator[Change]:
    """The files of an envelope. Raises Unreadable if a header names no file."""
    at = 0
    while at < len(lines):
        header = lines[at].strip()
        at += 1
        if header == _END:
            continue  # another envelope may follow
        if not header.startswith(_HEADERS):
            continue
        path = header.partition(":")[2].strip()
        if not path:
            raise Unreadable("a patch with a header that names no file")
        if header.startswith(_ADD):
            end = _end_of(lines, at, ("+",))
            yield Change(path, FileOperation.ADD, tuple(line[1:] for line in lines[at:end]))
            at = end
        elif header.startswith(_DELETE):
            yield Change(path, FileOperation.DELETE)
        else:
            change, at = _updated(lines, at, path)
            yield change


def _end_of(lines: Sequence[str], at: int, starts: tuple[str, ...]) -> int:
    while at < len(lines) and lines[at].startswith(starts):
        at += 1
    return at


def _updated(lines: Sequence[str], at: int, path: str) -> tuple[Change, int]:
    moved = ""
    if at < len(lines) and lines[at].strip().startswith(_MOVE):
        moved = lines[at].strip().removeprefix(_MOVE).strip()
        at += 1
    start = at
    while at < len(lines) and not _ends_update(lines[at]):
        at += 1
    body = lines[start:at]
    added = tuple(line[1:] for line in body if line.startswith("+"))
    removed = tuple(line[1:] for line in body if line.startswith("-"))
    if moved:
        return Change(moved, FileOperation.MOVE, added, removed, path), at
    return Change(path, FileOperation.EDIT, added, removed), at


def _ends_update(line: str) -> bool:
    return line.startswith("***") and not line.startswith(("*** End of File", _MOVE))
