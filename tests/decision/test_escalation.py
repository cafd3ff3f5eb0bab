"""What a repeated nudge becomes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.decision.escalation import escalate
from supervisor.decision.union import Voice, union
from supervisor.memory import NEARNESS, near
from supervisor.verdict import Finding, Verdict

PLAIN = Voice("a", Finding(Verdict.NUDGE, 1.0, "seen", "do this", "no, really: do this"))
features = st.frozensets(st.integers(0, 12).map(str), max_size=8)


@pytest.mark.parametrize(
    ("times", "verdict", "correction"),
    [
        (0, Verdict.NUDGE, "do this"),
        (1, Verdict.NUDGE, "no, really: do this"),
        (2, Verdict.BLOCK, ""),
        (9, Verdict.BLOCK, ""),
    ],
)
def test_a_nudge_a_sharper_nudge_then_a_block(times: int, verdict: Verdict, correction: str) -> None:
    escalated = escalate(union([PLAIN]), {"a": times}, patience=2)
    assert (escalated.verdict, escalated.correction, escalated.by) == (verdict, correction, ("a",))


def test_a_specialist_without_a_sharper_correction_gets_a_warning_before_its_own() -> None:
    voice = Voice("a", Finding(Verdict.NUDGE, 1.0, "seen", "do this"))
    correction = escalate(union([voice]), {"a": 1}, patience=2).correction
    assert "will be blocked" in correction
    assert correction.endswith("do this")


def test_the_ignored_specialist_blocks_and_the_other_is_not_named() -> None:
    other = Voice("b", Finding(Verdict.NUDGE, 1.0, "seen", "do that"))
    assert escalate(union([PLAIN, other]), {"b": 2}, patience=2).by == ("b",)


def test_every_correction_is_sent_once() -> None:
    again = Voice("b", Finding(Verdict.NUDGE, 1.0, "seen", "do this"))
    assert escalate(union([PLAIN, again]), {}, patience=2).correction == "do this"


def test_a_block_that_is_capped_to_a_nudge_still_says_what_to_do() -> None:
    capped = Voice("a", Finding(Verdict.BLOCK, 1.0, "It deletes the archive."), ceiling=Verdict.NUDGE)
    assert "It deletes the archive." in escalate(union([capped]), {}, patience=2).correction


@pytest.mark.parametrize("verdict", [Verdict.OK, Verdict.FLAG, Verdict.BLOCK])
def test_only_nudges_escalate(verdict: Verdict) -> None:
    voice = Voice("a", Finding(verdict, 1.0, "seen"))
    assert escalate(union([voice]), {"a": 99}, patience=2).verdict is verdict


@given(features, features)
def test_nearness_is_symmetric_and_holds_for_equals(one: frozenset[str], other: frozenset[str]) -> None:
    assert near(one, one)
    assert near(one, other) == near(other, one)


@given(features, features)
def test_nearness_is_the_jaccard_index(one: frozenset[str], other: frozenset[str]) -> None:
    both = len(one | other)
    index = len(one & other) / both if both else 1.0
    assert near(one, other) == (index >= NEARNESS)
