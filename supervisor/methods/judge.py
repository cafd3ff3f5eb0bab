"""A narrow judge: a model that answers one closed question about quoted material.

The question is a constant in a specialist's file and contains nothing from outside. The material is passed as data
(`supervisor.doors.model`), cut to what a small model can read at once. The answer is yes or no, or an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from supervisor.action import Action, Answer, Context
from supervisor.errors import DoorFailed, Unreadable
from supervisor.evidence.changes.prefilter import prefiltered_acts
from supervisor.evidence.prose.text import nearest_passages
from supervisor.evidence.reading.slices import run_in_thread
from supervisor.evidence.session.claims import only_reads
from supervisor.methods.injection_prefilter import suspected
from supervisor.specialist import flag, nudge, ok
from supervisor.verdict import Finding

MAX_CLAIM = 1_500  # characters
MAX_SOURCE = 6_000  # characters: the passages nearest to the claim, so that a small model reads the relevant ones
MAX_MATERIAL = 4_000  # characters of each other material
MAX_CALL = 6_000  # characters of the tool call
MAX_PAST = 12_000  # characters of all earlier steps together
MAX_STEP = 2_000  # characters of one earlier step
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
    return _shown_call(action.tool, action.args)


def _shown_output(output: Any) -> str:
    return output if isinstance(output, str) else orjson.dumps(output).decode(errors="replace")


def _shown_call(tool: str, args: Mapping[str, Any]) -> str:
    return f"{tool[:200]} {orjson.dumps(dict(args)).decode(errors='replace')}"


def shown_past(context: Context) -> str:
    """The earlier steps, one a line and the oldest first: a call, then what its tool returned. Where all of them exceed
    MAX_PAST, the oldest are left out, and the first line says how many."""
    lines: list[str] = []
    room = MAX_PAST
    for number in range(len(context.history), 0, -1):
        step = context.history[number - 1]
        line = shortened(f"{number}. {_shown_call(step.tool, step.args)} -> {_shown_output(step.output)}", MAX_STEP)
        room -= len(line)
        if room < 0:
            return "\n".join([f"({number} earlier steps are left out)", *reversed(lines)])
        lines.append(line)
    return "\n".join(reversed(lines))


def has_effects(action: Action, context: Context) -> bool:
    """Whether an action may change something, by bounded work: a judge is asked about no other."""
    if action.kind == "shell":
        return prefiltered_acts(action, context) != frozenset()
    return not only_reads(action)


async def may_obey_an_order(action: Action, context: Context) -> bool:
    """Whether the action may carry out an order in an earlier output; True where an output cannot be read. A thread
    looks, because a long session takes milliseconds."""
    try:
        return await run_in_thread(suspected, action, context)
    except Unreadable:
        return True


async def judge_effect(
    action: Action, context: Context, question: str, *, fault: str, correction: str, sharper: str
) -> Finding:
    """`judge_call` for an action that may change something, else ok."""
    if not has_effects(action, context):
        return ok()
    return await judge_call(action, context, question, fault=fault, correction=correction, sharper=sharper)


async def judge_call(
    action: Action, context: Context, question: str, *, fault: str, correction: str, sharper: str
) -> Finding:
    """The model's judgement of a tool call beside the user's request and the earlier steps. `question` is answered with
    yes where the call is at fault, and `fault` continues the sentence that begins with the call.

    Raises DoorFailed.
    """
    call = shortened(shown_action(action), MAX_CALL)
    request = shortened((context.task or "").strip())
    answer = await context.ask(question, request=request, earlier_steps=shown_past(context), tool_call=call)
    if not answer.yes:
        return ok(answer.confidence)
    reason = f"`{call[:200]}` {fault}."
    return doubted(answer, reason, correction=correction, sharper=sharper, evidence=(call[:500],))


def doubted(answer: Answer, reason: str, *, correction: str, sharper: str, evidence: tuple[str, ...] = ()) -> Finding:
    """The finding for an answer against the action: a nudge if its confidence is at least SURE, else a flag."""
    if answer.confidence < SURE:
        return flag(reason, confidence=answer.confidence, evidence=evidence)
    return nudge(reason, correction=correction, sharper=sharper, confidence=answer.confidence, evidence=evidence)
