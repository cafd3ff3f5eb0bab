"""Unified and context diffs, with git's extended headers: names, modes, renames, copies, binary patches.

Hunks are read by the counts in their headers, so that a line of a file that looks like a header does not count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from supervisor.errors import Unreadable
from supervisor.evidence.patch import names
from supervisor.evidence.patch.change import Change, FileOperation

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_CONTEXT_OLD = re.compile(r"\*\*\* \d+(?:,\d+)? \*\*\*\*")
_CONTEXT_NEW = re.compile(r"--- \d+(?:,\d+)? ----")
_STARS = re.compile(r"\*{15}")
_INDEX = re.compile(r"index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})")
# The extended headers of git, each with the part that it gives.
_HEADERS = {
    "old mode ": "old_mode",
    "new mode ": "mode",
    "deleted file mode ": "deleted",
    "new file mode ": "made",
    "copy from ": "copied",
    "copy to ": "target",
    "rename from ": "moved",
    "rename to ": "target",
    "rename old ": "moved",
    "rename new ": "target",
}


@dataclass(slots=True)
class _File:
    """The data of the file whose lines are being read."""

    headers: dict[str, str] = field(default_factory=dict)  # the parts of extended headers
    both: str = ""  # the rest of the line `diff --git`
    old: str | None = None
    new: str | None = None
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    is_git: bool = False
    is_binary: bool = False


def changes(lines: Sequence[str], strip: int | None, path: str) -> Iterator[Change]:
    """The changes of a diff. Raises Unreadable for a diff that names no file."""
    at, file = 0, _File()
    while at < len(lines):
        line = lines[at]
        if line.startswith("diff --git "):
            yield from _changed(file, strip, path)
            file = _File(both=line[11:], is_git=True)
            at += 1
        elif _begins(lines, at):
            if not file.is_git or file.old is not None:
                yield from _changed(file, strip, path)
                file = _File()
            file.old, file.new = lines[at][4:], lines[at + 1][4:]
            at += 2
        elif found := _HUNK.match(line):
            at = _hunk(lines, at + 1, int(found[1] or 1), int(found[2] or 1), file)
        elif _STARS.match(line) and at + 1 < len(lines) and _CONTEXT_OLD.match(lines[at + 1]):
            at = _context_hunk(lines, at + 2, file)
        else:
            _take_header(line, file)
            at += 1
    yield from _changed(file, strip, path)


def _begins(lines: Sequence[str], at: int) -> bool:
    """Whether these two lines contain the file names of a unified diff or a context diff."""
    if at + 1 >= len(lines):
        return False
    first, second = lines[at], lines[at + 1]
    if first.startswith("--- ") and second.startswith("+++ "):
        return True
    begins = first.startswith("*** ") and second.startswith("--- ")
    return begins and not _CONTEXT_OLD.match(first) and not _CONTEXT_NEW.match(second)


def _take_header(line: str, file: _File) -> None:
    if file.is_git:
        for start, part in _HEADERS.items():
            if line.startswith(start):
                file.headers[part] = line[len(start) :]
                return
        if found := _INDEX.match(line):
            file.headers["index"] = found[1]
        file.is_binary |= line.startswith(("GIT binary patch", "Binary files "))
    elif line.startswith("Index: ") and file.old is None:
        file.headers["listed"] = line[7:]


def _hunk(lines: Sequence[str], at: int, old: int, new: int, file: _File) -> int:
    """Reads the lines of one hunk; returns the index after it.

    Many diffs have counts that are too small: signed lines after them belong to the hunk. If they are too large, the
    next file or the end of the text ends it.
    """
    while at < len(lines) and not _starts_file(lines, at):
        line = lines[at]
        sign, is_counted = line[:1], old > 0 or new > 0
        if sign == "-" and (is_counted or (line != "-- " and not _begins(lines, at))):
            file.removed.append(line[1:])
            old -= 1
        elif sign == "+":
            file.added.append(line[1:])
            new -= 1
        elif sign == " " or (is_counted and not sign):
            old, new = old - 1, new - 1
        elif sign != "\\":
            break
        at += 1
    return at


def _starts_file(lines: Sequence[str], at: int) -> bool:
    """Whether a hunk ends here despite the counts in its header, because a file's header begins."""
    return _begins(lines, at) and at + 2 < len(lines) and _HUNK.match(lines[at + 2]) is not None


def _context_hunk(lines: Sequence[str], at: int, file: _File) -> int:
    """Reads one hunk of a context diff, the old and then the new lines; returns the index after it."""
    side = file.removed
    while at < len(lines):
        line = lines[at]
        if _CONTEXT_NEW.match(line):
            side = file.added
        elif line.startswith(("! ", "+ ", "- ")):
            side.append(line[2:])
        elif not (line.startswith(("  ", "\\")) or line in ("", "!", "+", "-")):
            return at
        elif line in ("!", "+", "-"):
            side.append("")
        at += 1
    return at


def _changed(file: _File, strip: int | None, path: str) -> Iterator[Change]:
    """The changes of the lines read so far. A diff that names two files may apply to either."""
    lines = (tuple(file.added), tuple(file.removed))
    if file.is_git:
        yield from _by_git(file, strip, lines)
        return
    named = [names.named(each, strip) for each in (file.old, file.new, file.headers.get("listed")) if each is not None]
    if not named:
        if not any(lines):
            return
        named = [path]
    if path:
        named = [path, *(each for each in named if each is None)]
    known = list(dict.fromkeys(each for each in named if each))
    if not known:
        raise Unreadable("a patch that names no file")
    old_is_none = file.old is not None and names.is_nowhere(file.old)
    new_is_none = file.new is not None and names.is_nowhere(file.new)
    operation = FileOperation.ADD if old_is_none else FileOperation.DELETE if new_is_none else FileOperation.EDIT
    yield from (Change(each, operation, *lines) for each in known)


def _by_git(file: _File, strip: int | None, lines: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[Change]:
    headers = file.headers
    old = names.named(file.old, strip) if file.old is not None else None
    new = names.named(file.new, strip) if file.new is not None else None
    path = new or old or names.both(file.both, strip)
    mode, old_mode = headers.get("mode", headers.get("made", "")), headers.get("old_mode", headers.get("deleted", ""))
    rest = {"mode": mode, "old_mode": old_mode, "is_binary": file.is_binary}
    for header, operation in (("moved", FileOperation.MOVE), ("copied", FileOperation.COPY)):
        if header in headers:
            source, target = (names.bare(headers.get(each, ""), strip) for each in (header, "target"))
            yield Change(target or path, operation, *lines, source=source, **rest)  # type: ignore[arg-type]
            return
    if not path:
        raise Unreadable("a patch with a header that names no file")
    if "made" in headers or (file.old is not None and old is None):
        operation = FileOperation.ADD
    elif "deleted" in headers or (file.new is not None and new is None):
        operation = FileOperation.DELETE
    elif any(lines) or file.is_binary:
        operation = FileOperation.EDIT
    elif mode:
        operation = FileOperation.MODE
    else:
        return
    yield Change(path, operation, *lines, **rest)  # type: ignore[arg-type]
