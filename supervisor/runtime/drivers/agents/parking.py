"""What an agent is told about questions that wait for a person."""

from __future__ import annotations

from supervisor.runtime.tasks.question import ALLOW, Given

WAITS = (
    "Supervisor: a person is asked about this, and answers later. Do not try it in another form. Say in a sentence what"
    " waits, and end your turn now: you will be called again with the answer."
)


def answered(given: Given | None) -> str:
    """What an agent is told that goes on after a question; empty if there was none."""
    if given is None:
        return ""
    why = f" {given.note}" if given.note else ""
    if given.is_text:
        return f"{given.by} has answered your question ({given.about}): {given.answer}{why}"
    if given.answer == ALLOW:
        return f"{given.by} has allowed this, once: {given.about}{why} Call it exactly as before, then go on."
    return f"{given.by} has denied this: {given.about}{why} Go on without it, or say why you cannot."
