"""Normal diffs and ed scripts, which `patch` also takes. An operand or an `Index:` line names their file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from supervisor.evidence.patch.change import Change, FileOperation

_PLACE = r"\d+(?:,\d+)?"
_NORMAL = re.compile(rf"{_PLACE}[acd]{_PLACE}")
_ED = re.compile(rf"(?:{_PLACE})?[acdi]|{_PLACE}s/.*/")
_INDEX = "Index: "


def changes(lines: Sequence[str], path: str) -> Iterator[Change]:
    """The edit of each file."""
    start, named = 0, path
    for at, line in enumerate(lines):
        if line.startswith(_INDEX):
            yield from _edit(lines[start:at], named)
            start, named = at + 1, path or line[len(_INDEX) :].strip()
    yield from _edit(lines[start:], named)


def _edit(lines: Sequence[str], path: str) -> Iterator[Change]:
    if not path:
        return
    if any(_NORMAL.fullmatch(line) for line in lines):
        added = tuple(line[2:] for line in lines if line.startswith("> "))
        yield Change(path, FileOperation.EDIT, added, tuple(line[2:] for line in lines if line.startswith("< ")))
    elif any(_ED.fullmatch(line) for line in lines):
        yield Change(path, FileOperation.EDIT, tuple(_inserted(lines)))


def _inserted(lines: Sequence[str]) -> Iterator[str]:
    """The lines after `a`, `c` and `i`, up to a dot."""
    inside = False
    for line in lines:
        if inside:
            inside = line != "."
            if inside:
                yield line
        else:
            inside = bool(_ED.fullmatch(line)) and line[-1:] in "aci"
