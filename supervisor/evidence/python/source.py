"""Where in an action Python code stands: code that is run, a file that is written, the new text of an edit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from supervisor.action import Action

SUFFIXES = (".py", ".pyi")


class Source(NamedTuple):
    """Code that an action brings, and the text that it replaces."""

    new: str
    old: str = ""


def source_of(action: Action) -> Source | None:
    """The Python of an action; None where it is something else."""
    if action.kind == "python":
        return Source(action.text("code"))
    if action.kind == "file_write" and _is_python(action.text("path")):
        return Source(action.text("content"))
    if action.kind == "file_edit":
        return _edited(action)
    return None


def _edited(action: Action) -> Source | None:
    path, patch = action.text("path"), action.text("patch")
    if patch:
        new, old = list(_lines_of_patch(patch, "+", path)), list(_lines_of_patch(patch, "-", path))
        return Source("\n".join(new), "\n".join(old)) if new or old or _is_python(path) else None
    if not _is_python(path):
        return None
    edits = action.get("edits")
    each = [edit for edit in edits if isinstance(edit, Mapping)] if isinstance(edits, list) else []
    whole = action.get("file_text")  # an editor tool that also creates files
    new = [action.text("new"), whole if isinstance(whole, str) else "", *_values(each, "new")]
    return Source("\n".join(filter(None, new)), "\n".join(filter(None, [action.text("old"), *_values(each, "old")])))


def _values(edits: list[Mapping[str, object]], prefix: str) -> Iterator[str]:
    for edit in edits:
        for name, value in edit.items():
            if isinstance(value, str) and name.lower().startswith(prefix):
                yield value


def _lines_of_patch(patch: str, sign: str, path: str) -> Iterator[str]:
    """The added or removed lines of the Python files in a patch (unified, or `*** Update File: a.py`)."""
    inside = _is_python(path)
    for line in patch.splitlines():
        if line.startswith(("--- ", "+++ ", "*** Update File:", "*** Add File:")):
            inside = _is_python(line.split("\t")[0].strip()) or (line.startswith("--- ") and inside)
        elif inside and line.startswith(sign):
            yield line[1:]


def _is_python(path: str) -> bool:
    return path.lower().endswith(SUFFIXES)
