"""Where in an action code stands: code that is run, a file that a tool or a shell writes, the new text of an edit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from supervisor.action import Action, Context

_TRIALS = ("check_", "conftest", "debug_", "demo", "example", "repro", "test", "verify_")
_TRIAL_ENDS = ("_test.py", "_tests.py")
_TRIAL_PARTS = (".spec.", ".test.", ".stories.")


class Language(NamedTuple):
    """The kind of action that runs a language's code, and the ends of the names of its files."""

    kind: str
    suffixes: tuple[str, ...]


PYTHON = Language("python", (".py", ".pyi"))
JAVASCRIPT = Language("javascript", (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"))


class Source(NamedTuple):
    """Code that an action brings, and the text that it replaces."""

    new: str
    old: str = ""


def source_of(action: Action, context: Context, language: Language) -> Source | None:
    """An action's code of this language; None where it is something else. Raises Unreadable as `shell.script` does."""
    if action.kind == "shell":
        return _written_by_shell(action, context, language)
    if action.kind == language.kind:
        return Source(action.text("code"))
    if action.kind == "file_write" and _is_of(language, action.text("path")):
        return Source(action.text("content"))
    if action.kind == "file_edit":
        return _edited(action, language)
    return None


def is_trial(action: Action) -> bool:
    """Whether the file is by its path a test, an example of one, or a script that reproduces a fault."""
    return _is_trial(action.text("path"))


def _is_trial(path: str) -> bool:
    path = path.lower().replace("\\", "/")
    name = path.rpartition("/")[2]
    told = name.startswith(_TRIALS) or name.endswith(_TRIAL_ENDS) or any(part in name for part in _TRIAL_PARTS)
    return told or "/test" in f"/{path}" or "/__tests__/" in f"/{path}"


def _written_by_shell(action: Action, context: Context, language: Language) -> Source | None:
    """What a script writes into files (`cat > a.py <<EOF`), trials left out: nobody judges those by path."""
    from supervisor.evidence.shell import script  # which reads Python itself

    files = script(action, context).files
    texts = [text for path, text in files.items() if _is_of(language, path) and not _is_trial(path)]
    return Source("\n".join(texts)) if texts else None


def _edited(action: Action, language: Language) -> Source | None:
    path, patch = action.text("path"), action.text("patch")
    if patch:
        new = list(_lines_of_patch(patch, "+", path, language))
        old = list(_lines_of_patch(patch, "-", path, language))
        return Source("\n".join(new), "\n".join(old)) if new or old or _is_of(language, path) else None
    if not _is_of(language, path):
        return None
    edits = action.get("edits")
    each = [edit for edit in edits if isinstance(edit, Mapping)] if isinstance(edits, list) else []
    whole = action.get("file_text")  # an editor tool that also creates files
    added = [action.text("new"), whole if isinstance(whole, str) else "", *_values(each, "new")]
    taken = [action.text("old"), *_values(each, "old")]
    return Source("\n".join(filter(None, added)), "\n".join(filter(None, taken)))


def _values(edits: list[Mapping[str, object]], prefix: str) -> Iterator[str]:
    for edit in edits:
        for name, value in edit.items():
            if isinstance(value, str) and name.lower().startswith(prefix):
                yield value


def _lines_of_patch(patch: str, sign: str, path: str, language: Language) -> Iterator[str]:
    """The added or removed lines of a language's files in a patch (unified, or `*** Update File: a.py`)."""
    inside = _is_of(language, path)
    for line in patch.splitlines():
        if line.startswith(("--- ", "+++ ", "*** Update File:", "*** Add File:")):
            inside = _is_of(language, line.split("\t")[0].strip()) or (line.startswith("--- ") and inside)
        elif inside and line.startswith(sign):
            yield line[1:]


def _is_of(language: Language, path: str) -> bool:
    return path.lower().endswith(language.suffixes)
