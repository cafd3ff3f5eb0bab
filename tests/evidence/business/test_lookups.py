"""What a session has looked up, by the names that its tools have."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.business import business, operation
from supervisor.evidence.business.lookups import asked_for, was_looked_up


@pytest.mark.parametrize(
    ("step", "found"),
    [
        (Step("claims.get", {"id": "CLM-7741"}, {"amount": 80}), True),
        (Step("GET /v2/claims/CLM-7741", {}, {"amount": 80}), True),
        (Step("claims.get", {"id": "CLM-7741"}, "Claim not found"), False),
        (Step("claims.get", {"id": "CLM-7741"}, "[]"), False),
        (Step("claims.get", {"id": "CLM-7741"}, {"amount": 80}, failed=True), False),
        (Step("close_claim", {"id": "CLM-7741"}, "done"), False),
    ],
)
def test_an_id_is_known_once_a_reading_tool_has_answered_for_it(step: Step, found: bool) -> None:
    assert was_looked_up(Context(history=(step,)), "CLM-7741") is found


def test_a_record_has_the_id_that_it_was_looked_up_by() -> None:
    step = Step("shop.charge", {"id": "ch_8Tz41"}, {"amount": 9900, "status": "paid"})
    record = business(Action("refund", {}), Context(history=(step,))).find("charge", "ch_8Tz41")
    assert record is not None
    assert record.values["amount"] == 9900


def test_a_list_that_was_searched_for_an_id_is_not_its_record() -> None:
    assert asked_for(Step("GET /v1/refunds?charge=ch_8Tz41", {}, {"data": []})) == ""
    assert asked_for(Step("search", {"q": "ch_8Tz41"}, {"count": 0})) == ""


@pytest.mark.parametrize("tool", ["payments.refunds.create", "POST /v1/refunds", "POST https://pay.example/v1/refunds"])
def test_a_tool_that_creates_a_refund_refunds(tool: str) -> None:
    done = operation(Action(tool, {"charge": "ch_8Tz41"}), Context())
    assert done.act == "refund"
    assert [each.id for each in done.named] == ["ch_8Tz41"]
