"""The calls in Python and JavaScript code, with the paths that their arguments may name."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence import javascript, python
from supervisor.evidence.actions import programs
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.javascript.programs import Program
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.python.texts import texts_of
from supervisor.evidence.reading.paths import HOLE, resolve
from supervisor.evidence.shell import Code, code_in

Module = python.Module
AnyCall = python.Call | javascript.Call


def modules_of(action: Action, context: Context) -> Iterator[tuple[Module | Program, str]]:
    """The parsed code that an action runs, each with its working directory. Raises Unreadable as `script` does."""
    cwd = context.cwd or "."
    if action.kind == "python" and (module := programs.module(action, context)):
        yield module, cwd
    elif action.kind == "javascript" and (ran := programs.program(action, context)):
        yield ran, cwd
    elif action.kind == "shell":
        yield from (each for found in code_in(script(action, context)) for each in _read(found))


def _read(found: Code) -> Iterator[tuple[Module | Program, str]]:
    if found.language == "python" and not found.command.remote:
        yield python.read(found.text), found.command.cwd
    elif found.language == "javascript" and not found.command.remote:
        yield javascript.read(found.text), found.command.cwd


def named_by_calls(action: Action, context: Context) -> Iterator[tuple[AnyCall, str]]:
    """Every call, once for each path that one of its arguments may name."""
    for code, cwd in modules_of(action, context):
        for call in code.calls:
            for text in _texts(code, call):
                if text and HOLE not in text and len(text) < 4096 and ("/" in text or "." in text):
                    yield call, resolve(text.removeprefix("unix:"), cwd)


def _texts(code: Module | Program, call: AnyCall) -> Iterator[str]:
    arguments = call.node.child_by_field_name("arguments")
    for node in arguments.named_children if arguments is not None else ():
        value = node.child_by_field_name("value") if node.type == "keyword_argument" else node
        if value is None:
            continue
        if isinstance(code, Program):
            yield text_of(code, value)
        else:
            yield from texts_of(code, value)
