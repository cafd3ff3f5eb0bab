"""Tools that move, copy, write, edit and delete files, recognized by the verb and the object in their names and by
their arguments.

A tool that does the same as a program is described by that program's command line: `mv` for moving, `cp` for copying,
`chmod` for a mode. So the specialists for shell commands judge the tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.intake.kinds import names_of
from supervisor.intake.shapes import is_path
from supervisor.pointers import MARK

_Named = Mapping[str, tuple[str, Any]]  # arguments by their names in snake case: a JSON Pointer, and the value
PATHED = frozenset({"file_delete", "file_edit", "file_read", "file_write"})


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VERBS: dict[str, frozenset[str]] = {
    "move": _names("move rename mv relocate transfer"),
    "copy": _names("copy cp duplicate clone"),
    "link": _names("symlink link ln hardlink"),
    "delete": _names("delete remove rm unlink trash erase rmdir rmtree destroy purge"),
    "mode": _names("chmod permissions permission mode"),
    "append": _names("append"),
    "edit": _names("edit replace modify update change patch insert alter substitute"),
    "write": _names("write create save put new overwrite make touch mkdir"),
}
_OBJECTS = _names(
    "file files path paths directory directories dir dirs folder folders tree symlink text lines line block contents"
    " filesystem fs"
)
_TREES = _names("directory directories dir dirs folder folders tree mkdir rmdir rmtree")
_PROGRAM_NAMES = _names("mv cp rm ln chmod mkdir rmdir rmtree symlink unlink hardlink touch")
# Arguments of tools for files that are not on this machine (in a repository, a bucket, a drive), and for payments.
_REMOTE_ARGUMENTS = _names(
    "owner repo repository repo_id project_id bucket bucket_name drive_id branch sha space_id workspace_id site_id"
    " container_name parent_id folder_id message_id email_id page_id document_id spreadsheet_id"
    " amount currency iban account account_id payee"
)
_SOURCES = (
    *("source", "src", "from", "old_path", "source_path", "from_path", "src_path", "old", "old_name", "origin"),
    *("original_path", "original", "current_path", "source_file", "old_file_path", "input_path", "file_name"),
    *("path", "file_path", "filename", "file", "oldpath", "sourcepath", "frompath", "source_uri", "old_uri"),
)
_TARGETS = (
    *("destination", "dest", "dst", "to", "new_path", "target", "target_path", "destination_path", "to_path", "new"),
    *("dest_path", "dst_path", "new_name", "new_file_path", "output_path", "newpath", "target_file", "topath"),
    *("destinationpath", "link", "link_path", "link_name", "destination_uri", "new_uri", "name", "newname"),
)
_MODES = ("mode", "permissions", "permission", "perms", "chmod")
_PATHS = (
    *names_of("file_write", "path"),
    "dir",
    "directory",
    "folder",
    "dir_path",
    "directory_path",
    "dir_name",
    "name",
)
_LISTS = ("paths", "files", "file_paths", "filenames", "file_names", "targets")
_CONTENTS = (*names_of("file_write", "content"), "code", "new_content", "file_content", "value", "string", "lines")
_PARTS = {
    "old": ("old_string", "old_str", "old_text", "old", "search", "find", "needle", "pattern", "regex", "target"),
    "new": ("new_string", "new_str", "new_text", "new", "replace", "replacement", "repl", "code_edit", "insert_text"),
    "patch": ("patch", "diff", "unified_diff"),
    "edits": ("edits", "changes", "replacements", "operations", "patches"),
}
_IS_MODE = re.compile(
    r"0?o?[0-7]{3,4}|[ugoa]*[-+=][rwxXst]+(?:,[ugoa]*[-+=][rwxXst]+)*|[r-][w-][xst-](?:[r-][w-][xst-]){2}"
)
_RECURSES = _names("recursive force_recursive recurse")


def recognize(words: frozenset[str], named: _Named) -> tuple[str, dict[str, str], str] | None:
    """The kind and the fields of a tool that changes files, and the reason; None for any other tool."""
    verb = next((verb for verb, known in _VERBS.items() if not words.isdisjoint(known)), "")
    speaks = not words.isdisjoint(_PROGRAM_NAMES)
    if not verb or not named or not _REMOTE_ARGUMENTS.isdisjoint(named):
        return None
    if verb in ("move", "copy", "link"):
        return _paired(verb, words, named)
    if not speaks and words.isdisjoint(_OBJECTS) and not _sets_mode(verb, named):
        return None
    why = f"a tool that, by its name, does `{verb}` to files"
    if verb == "mode":  # the mode may also be a number
        mode, path = _at(named, _MODES), _path(named)
        return ("shell", {"command": f"{MARK}chmod {mode} -- {path}"}, why) if mode and path else None
    if verb == "delete":
        return _deleted(words, named, why)
    if verb == "write" and not words.isdisjoint(_TREES) and not _at(named, _CONTENTS):
        path = _path(named)
        return ("shell", {"command": f"{MARK}mkdir -p -- {path}"}, why) if path else None
    kind = "file_write" if verb == "write" else "file_edit"
    fields = fields_of(kind, named)
    return (kind, fields, why) if "path" in fields or "edits" in fields or _lists_files(named) else None


def fields_of(kind: str, named: _Named) -> dict[str, str]:
    """The fields of a tool that reads or changes files, by the names of its arguments."""
    path = _path(named)
    fields = {"path": MARK + path} if path else {}
    if kind == "file_write" and (content := _at(named, _CONTENTS)):
        fields["content"] = MARK + content
    elif kind == "file_edit":
        fields |= {part: MARK + at for part, names in _PARTS.items() if (at := _at(named, names))}
        content = _at(named, _CONTENTS)
        if "new" not in fields and "patch" not in fields and content:
            fields["new"] = MARK + content
    return fields


def _paired(verb: str, words: frozenset[str], named: _Named) -> tuple[str, dict[str, str], str] | None:
    """The shell command of a tool that moves, copies or links; None unless source and target are both named. If the
    tool's name does not mention files, both must look like paths."""
    source, target = _at(named, _SOURCES), _at(named, _TARGETS)
    source = source or _at(named, _LISTS)
    if not source or not target or source == target:
        return None
    tells = not words.isdisjoint(_OBJECTS) or not words.isdisjoint(_PROGRAM_NAMES)
    values = [value for at, value in named.values() if at in (source, target)]
    if not tells and not all(is_path(value) for value in values):
        return None
    program = {"move": "mv", "copy": "cp -r", "link": "ln -s"}[verb]
    if verb == "link" and "target" in named:
        source, target = named["target"][0], _at(named, tuple(each for each in _TARGETS if each != "target")) or source
    return (
        "shell",
        {"command": f"{MARK}{program} -- {source} {target}"},
        f"a tool that, by its name, does what `{program}` does",
    )


def _deleted(words: frozenset[str], named: _Named, why: str) -> tuple[str, dict[str, str], str] | None:
    tree = not words.isdisjoint(_TREES) or any(named[name][1] is True for name in _RECURSES if name in named)
    path = _path(named) or _at(named, _LISTS)
    if not path:
        return None
    if tree or _at(named, _LISTS) == path:
        return "shell", {"command": f"{MARK}rm {'-r ' if tree else ''}-- {path}"}, why
    return "file_delete", {"path": MARK + path}, why


def _sets_mode(verb: str, named: _Named) -> bool:
    """Whether the arguments are a path and a mode for `chmod`."""
    modes = [str(value) for name in _MODES if name in named for _, value in [named[name]]]
    paths = [value for name in _PATHS if name in named for _, value in [named[name]]]
    return verb == "mode" and any(map(_IS_MODE.fullmatch, modes)) and any(map(is_path, paths))


def _lists_files(named: _Named) -> bool:
    return any(
        isinstance(named[name][1], list) for name in ("files", "edits", "operations", "changes") if name in named
    )


def _path(named: _Named) -> str:
    return _at(named, _PATHS)


def _at(named: _Named, names: tuple[str, ...]) -> str:
    return next(iter(_present(named, names)), "")


def _present(named: _Named, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if name in named:
            at, value = named[name]
            if (isinstance(value, (str, list)) and value) or (name in _MODES and isinstance(value, int)):
                yield at
