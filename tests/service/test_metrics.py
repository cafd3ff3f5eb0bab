"""The daemon's metrics, in the text format of Prometheus: lost votes by specialist and cause, and exact values."""

from __future__ import annotations

import math

import pytest
from prometheus_client.parser import text_string_to_metric_families

from supervisor.action import Action
from supervisor.decision.decision import Decision
from supervisor.service.metrics import Metrics
from supervisor.verdict import Cause, Refusal, Verdict


def test_lost_votes_are_counted_by_specialist_and_cause_alone():
    """Reasons may contain anything that an action or a database says, so they are no labels."""
    metrics = Metrics()
    for number in range(40):
        opinions = (
            ("knows_refunds", Refusal(f'no such table: "refunds {number}"\n', Cause.INFRASTRUCTURE)),
            ("reads_code", Refusal(f"nested {number}", Cause.INPUT)),
            ("not_concerned", Refusal("no refund", Cause.DOMAIN)),
        )
        metrics.decided(Decision("x", Verdict.OK, Action("t", {}), (), "", False, opinions))
    counted = [line for line in metrics.text({}).decode().splitlines() if line.startswith("supervisor_refusals_total")]
    assert counted == [
        'supervisor_refusals_total{cause="infrastructure",specialist="knows_refunds"} 40',
        'supervisor_refusals_total{cause="input",specialist="reads_code"} 40',
    ]


@pytest.mark.parametrize("value", [0, 3, 282, 1_795_430_412, 1795430412.75, 1e-9, math.inf, True])
def test_a_value_is_exact(value: float) -> None:
    """A start as seconds since 1970 has ten digits before the point."""
    text = Metrics().text({"start_time_seconds": ("When.", value)}).decode()
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert families["supervisor_start_time_seconds"].samples[0].value == value


def test_every_family_has_a_type_and_a_meaning() -> None:
    families = list(text_string_to_metric_families(Metrics().text({"sessions": ("Sessions.", 1)}).decode()))
    assert len(families) == 8
    assert [family.name for family in families if family.type == "unknown" or not family.documentation] == []
