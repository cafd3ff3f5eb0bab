"""A narrow judge: a model that is asked one closed question about one claim and one source."""

from __future__ import annotations

from supervisor.action import Answer, Context
from supervisor.errors import DoorFailed
from supervisor.evidence.text import nearest_passages

MAX_CLAIM = 1_500  # characters
MAX_SOURCE = 6_000  # characters: the passages nearest to the claim, so that a small model reads what matters


async def says(context: Context, question: str, *, claim: str, source: str) -> Answer:
    """The model's answer to a question about a claim and the passages of the source that are nearest to it.

    Raises DoorFailed (`no_model` where none is configured).
    """
    passages = await nearest_passages.unhurried(source, claim, limit=MAX_SOURCE)
    return await context.ask(question, claim=claim[:MAX_CLAIM], source=passages)


async def says_if_asked(context: Context, question: str, *, claim: str, source: str) -> Answer | None:
    """The same, None where no model is configured: for a specialist that can do without one."""
    try:
        return await says(context, question, claim=claim, source=source)
    except DoorFailed as failed:
        if failed.code == "no_model":
            return None
        raise
