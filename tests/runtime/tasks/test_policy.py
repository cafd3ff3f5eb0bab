"""Remedies and waiting times are what the policy says."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.errors import BadInput
from supervisor.runtime.tasks.policy import Backoff, FailurePolicy, Remedy, remedies_of

backoffs = st.builds(
    Backoff,
    first=st.floats(0, 1e6),
    factor=st.floats(1, 100),
    longest=st.floats(0, 1e6),
    jitter=st.floats(0, 1),
)
policies = st.builds(
    FailurePolicy, st.lists(st.sampled_from(Remedy), max_size=6).map(tuple), backoffs, losses=st.integers(0, 3)
)


@given(backoffs, st.integers(1, 10_000), st.floats(0, 1))
def test_a_delay_grows_up_to_the_longest_and_jitter_only_shortens_it(
    backoff: Backoff, failures: int, chance: float
) -> None:
    whole = backoff.delay(failures, 0.0)
    assert 0 <= backoff.delay(failures, chance) <= whole <= backoff.longest
    assert backoff.delay(failures, chance) >= whole * (1 - backoff.jitter) - 1e-6
    assert whole <= backoff.delay(failures + 1, 0.0)


def test_a_delay_doubles() -> None:
    assert [Backoff(5, 2, 60, 0.5).delay(failures, 0) for failures in range(1, 6)] == [5, 10, 20, 40, 60]


@pytest.mark.parametrize(
    "wrong", [{"first": -1.0}, {"factor": 0.5}, {"longest": -1.0}, {"jitter": 1.5}, {"first": math.nan}]
)
def test_a_senseless_backoff_is_told(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        Backoff(**wrong)


def test_remedies_are_read() -> None:
    assert remedies_of("retry*2 failover,escalate") == (
        Remedy.RETRY,
        Remedy.RETRY,
        Remedy.FAILOVER,
        Remedy.ESCALATE,
    )
    assert remedies_of("") == ()


@pytest.mark.parametrize("text", ["rety", "retry*", "retry*1000", "retry * 2", "retry*99 failover*99", "RETRY"])
def test_a_remedy_that_does_not_exist_is_told(text: str) -> None:
    with pytest.raises(BadInput):
        remedies_of(text)


@given(policies)
def test_a_policy_is_read_as_it_was_stored(policy: FailurePolicy) -> None:
    assert FailurePolicy.from_json(json.loads(json.dumps(policy.to_json()))) == policy
