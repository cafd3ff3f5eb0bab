"""What earlier steps of a session ran in a shell."""

from __future__ import annotations

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.shell import RUNNERS, Command, Script, read_script, run_by

_COMMAND_NAMES = ("command", "cmd", "commands", "script", "code", "input")


def past_command(step: Step) -> object:
    """The command of an earlier step, as it was given; None where it was no shell's."""
    if step.kind != "shell":
        return None
    return next((step.args[name] for name in _COMMAND_NAMES if name in step.args), None)


def past_script(step: Step, cwd: str | None) -> Script | None:
    """What an earlier shell step ran; None where it was none, or cannot be read."""
    command = past_command(step)
    try:
        return None if command is None else read_script(command, cwd)
    except Unreadable:
        return None


def past_commands(step: Step, cwd: str | None) -> tuple[Command, ...]:
    """What an earlier step ran, from a shell or from code, and what it said through SDKs; none where that cannot be
    read."""
    if step.kind not in RUNNERS:
        return ()
    try:
        return run_by(Action(step.tool, step.args, step.kind), Context(facts={"cwd": cwd})).commands
    except Unreadable:
        return ()
