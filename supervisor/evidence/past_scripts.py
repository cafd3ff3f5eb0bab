"""What earlier steps of a session ran in a shell."""

from __future__ import annotations

from supervisor.action import Step
from supervisor.errors import Unreadable
from supervisor.evidence.shell import Script, read_script

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
