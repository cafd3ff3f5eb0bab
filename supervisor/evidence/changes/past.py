"""What earlier steps of a session changed: what they ran that may change anything, and its effects."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence.changes.prefilter import prefiltered_acts
from supervisor.evidence.effects import Effects, Ground, effects_of_script
from supervisor.evidence.history.past_scripts import Ran, past_command
from supervisor.evidence.shell import Script

_CHANGES = frozenset({"write", "delete", "move", "repository", "code"})  # names of `Act`


def change_of(ran: Ran) -> Script | None:
    """What a step ran in a shell, where it may have changed files or a repository. Most of a session only looks, which
    a glance shows at a twentieth of the price of a parse."""
    return ran.once(_change_of)


def effects_of(ran: Ran) -> Effects:
    """The effects of what a step ran in a shell."""
    return ran.once(_effects_of)


def _change_of(ran: Ran) -> Script | None:
    command = past_command(ran.step)
    if isinstance(command, str) and "git" not in command:  # what makes a checkout is no act
        context = Context(history=(ran.step,), facts={"cwd": ran.cwd} if ran.cwd else {})
        acts = prefiltered_acts(Action(ran.step.tool, {"command": command}, ran.step.kind), context)
        if acts is not None and acts.isdisjoint(_CHANGES):
            return None
    return ran.script


def _effects_of(ran: Ran) -> Effects:
    return effects_of_script(ran.script, Ground()) if ran.script is not None else Effects(())
