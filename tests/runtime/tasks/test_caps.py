"""When a cap is reached, and what that sentence says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.errors import BadPolicy
from supervisor.policy import Cap, Price, SpendingPolicy, policy_from
from supervisor.runtime.tasks.caps import Reached, Sum, day_of, next_day, reached, told
from supervisor.runtime.tasks.outcome import Ending


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 3))
def test_a_cap_is_reached_when_it_is_spent(spent: int, cap: int, grants: int) -> None:
    wanted = spent >= cap * (grants + 1)
    assert bool(reached(Cap(tokens=cap), Sum(tokens=spent), "it", grants)) is wanted
    assert bool(reached(Cap(dollars=cap), Sum(dollars=spent), "it", grants)) is wanted
    assert reached(Cap(), Sum(spent, spent), "it") == ""


def test_a_cap_in_dollars_holds_nothing_without_a_price() -> None:
    why = reached(Cap(dollars=100), Sum(10, 0.0, ("new-model",)), "it")
    assert why == "it has a cap in dollars, and nobody has told the price of new-model: set spending.prices"
    assert reached(Cap(tokens=100), Sum(10, 0.0, ("new-model",)), "it") == ""


def test_a_cap_of_a_day_ends_with_it_and_another_asks_a_person() -> None:
    now = datetime(2026, 11, 27, 23, 59, 0, tzinfo=UTC).timestamp()
    assert day_of(now) == "2026-11-27"
    assert day_of(next_day(now)) == "2026-11-28"
    limited = Reached("enough for today", next_day(now)).outcome(now)
    assert (limited.ending, limited.wait) == (Ending.LIMITED, 61.0)
    parked = Reached("enough", raises="task").outcome(now)
    assert (parked.ending, parked.reason) == (Ending.PARKED, "enough. May it spend as much again?")
    assert parked.question is not None
    assert (parked.question.choices, parked.question.raises) == (("retry", "give-up"), "task")


@pytest.mark.parametrize(
    ("spent", "words"),
    [
        (Sum(1234, 5.0), "$5.00, 1,234 tokens"),
        (Sum(1234, 0.00123), "$0.0012, 1,234 tokens"),
        (Sum(10, 0.0, ("a", "b")), "10 tokens, no price of a, b"),
        (Sum(10, 0.5, ("a",)), "$0.5000, 10 tokens, no price of a"),
    ],
)
def test_a_sum_says_what_is_not_known(spent: Sum, words: str) -> None:
    assert told(spent) == words


def test_the_price_of_the_longest_beginning_holds() -> None:
    prices = {"big": Price(1, 1), "big-*": Price(2, 2), "big-mini*": Price(3, 3)}
    policy = SpendingPolicy(prices=prices)
    found = {name: policy.price_of(name) for name in ("big", "big-2026", "big-mini-2026", "bigger", "small")}
    assert found == {
        "big": prices["big"],
        "big-2026": prices["big-*"],
        "big-mini-2026": prices["big-mini*"],
        "bigger": None,
        "small": None,
    }


def test_what_is_left_out_of_a_price_costs_as_much_as_reading() -> None:
    assert Price(2.0, 10.0).of(1_000_000, 400_000, 100_000, 100_000) == pytest.approx(3.0)
    assert Price(2.0, 10.0, cached=0.5, stored=4.0).of(1_000_000, 400_000, 100_000, 0) == pytest.approx(1.6)


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ({"day": {"dollars": -1}}, "spending.day.dollars: -1 is not 0 or more"),
        ({"providers": {"openai": {"tokens": -1}}}, "spending.providers.openai.tokens: -1 is not 0 or more"),
        ({"prices": {"m": {"input": 1, "output": float("inf")}}}, "spending.prices.m.output: inf is not 0 or more"),
        ({"prices": {"m": {"input": 1}}}, "spending.prices.m.output: is missing"),
        ({"week": {}}, "spending.week: "),
    ],
)
def test_what_is_wrong_in_the_policy_is_told(section: object, problem: str) -> None:
    with pytest.raises(BadPolicy) as told:
        policy_from({"spending": section}, place="policy")
    assert problem in str(told.value)


def test_what_may_be_spent_is_no_part_of_a_decision() -> None:
    policy = policy_from({"spending": {"day": {"dollars": 1}}}, place="policy")
    assert policy.spending.day == Cap(dollars=1)
    assert policy.digest() == policy_from({}, place="policy").digest()
