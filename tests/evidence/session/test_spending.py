"""Which earlier payments count: a doubtful one does, a failed one does not."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.evidence.session.spending import made_before, paid_before
from supervisor.intake.parsing import action_from, context_from

ARGS = {"payee": "Acme", "amount": 900}


@pytest.mark.parametrize(
    ("output", "counts"),
    [
        (None, True),
        ("done", True),
        ("status: executed\nerror: -", True),
        ({"status": "executed", "errors": "none"}, True),
        ({"status": "executed", "errors": ["rate limit warning"]}, True),
        ({"status": "executed", "error": "n/a"}, True),
        ({"status": "ok", "result": {"id": 7, "error": "none"}}, True),
        ({"id": 7, "error": None}, True),
        ("Declined: insufficient funds", False),
        ({"status": "declined"}, False),
        ({"status": "failure"}, False),
        ({"status": 402}, False),
        ({"success": False}, False),
        ({"error": "card declined"}, False),
        ("status: failed\nerror: card declined", False),
    ],
)
def test_a_payment_counts_unless_it_failed(output: Any, counts: bool) -> None:
    call = {"tool": "send_payment", "args": ARGS}
    action, context = action_from(call), context_from({"history": [{**call, "output": output}]})
    assert paid_before(action, context, "") == (900 if counts else 0)
    assert made_before(action, context, "Acme", 900) is counts


def test_a_step_that_failed_does_not_count() -> None:
    call = {"tool": "send_payment", "args": ARGS}
    context = context_from({"history": [{**call, "output": "status: executed", "failed": True}]})
    assert paid_before(action_from(call), context, "") == 0
