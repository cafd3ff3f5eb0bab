"""The form of an action: what two proposals have in common if they differ in spelling alone.

`fingerprint` compares actions that are alike; a form compares actions that are the same. It decides what a person's
exemption lets through, so it is exact: spellings of which it is not known that they mean the same are two forms.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.actions.patched import may_hold_patch
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell.words import clean
from supervisor.pointers import MARK

# Kinds whose effect does not depend on the directory in which the agent works.
_PLACELESS = frozenset("http browse click form message payment refund report ask_user finish".split())
# Arguments of hosts' shell tools that say how a command is shown or waited for, not what it does.
# Shell tools of known hosts, which run commands where the agent works. Any other tool is part of a form by its name.
_LOCAL_SHELLS = frozenset(
    "bash shell sh terminal exec_command execute_command run_command run_shell_command execute_bash run_terminal_cmd"
    " run_in_terminal local_shell shell_command".split()
)
_OF_AN_EDIT = frozenset(
    "old new old_string new_string old_text new_text oldText newText old_str new_str search replace replace_all".split()
)
_NAMES_NO_FILE = frozenset("edits command description explanation instruction instructions encoding mode".split())
_INERT = frozenset("description explanation timeout timeout_ms timeout_seconds run_in_background".split())


def form_of(action: Action, context: Context) -> str:
    """The SHA-256 of an action's form: two actions have the same form if they do the same in the same directory.

    Of a shell command, quoting, spaces, the order of options that are known to commute, and the spelling of paths do
    not count. Every other argument of an action counts as it is. Secrets count as their masks. "" for an action that is
    not JSON, which has no form.
    """
    try:
        written = orjson.dumps(_parts(action, context), option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return ""
    return hashlib.sha256(written).hexdigest()


def _parts(action: Action, context: Context) -> list[Any]:
    if action.kind == "shell":
        from supervisor.evidence.shell.form import form_of_script  # the reader of shell scripts takes long to import

        command, cwd = action.get("command"), cwd_of(action, context)
        is_clean = isinstance(command, str) and clean(command) == command
        written = form_of_script(command, cwd) if is_clean else ["raw", command]
        where = "here" if action.tool.lower() in _LOCAL_SHELLS else action.tool  # which may be another machine
        return ["shell", where, cwd, written, _rest(action, "command", "cwd", inert=_INERT)]
    if action.kind.startswith("file_") and (path := path_of(action, context)):
        place = None if _names_one_file(action) else context.cwd  # other names may be relative
        return [action.kind, action.tool, path, place, _rest(action, "path")]
    place = None if action.kind in _PLACELESS else context.cwd
    return [action.kind, action.tool, place, _plain(action.args)]


def cwd_of(action: Action, context: Context) -> str | None:
    """The directory in which a shell action runs, if known: its own argument, or else the agent's."""
    inside = action.text("cwd")
    if ".." in inside.split("/") or clean(inside) != inside:
        return f"{context.cwd or '.'}/{inside}"  # a link may turn the step up elsewhere
    return resolve(inside, context.cwd or ".") if inside else context.cwd


def files_of(action: Action, context: Context) -> list[str] | None:
    """The paths that an action touches, resolved; None unless its arguments alone prove that it touches nothing else.
    Links are not followed."""
    if action.kind == "shell":
        from supervisor.evidence.shell.form import files_of_script

        command, cwd = action.get("command"), cwd_of(action, context)
        if not isinstance(command, str) or clean(command) != command or not cwd or ".." in cwd.split("/"):
            return None
        if _rest(action, "command", "cwd", inert=_INERT):  # a host, an environment
            return None
        return files_of_script(command, cwd)
    if not action.kind.startswith("file_") or may_hold_patch(action):
        return None
    path = path_of(action, context)
    return [path] if path and _names_one_file(action) else None


def _names_one_file(action: Action) -> bool:
    """Whether no argument of a file tool but its path can name a file: the others are texts of edits, numbers, and
    words that are known to name none."""
    edits = action.args.get("edits", [])
    if not isinstance(edits, list):
        return False
    if not all(isinstance(each, Mapping) and each.keys() <= _OF_AN_EDIT for each in edits):
        return False
    others = _rest(action, "path", "content", "old", "new", inert=_NAMES_NO_FILE)
    return not any(True for _ in strings_in(others))


def path_of(action: Action, context: Context) -> str:
    """The path that a file tool names, resolved; "" if it names none, or steps up, which links may turn elsewhere."""
    path = action.text("path")
    is_sure = path and clean(path) == path and ".." not in path.split("/")
    return resolve(path, context.cwd or ".") if is_sure else ""


def _rest(action: Action, *parts: str, inert: frozenset[str] = frozenset()) -> Any:
    """The arguments other than these parts of the kind, which the form contains already."""
    named = {action.fields.get(part, part) for part in parts}
    known = inert | {name for name in named if name[:1] != MARK}
    return _plain({name: value for name, value in action.args.items() if name not in known})


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value
