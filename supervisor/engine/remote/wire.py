"""A decision on its way between processes: nothing of it is lost, and what a stranger sends is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.action import Action, Context
from supervisor.decision.approval import approval_of
from supervisor.decision.decision import Decision
from supervisor.history import step_to_json
from supervisor.records.codec import action_to_json, opinion_of, opinion_to_json
from supervisor.verdict import Verdict


def decision_to_wire(decision: Decision) -> dict[str, Any]:
    """Everything that a decision says."""
    return {
        "id": decision.id,
        "verdict": decision.verdict.label,
        "action": action_to_json(decision.action),
        "by": decision.by,
        "correction": decision.correction,
        "review": decision.review,
        "opinions": [opinion_to_json(name, opinion) for name, opinion in decision.opinions],
        "session": decision.session,
        "record": decision.record,
        "record_error": decision.record_error,
        "unjudged": decision.unjudged,
        "elapsed_ms": decision.elapsed_ms,
        "asked": decision.asked,
        "approval": decision.approval.to_json() if decision.approval else None,
        "stage": decision.stage,
        "reverts": decision.reverts,
        "reverted": decision.reverted,
    }


def decision_from_wire(told: Mapping[str, Any]) -> Decision:
    """The decision that a daemon has sent. KeyError, TypeError or ValueError where it is none."""
    action = told["action"]
    return Decision(
        told["id"],
        Verdict.named(told["verdict"]),
        Action(action["tool"], action["args"], action["kind"], action["fields"]),
        tuple(told["by"]),
        told["correction"],
        bool(told["review"]),
        tuple((each["specialist"], opinion_of(each)) for each in told["opinions"]),
        told["session"],
        told["record"],
        told["record_error"],
        told["unjudged"],
        float(told["elapsed_ms"]),
        tuple(told["asked"]),
        approval_of(told["approval"]) if told.get("approval") else None,
        told["stage"],
        bool(told["reverts"]),
        told["reverted"],
    )


def context_to_wire(context: Context) -> dict[str, Any]:
    """A context as `proposal.context_from` reads it."""
    told: dict[str, Any] = {**context.facts, "task": context.task, "agent": context.agent}
    return told | {"history": [step_to_json(step) for step in context.history]} if context.history else told
