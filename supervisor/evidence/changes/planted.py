"""Planted commands: commands in a file that an action writes, which another program runs later on this machine. They
are judged as a separate action, as if they ran now."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context, strings_in
from supervisor.errors import CutOff, NoReader, Unreadable
from supervisor.evidence import reader
from supervisor.evidence.actions.commands import RUNNERS
from supervisor.evidence.actions.patched import may_hold_patch
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.machine.command_files import commands_in, may_hold_command_files, may_hold_commands
from supervisor.pointers import Several
from supervisor.specialist import PLANTING_KINDS

_RUNS_CODE = re.compile(r"python|node|deno|bun|tsx|pypy")
_WRITES = re.compile(r"open|write|append|output", re.IGNORECASE)


def may_plant(action: Action, context: Context) -> bool:
    """Whether an action may plant commands, by the paths among its arguments or in its patch."""
    if action.kind not in PLANTING_KINDS:
        return False
    if action.kind in RUNNERS:
        return _may_write_by_code(action)
    if may_hold_command_files(context.cwd or ""):
        return True
    if may_hold_patch(action) or any(isinstance(value, (list, dict)) for value in action.args.values()):
        return any(may_hold_commands(text) for _, text in action.strings())
    return may_hold_commands(action.text("path")) or any(
        may_hold_commands(value) for value in action.args.values() if isinstance(value, str) and "\n" not in value
    )


def _may_write_by_code(action: Action) -> bool:
    """Whether code may write a file, since code may compute a path. A shell command must start a program that runs
    code."""
    if action.kind != "shell":
        return _WRITES.search(action.text("code")) is not None
    command = action.get("command")
    texts = (command,) if isinstance(command, str) else (each for _, each in strings_in(command))
    return any(_RUNS_CODE.search(text) and _WRITES.search(text) for text in texts)


@reader
def planted(action: Action, context: Context) -> Action | None:
    """A shell action with the commands that an action plants, each judged by itself; None if it plants none.

    If the commands cannot be read, the shell action cannot be read either. Raises CutOff if a deadline ended a reading,
    NoReader as `effects` does.
    """
    if not may_plant(action, context):
        return None
    found: list[object] = []
    try:
        found += _commands(action, context)
    except (CutOff, NoReader):
        raise
    except Unreadable as unreadable:
        found = [unreadable]
    return Action(action.tool, {"command": Several(found)}, "shell") if found else None


def _commands(action: Action, context: Context) -> Iterator[object]:
    for effect in effects(action, context).of(Act.WRITE):
        if effect.content:
            yield from commands_in(effect.target, effect.content)
