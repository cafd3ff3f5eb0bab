"""A narrow judge: a model that answers one closed question about quoted material.

The question is a constant in a specialist's file and contains nothing from outside. The material is passed as data
(`supervisor.doors.model`), cut to what a small model can read at once. The answer is yes or no, or an error.
"""

from __future__ import annotations

import orjson

from supervisor.action import Action, Answer, Context
from supervisor.errors import DoorFailed
from supervisor.evidence.prose.text import nearest_passages
from supervisor.specialist import flag, nudge
from supervisor.verdict import Finding

MAX_CLAIM = 1_500  # characters
MAX_SOURCE = 6_000  # characters: the passages nearest to the claim, so that a small model reads the relevant ones
MAX_MATERIAL = 4_000  # characters of each other material
SURE = 0.9  # least confidence of an answer that stops an action; below it, a person looks


async def ask_about_source(context: Context, question: str, *, claim: str, source: str) -> Answer:
    """The model's answer to a question about a claim and the passages of the source that are nearest to it.

    Raises DoorFailed (`no_model` if none is configured).
    """
    passages = await nearest_passages.unhurried(source, claim, limit=MAX_SOURCE)
    return await context.ask(question, claim=claim[:MAX_CLAIM], source=passages)


async def ask_about_source_if_configured(context: Context, question: str, *, claim: str, source: str) -> Answer | None:
    """As `ask_about_source`, but None if no model is configured, for specialists that also work without one."""
    try:
        return await ask_about_source(context, question, claim=claim, source=source)
    except DoorFailed as failed:
        if failed.code == "no_model":
            return None
        raise


async def asks(context: Context, question: str, **material: str) -> Answer:
    """The model's answer to a question about material. Long material is cut to its beginning and its end.

    Raises DoorFailed.
    """
    return await context.ask(question, **{name: shortened(text) for name, text in material.items()})


def shortened(text: str, limit: int = MAX_MATERIAL) -> str:
    """A text of more than `limit` characters without its middle: text that is added to hide the rest is at an end."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]} […] {text[-half:]}"


def shown_action(action: Action) -> str:
    """A tool call in one line, for a model."""
    return f"{action.tool[:200]} {orjson.dumps(dict(action.args)).decode(errors='replace')}"


def doubted(answer: Answer, reason: str, *, correction: str, sharper: str, evidence: tuple[str, ...] = ()) -> Finding:
    """The finding for an answer against the action: a nudge if its confidence is at least SURE, else a flag."""
    if answer.confidence < SURE:
        return flag(reason, confidence=answer.confidence, evidence=evidence)
    return nudge(reason, correction=correction, sharper=sharper, confidence=answer.confidence, evidence=evidence)
