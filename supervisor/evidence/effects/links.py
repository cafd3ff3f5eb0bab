"""The symbolic links that a session has made. Through them, a path in the workspace may lead out of it."""

from __future__ import annotations

from collections.abc import Mapping

from supervisor.action import Context, Step
from supervisor.evidence.effects.effect import Ground
from supervisor.evidence.effects.files.copies import links_made
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.history.past_scripts import PastSteps, past_command, past_steps


class _Links(Growing):
    """For the number of each step that made links, the links and the paths that they lead to."""

    def __init__(self, steps: PastSteps, workspace: str | None) -> None:
        self._steps = steps
        self._ground = Ground(workspace)
        self.made: dict[int, dict[str, str]] = {}

    def take(self, number: int, step: Step) -> None:
        if step.failed or "ln " not in str(past_command(step)):
            return
        found: dict[str, str] = {}
        for command in self._steps.read(number).commands:
            if command.program == "ln":
                found |= links_made(command, self._ground)
        if found:
            self.made[number] = found


def links_before(context: Context) -> Mapping[str, str]:
    """The links that the steps before an action made. A later link replaces an earlier one at the same path."""
    made = grown(context, _Links, past_steps(context), context.workspace).made if len(context.history) else {}
    found: dict[str, str] = {}
    for number, links in list(made.items()):
        if number < len(context.history):
            found |= links
    return found
