"""The daemon's metrics: lost votes by specialist and cause, in the text format of Prometheus."""

from __future__ import annotations

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
