"""A decision as it is recorded: everything that is needed to run it again, by content address where it repeats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from supervisor.action import Action, Context
from supervisor.decision.decision import Decision, finding_to_json, refusal_to_json
from supervisor.history import History, address_of
from supervisor.records.journal import Content
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

_JSON_ALONE = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_SUBCLASS
Answers = Mapping[str, list[dict[str, Any]]]


def content(value: Any) -> Content:
    """A value by its content address: the SHA-256 of its JSON. Keys keep their order; a specialist may read them so.

    Raises TypeError for what is not JSON, dates and dataclasses included: they would read back as something else.
    """
    encoded = orjson.dumps(value, option=_JSON_ALONE)
    return address_of(encoded), encoded


def scene_of(context: Context) -> dict[str, Any]:
    """What is known besides the history. It repeats from action to action, so it is stored once."""
    return {"task": context.task, "agent": context.agent, "facts": context.facts}


def predicate_of(
    decision: Decision, time: str, addresses: Mapping[str, str | None], earlier: Mapping[str, int]
) -> dict[str, Any]:
    """What a decision's record says. `addresses` name the scene, history, versions, policy and door answers; `earlier`
    counts the nudges that the session had ignored."""
    return {
        "id": decision.id,
        "time": time,
        "session": decision.session,
        "action": action_to_json(decision.action),
        **addresses,
        "opinions": [opinion_to_json(name, opinion) for name, opinion in decision.opinions],
        "earlier": dict(earlier),
        "decision": verdict_to_json(decision),
        "elapsed_ms": round(decision.elapsed_ms, 3),
    }


def action_to_json(action: Action) -> dict[str, Any]:
    """The action with its kind and parts, as they were worked out."""
    return {"tool": action.tool, "args": action.args, "kind": action.kind, "fields": dict(action.fields)}


def verdict_to_json(decision: Decision) -> dict[str, Any]:
    """What the agent was told."""
    told = {"verdict": decision.verdict.label, "by": list(decision.by), "review": decision.review}
    return told | {"correction": decision.correction} if decision.correction else told


def opinion_to_json(name: str, opinion: Opinion) -> dict[str, Any]:
    """An opinion as recorded; a plain ok is only a name and a confidence."""
    if isinstance(opinion, Refusal):
        return refusal_to_json(name, opinion)
    if not opinion.verdict and not opinion.reason:
        return {"specialist": name, "verdict": "ok", "confidence": opinion.confidence}
    return finding_to_json(name, opinion)


def opinion_of(told: Mapping[str, Any]) -> Opinion:
    """A recorded opinion."""
    if "cause" in told:
        return Refusal(told["reason"], Cause(told["cause"]), told.get("timed_out", False))
    texts = (told.get("reason", ""), told.get("correction", ""), told.get("sharper", ""))
    return Finding(Verdict.named(told["verdict"]), told["confidence"], *texts, tuple(told.get("evidence", ())))


def history_of(context: Context) -> History:
    """The context's history in the form that has addresses."""
    return context.history if isinstance(context.history, History) else History(context.history)
