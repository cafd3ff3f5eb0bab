"""What programs and tools do to files: read, write, delete and move them, and change who may."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from supervisor.action import Action, Context
from supervisor.evidence.effects.effect import Act, Effect, Ground, Part, Reading
from supervisor.evidence.effects.files import archives, contents, copies, permissions, removal
from supervisor.evidence.secrets.credentials import may_be_credential
from supervisor.evidence.shell import Command
from supervisor.evidence.sources import JAVASCRIPT, PYTHON

TOOLS = {
    "file_read": frozenset({Act.READ}),
    "file_write": frozenset({Act.WRITE}),
    "file_edit": frozenset({Act.WRITE}),
    "file_delete": frozenset({Act.DELETE}),
}
_VERBS = {"file_write": "replace", "file_edit": "edit"}


CODE = frozenset({Act.CODE})
CODE_KINDS = frozenset({"file_edit", "file_write", "javascript", "python"})


def parts_of_code(names: Iterable[str]) -> Iterator[Part]:
    """That a script writes code; what that does, it does when somebody runs it."""
    if any(name.endswith((*PYTHON.suffixes, *JAVASCRIPT.suffixes)) for name in names):
        yield Part(CODE, tuple)


def parts_of_action(action: Action, context: Context, ground: Ground) -> Iterator[Part]:
    """What a tool that reads or changes one file does."""
    if action.kind in CODE_KINDS:
        yield Part(CODE, tuple)
    if action.kind in TOOLS:
        yield Part(TOOLS[action.kind], partial(_by_tool, action, context, ground), reads_ordinary_file(action))


def reads_ordinary_file(action: Action) -> bool:
    """Whether a tool only reads a file, and one in which nobody keeps credentials."""
    return action.kind == "file_read" and not may_be_credential(action.text("path"))


def _by_tool(action: Action, context: Context, ground: Ground) -> Iterable[Effect]:
    path = action.text("path")
    if not path:
        return
    (act,) = TOOLS[action.kind]
    target = ground.path(act, path, context.cwd or ".")
    content = action.text("content" if action.kind == "file_write" else "new") or None
    verb = _VERBS.get(action.kind, "")
    yield Effect(act, target, ground.scope_of(target), verb, text=path[:200], content=content)


def _redirected(command: Command, ground: Ground) -> Iterator[Effect]:
    for redirect in command.redirects:
        if redirect.target == NOWHERE:
            continue
        if redirect.writes:
            verb = "extend" if ">>" in redirect.operator else "replace"
            yield ground.on_path(Act.WRITE, redirect.target, command, verb=verb)
        elif redirect.operator == "<":
            yield ground.on_path(Act.READ, redirect.target, command)


NOWHERE = "/dev/null"
REDIRECTS = Reading(frozenset({Act.READ, Act.WRITE}), _redirected)
PROGRAMS = archives.PROGRAMS | contents.PROGRAMS | copies.PROGRAMS | permissions.PROGRAMS | removal.PROGRAMS
