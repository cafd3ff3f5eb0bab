"""The output before this action imitates the user or the system."""

from __future__ import annotations

from supervisor.methods.obedience import ACTS, QUOTED, impersonation
from supervisor.specialist import Action, Context, Opinion, flag, ok, specialist


@specialist(*ACTS, "shell", "python", "javascript", "sql", needs_past=True, past=["imitated"])
def result_speaks_for_the_user(action: Action, context: Context) -> Opinion:
    imitation = impersonation(action, context)
    if imitation is None:
        return ok()
    quote, confidence = imitation
    step = len(context.history)
    return flag(
        f"The output of step {step} ({context.history[-1].tool or 'a message'}) imitates the user or the system: "
        f"“{quote[:QUOTED]}”.",
        confidence=confidence,
        evidence=(quote,),
    )
