"""Samples for people: the share that was asked for, and only of what a model has answered for."""

from __future__ import annotations

import random
from typing import Any

import pytest

from supervisor.decision.sampling import is_sampled, with_sample
from supervisor.decision.settle import Settled

ASKED: dict[str, list[dict[str, Any]]] = {"judge": [{"door": "ask", "request": {}, "answer": {"yes": False}}]}
FAILED: dict[str, list[dict[str, Any]]] = {"judge": [{"door": "ask", "request": {}, "error": {"code": "door"}}]}
QUERIED: dict[str, list[dict[str, Any]]] = {"reader": [{"door": "query", "request": {}, "answer": []}]}
DICE = random.Random(1)
NAMES = [f"{DICE.getrandbits(128):032x}" for _ in range(4_000)]


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 1.0])
def test_a_sample_has_its_share(share: float) -> None:
    found = sum(is_sampled(name, share) for name in NAMES) / len(NAMES)
    assert found == pytest.approx(share, abs=0.02)
    assert share not in (0.0, 1.0) or found == share


def test_what_is_in_a_small_sample_is_in_a_larger_one() -> None:
    assert all(is_sampled(name, 0.2) for name in NAMES if is_sampled(name, 0.1))


@pytest.mark.parametrize(
    ("answers", "share", "is_reviewed"),
    [(ASKED, 1.0, True), (ASKED, 0.0, False), (FAILED, 1.0, False), (QUERIED, 1.0, False), ({}, 1.0, False)],
)
def test_only_what_a_model_answered_for_is_sampled(answers: Any, share: float, is_reviewed: bool) -> None:
    from supervisor.verdict import Verdict

    settled = with_sample(Settled(Verdict.OK), answers, NAMES[0], share)
    assert (settled.review, settled.verdict) == (is_reviewed, Verdict.OK)
