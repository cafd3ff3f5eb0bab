"""Starts another agent that acts without asking a person."""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, effects
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.GUARD])
def unattended_agent_started(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.GUARD):
        if effect.verb != "unattended":
            continue
        option = effect.content or ""
        reason = f"It starts {effect.target} with {option.partition('=')[0]}, so that it acts without asking a person."
        contained = effect.command is not None and effect.command.remote
        if contained or is_named(option, context) or task_mentions(action, context, "unattended", "yolo", "autonomous"):
            return flag(reason, evidence=(effect.text[:200],))
        return nudge(
            reason,
            correction=f"Start {effect.target} without that option, with the tools that it needs allowed by name, or"
            " do the step yourself.",
            evidence=(effect.text[:200],),
        )
    return ok()
