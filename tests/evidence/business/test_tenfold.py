"""An amount with one digit too many."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.business.tenfold import tenfold


def slip(args: dict[str, Any], task: str, *outputs: Any) -> tuple[float, float] | None:
    history = tuple(Step("read", {}, output) for output in outputs)
    return tenfold(Action("create_note", args), Context(task=task, history=history))


@pytest.mark.parametrize("shown", ["9.140,00 EUR", "9,140.00", "9 140", "9'140", "9\u00a0140,00"])
def test_a_digit_too_many_is_found_however_the_amount_is_written(shown: str) -> None:
    assert slip({"fields": {"Amount": 91400}}, "Enter the contract", shown) == (91400, 9140)


def test_an_amount_as_text_is_read_and_one_without_end_is_none() -> None:
    assert slip({"amount": "91400"}, "9.140,00 EUR") == (91400, 9140)
    assert slip({"amount": 10**400, "total": float("inf")}, "9.140,00 EUR") is None


@pytest.mark.parametrize(
    ("amount", "task"),
    [(9140, "9,140 EUR"), (914000, "9,140 EUR"), (460, "10 chairs at 46"), (320, "about 7 EUR"), (90, "9 EUR")],
)
def test_an_amount_that_is_shown_or_computed_is_no_slip(amount: int, task: str) -> None:
    assert slip({"amount": amount}, task) is None
