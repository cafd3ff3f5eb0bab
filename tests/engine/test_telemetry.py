"""What OpenTelemetry hears of decisions."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from supervisor.adapters.function.guard import Guard
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadPolicy
from supervisor.policy import Policy, Records, TelemetryPolicy
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist
from supervisor.verdict import Cause
from tests.catalog.catalogs import catalog_of


@specialist("shell")
def judges(action: Action, context: Context) -> Opinion:
    command = action.text("command")
    if "cannot" in command:
        return refuse("It cannot be judged.", Cause.INPUT)
    return nudge("It says no.", correction="Say yes.") if "no" in command else ok()


def opened(**telemetry: bool) -> Guard:
    policy = Policy(records=Records(path=None), isolation="none", telemetry=TelemetryPolicy(**telemetry))
    return Guard(Supervisor(policy, catalog=catalog_of(judges, judges="nudge")))


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The spans and the measurements that an OpenTelemetry of this test has taken."""
    pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed")
    from opentelemetry import metrics, trace
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    class Heard:
        reader, exporter = InMemoryMetricReader(), InMemorySpanExporter()
        tracing = TracerProvider()

        def points(self) -> dict[str, list[dict[str, Any]]]:
            told = self.reader.get_metrics_data()
            measured = [each for one in told.resource_metrics for scope in one.scope_metrics for each in scope.metrics]
            return {each.name: [dict(point.attributes) for point in each.data.data_points] for each in measured}

    heard = Heard()
    heard.tracing.add_span_processor(SimpleSpanProcessor(heard.exporter))
    meters = MeterProvider([heard.reader])
    monkeypatch.setattr(trace, "get_tracer", heard.tracing.get_tracer)
    monkeypatch.setattr(metrics, "get_meter", meters.get_meter)
    yield heard
    meters.shutdown()


def test_a_decision_is_a_child_of_the_tools_span(heard: Any) -> None:
    guard = opened(enabled=True)
    with (
        heard.tracing.get_tracer("host").start_as_current_span("execute_tool bash") as parent,
        guard.session(agent="builder") as session,
    ):
        decision = guard.check("bash", {"command": "no"})
    span, _ = heard.exporter.get_finished_spans()
    assert span.name == "supervisor.decide"
    assert span.parent.span_id == parent.get_span_context().span_id
    told = dict(span.attributes)
    assert told.pop("supervisor.by") == ("judges",)
    assert told == {
        "gen_ai.tool.name": "bash",
        "gen_ai.conversation.id": session.id,
        "gen_ai.agent.name": "builder",
        "supervisor.decision.id": decision.id,
        "supervisor.verdict": "nudge",
        "supervisor.kind": "shell",
        "supervisor.review": False,
    }
    assert abs((span.end_time - span.start_time) / 1e6 - decision.elapsed_ms) < 0.01


def test_arguments_are_told_only_where_they_are_asked_for(heard: Any) -> None:
    opened(enabled=True, arguments=True).check("bash", {"command": "git status"})
    (span,) = heard.exporter.get_finished_spans()
    assert span.attributes["gen_ai.tool.call.arguments"] == '{"command":"git status"}'


def test_measurements_have_few_attributes(heard: Any) -> None:
    guard = opened(enabled=True)
    for command in ("yes", "no", "cannot"):
        guard.check("bash", {"command": command})
    points = heard.points()
    assert {each["supervisor.verdict"] for each in points["supervisor.decision.duration"]} == {"ok", "nudge"}
    assert points["supervisor.findings"] == [{"supervisor.specialist": "judges", "supervisor.verdict": "nudge"}]
    assert points["supervisor.refusals"] == [{"supervisor.specialist": "judges", "supervisor.cause": "input"}]


def test_a_broken_exporter_is_no_trouble_of_the_action(heard: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    guard = opened(enabled=True)
    monkeypatch.setattr(guard.supervisor._telemetry, "_tracer", None)
    assert guard.check("bash", {"command": "yes"}).allowed


def test_nothing_is_imported_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    assert opened().check("bash", {"command": "yes"}).allowed
    with pytest.raises(BadPolicy, match=r"supervisor-guard\[otel\]"):
        opened(enabled=True)
