"""Decisions and contexts as JSON between processes. Nothing is lost, and what arrives is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.action import Action, Context
from supervisor.decision.approval import approval_of
from supervisor.decision.decision import Decision
from supervisor.decision.exemptions import exemption_of
from supervisor.history import step_to_json
from supervisor.records.codec import action_to_json, opinion_of, opinion_to_json
from supervisor.verdict import Verdict


def decision_to_wire(decision: Decision) -> dict[str, Any]:
    """A decision with all its fields."""
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
        "exemptions": {name: each.to_json() for name, each in decision.exemptions.items()},
        "exemptible": decision.exemptible,
        "unheeded": decision.unheeded,
    }


def decision_from_wire(payload: Mapping[str, Any]) -> Decision:
    """The decision that a daemon has sent. Raises KeyError, TypeError or ValueError if it is malformed."""
    action = payload["action"]
    return Decision(
        payload["id"],
        Verdict.named(payload["verdict"]),
        Action(action["tool"], action["args"], action["kind"], action["fields"]),
        tuple(payload["by"]),
        payload["correction"],
        bool(payload["review"]),
        tuple((each["specialist"], opinion_of(each)) for each in payload["opinions"]),
        payload["session"],
        payload["record"],
        payload["record_error"],
        payload["unjudged"],
        float(payload["elapsed_ms"]),
        tuple(payload["asked"]),
        approval_of(payload["approval"]) if payload.get("approval") else None,
        payload["stage"],
        bool(payload["reverts"]),
        payload["reverted"],
        {name: exemption_of(each) for name, each in payload.get("exemptions", {}).items()},
        payload.get("exemptible") is True,
        float(payload.get("unheeded", 0.0)),
    )


def context_to_wire(context: Context) -> dict[str, Any]:
    """A context in the form that `intake.parsing.context_from` reads."""
    payload: dict[str, Any] = {**context.facts, "task": context.task, "agent": context.agent}
    return payload | {"history": [step_to_json(step) for step in context.history]} if context.history else payload
