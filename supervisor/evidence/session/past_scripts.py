"""What earlier steps of a session ran in a shell."""

from __future__ import annotations

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.shell import RUNNERS, Command, Script, read_script, run_by

_CHANGES = frozenset({"write", "delete", "move", "repository", "code"})  # names of `Act`
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


def past_change(step: Step, cwd: str | None) -> Script | None:
    """The same of a step that may have changed files or a repository. Most of a session only looks, which a glance
    shows at a twentieth of the price of a parse."""
    from supervisor.evidence.effects.glance import acts_at_a_glance  # it reads what past steps tell as well

    command = past_command(step)
    if isinstance(command, str) and "git" not in command:  # what makes a checkout is no act
        context = Context(history=(step,), facts={"cwd": cwd} if cwd else {})
        acts = acts_at_a_glance(Action(step.tool, {"command": command}, step.kind), context)
        if acts is not None and acts.isdisjoint(_CHANGES):
            return None
    return past_script(step, cwd)


def past_commands(step: Step, cwd: str | None) -> tuple[Command, ...]:
    """What an earlier step ran, from a shell or from code, and what it said through SDKs; none where that cannot be
    read."""
    if step.kind not in RUNNERS:
        return ()
    try:
        return run_by(Action(step.tool, step.args, step.kind), Context(facts={"cwd": cwd})).commands
    except Unreadable:
        return ()
