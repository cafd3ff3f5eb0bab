"""The code in an action: code that is run, a file that a tool or a shell writes, the new text of an edit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.patched import changes_of
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.flows.grammar import SUFFIXES
from supervisor.evidence.patch import Change
from supervisor.evidence.shell.patching import PATCHERS, changes_applied

_TRIALS = ("check_", "conftest", "debug_", "demo", "example", "repro", "test", "verify_")
_TRIAL_ENDS = ("_test.py", "_tests.py")
_TRIAL_PARTS = (
    ".spec.",
    ".test.",
    ".stories.",
    "_spec.",
    "_test.",
    "test.java",
    "tests.java",
    "test.kt",
    "tests.cs",
    "test.php",
)
_TRIAL_FOLDERS = ("/test", "/__tests__/", ".tests/", "/spec/", "/src/test/")
_STAND_INS = frozenset({"dummy", "emulator", "fake", "mock", "simulator", "stub"})


class Language(NamedTuple):
    """The kind of action that runs a language's code, and the suffixes of its files."""

    kind: str
    suffixes: tuple[str, ...]


PYTHON = Language("python", (".py", ".pyi"))
JAVASCRIPT = Language("javascript", (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"))
# The languages that `supervisor.evidence.flows` reads. Only JavaScript has a kind of action that runs it.
OTHERS = {name: Language(name if name == "javascript" else "", suffixes) for name, suffixes in SUFFIXES.items()}


class Source(NamedTuple):
    """The code in an action, and the text that it replaces."""

    new: str
    old: str = ""


def source_of(action: Action, context: Context, language: Language) -> Source | None:
    """An action's code of this language; None if it has none. Raises Unreadable as `script` does."""
    if action.kind == "shell":
        return _written_by_shell(action, context, language)
    if action.kind == language.kind and language.kind:
        return Source(action.text("code"))
    if action.kind == "file_write" and _is_of(language, action.text("path")):
        return Source(action.text("content"))
    if action.kind == "file_edit":
        return _edited(action, context, language)
    return None


def is_trial(action: Action) -> bool:
    """Whether the file's path is that of a test, an example, or a script that reproduces a fault."""
    return _is_trial(action.text("path"))


def is_stand_in(action: Action) -> bool:
    """Whether the file's name says that it plays another service during development."""
    words = re.split(r"[^a-z0-9]+", action.text("path").lower().replace("\\", "/").rpartition("/")[2])
    return not _STAND_INS.isdisjoint(words)


@lru_cache(maxsize=256)  # many specialists ask about one file
def _is_trial(path: str) -> bool:
    path = path.lower().replace("\\", "/")
    name = path.rpartition("/")[2]
    by_name = name.startswith(_TRIALS) or name.endswith(_TRIAL_ENDS) or any(part in name for part in _TRIAL_PARTS)
    return by_name or any(folder in f"/{path}" for folder in _TRIAL_FOLDERS)


def _written_by_shell(action: Action, context: Context, language: Language) -> Source | None:
    """The code that a script writes into files (`cat > a.py <<EOF`), without trials."""
    read = script(action, context)
    texts = [text for path, text in read.files.items() if _is_of(language, path) and not _is_trial(path)]
    patched = _patched([change for ran in read.named(*PATCHERS) for change in changes_applied(ran)], language, "")
    if patched is not None:
        return Source("\n".join([*texts, patched.new]), patched.old)
    return Source("\n".join(texts)) if texts else None


def _edited(action: Action, context: Context, language: Language) -> Source | None:
    path = action.text("path")
    if changes := changes_of(action, context):
        return _patched(changes, language, path)
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


def _patched(changes: Sequence[Change], language: Language, path: str) -> Source | None:
    """The lines that a patch adds to and removes from a language's files, without trials if a shell applies it."""
    own = [each for each in changes if _is_of(language, each.path) and (path or not _is_trial(each.path))]
    if not own and not _is_of(language, path):
        return None
    return Source("\n".join(each.after for each in own), "\n".join(each.before for each in own))


def _is_of(language: Language, path: str) -> bool:
    return path.lower().endswith(language.suffixes)
