"""The commands that an action runs, from a shell or from code."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.actions.programs import module, program
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.history.past_scripts import PastStep, past_action
from supervisor.evidence.reading.room import room_for
from supervisor.evidence.shell import Command, Script
from supervisor.evidence.shell.inner import Inner
from supervisor.evidence.shell.javascript_calls import commands_of_program
from supervisor.evidence.shell.python_calls import commands_of_module
from supervisor.evidence.shell.run import ROOM
from supervisor.evidence.shell.state import start_shell
from supervisor.evidence.shell.walk import Walk

RUNNERS = frozenset({"shell", "python", "javascript"})  # the kinds of action that run commands


@reader
def commands_of_code(action: Action, context: Context) -> Script:
    """The shell commands that Python or JavaScript runs through modules such as `subprocess` and `child_process`. Empty
    for other kinds of action.

    Raises Unreadable as the readers of shell scripts, Python and JavaScript do.
    """
    walk, shell = Walk(), start_shell(context.cwd)
    with room_for(ROOM):
        if action.kind == "python" and (ran := module(action, context)):
            walk.code("python", commands_of_module(ran), shell)
        elif action.kind == "javascript":
            walk.code("node", _in_javascript(action, context), shell)
    return Script(tuple(walk.commands), walk.files, walk.unread, tuple(walk.texts))


def _in_javascript(action: Action, context: Context) -> Iterator[Inner]:
    ran = program(action, context)
    return commands_of_program(ran) if ran is not None else iter(())


def run_by(action: Action, context: Context) -> Script:
    """The commands that an action runs, from a shell or from code. Raises Unreadable as `script` and
    `commands_of_code` do."""
    return script(action, context) if action.kind == "shell" else commands_of_code(action, context)


def past_commands(past: PastStep) -> tuple[Command, ...]:
    """The commands that an earlier step ran, from a shell, from code or as calls of SDKs; none if it cannot be read."""
    if past.step.kind not in RUNNERS:
        return ()
    try:
        return run_by(past_action(past.step), Context(facts={"cwd": past.cwd})).commands
    except Unreadable:
        return ()
