"""The changes of earlier steps of a session: the scripts that may have changed something, and their effects."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence.changes.prefilter import prefiltered_acts
from supervisor.evidence.effects import Effects, Ground, effects_of_script
from supervisor.evidence.history.past_scripts import PastStep, past_command
from supervisor.evidence.shell import Script

_CHANGES = frozenset({"write", "delete", "move", "repository", "code"})  # names of `Act`


def change_of(past: PastStep) -> Script | None:
    """The shell script of a step if it may have changed files or a repository, else None. Most steps only read, which
    the prefilter shows at a twentieth of the cost of a parse."""
    return past.once(_change_of)


def effects_of(past: PastStep) -> Effects:
    """The effects of the shell script of a step."""
    return past.once(_effects_of)


def _change_of(past: PastStep) -> Script | None:
    command = past_command(past.step)
    if isinstance(command, str) and "git" not in command:  # making a checkout has no act of its own
        context = Context(history=(past.step,), facts={"cwd": past.cwd} if past.cwd else {})
        acts = prefiltered_acts(Action(past.step.tool, {"command": command}, past.step.kind), context)
        if acts is not None and acts.isdisjoint(_CHANGES):
            return None
    return past.script


def _effects_of(past: PastStep) -> Effects:
    return effects_of_script(past.script, Ground()) if past.script is not None else Effects(())
