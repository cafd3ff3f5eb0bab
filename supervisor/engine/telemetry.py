"""OpenTelemetry: a span and metrics for every decision, if the policy's `telemetry` is enabled.

A span is a child of the current span, usually the host's `execute_tool`. It has the attributes of the semantic
conventions for generative AI (`gen_ai.*`), and `supervisor.*` for the rest. The deployment's OpenTelemetry set-up
chooses the exporter. Needs the extra `otel`.
"""

from __future__ import annotations

import logging
import time
from typing import Any

import orjson

from supervisor.decision.decision import Decision
from supervisor.errors import BadPolicy
from supervisor.version import VERSION

logger = logging.getLogger("supervisor")
# Seconds. A decision takes about a millisecond; one that asks a door waits for it.
_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Telemetry:
    """Exports decisions. Raises BadPolicy if OpenTelemetry is not installed."""

    def __init__(self, *, arguments: bool) -> None:
        try:
            from opentelemetry import metrics, trace
        except ImportError:
            raise BadPolicy("telemetry needs OpenTelemetry: install supervisor-guard[otel]") from None
        meter = metrics.get_meter("supervisor", VERSION)
        self._arguments = arguments
        self._tracer = trace.get_tracer("supervisor", VERSION)
        self._duration = meter.create_histogram(
            "supervisor.decision.duration",
            unit="s",
            description="From the proposal of an action to the answer.",
            explicit_bucket_boundaries_advisory=_BUCKETS,
        )
        self._findings = meter.create_counter(
            "supervisor.findings", description="Objections, by specialist and verdict."
        )
        self._refusals = meter.create_counter("supervisor.refusals", description="Votes that were not given, and why.")

    def decided(self, decision: Decision, agent: str | None) -> None:
        """Exports one decision. Never raises: an exporter's error must not stop the action."""
        try:
            self._trace(decision, agent)
            self._measure(decision)
        except Exception:  # whatever the deployment's exporter raises
            logger.exception("telemetry of a decision is lost")

    def _trace(self, decision: Decision, agent: str | None) -> None:
        ended = time.time_ns()
        started = ended - int(decision.elapsed_ms * 1_000_000)
        attributes = _attributes(decision, agent)
        if self._arguments:
            attributes["gen_ai.tool.call.arguments"] = orjson.dumps(decision.action.args).decode()
        name = "supervisor.decide" if decision.stage == "before" else "supervisor.observe"
        self._tracer.start_span(name, start_time=started, attributes=attributes).end(ended)

    def _measure(self, decision: Decision) -> None:
        attributes = {"supervisor.verdict": decision.verdict.label, "supervisor.kind": decision.action.kind}
        self._duration.record(decision.elapsed_ms / 1000, attributes)
        for name, finding in decision.findings:
            self._findings.add(1, {"supervisor.specialist": name, "supervisor.verdict": finding.verdict.label})
        for name, refusal in decision.refusals:
            self._refusals.add(1, {"supervisor.specialist": name, "supervisor.cause": refusal.cause.value})


def _attributes(decision: Decision, agent: str | None) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        "gen_ai.tool.name": decision.action.tool,
        "gen_ai.conversation.id": decision.session,
        "gen_ai.agent.name": agent,
        "supervisor.decision.id": decision.id,
        "supervisor.verdict": decision.verdict.label,
        "supervisor.kind": decision.action.kind,
        "supervisor.by": list(decision.by),
        "supervisor.review": decision.review,
        "supervisor.record": decision.record,
        "supervisor.approval": decision.approval.state if decision.approval else None,
        "supervisor.unjudged": decision.unjudged or decision.record_error,
    }
    return {name: value for name, value in attributes.items() if value is not None}
