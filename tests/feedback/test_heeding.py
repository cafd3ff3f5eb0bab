"""What came of a refusal."""

from __future__ import annotations

import pytest

from supervisor.feedback.heeding import LOOK_AHEAD, Proposal, heeding, heedings


def proposal(features: str, verdict: str = "ok", kind: str = "shell") -> Proposal:
    found = frozenset({f"kind:{kind}", *features.split()})
    return Proposal(kind, found, verdict, frozenset({"judge"} if verdict != "ok" else ()))


PUSH = proposal("push force main", "nudge")


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ([], "unknown"),
        ([PUSH], "repeated"),
        ([proposal("push force main also", "block")], "repeated"),
        ([proposal("push main")], "heeded"),
        ([proposal("list"), proposal("push lease main")], "heeded"),
        ([proposal("list"), PUSH, proposal("push main")], "repeated"),
        ([proposal("push main"), PUSH], "heeded"),
        ([proposal("list")], "given up"),
        ([proposal("push force main", kind="sql")], "given up"),
        ([proposal("list")] * LOOK_AHEAD + [PUSH], "given up"),
        ([proposal("list")] * (LOOK_AHEAD - 1) + [PUSH], "repeated"),
    ],
)
def test_the_first_that_concerns_the_same_decides(later: list[Proposal], expected: str) -> None:
    assert heeding(PUSH, later) == expected


def test_what_ran_is_not_heeded_or_ignored() -> None:
    assert heeding(proposal("push", "flag"), [PUSH]) == "unknown"


def test_an_objection_of_another_specialist_is_no_repetition() -> None:
    other = Proposal("shell", PUSH.features, "block", frozenset({"another"}))
    assert heeding(PUSH, [other]) == "heeded"


def test_each_of_a_session() -> None:
    assert heedings([PUSH, PUSH, proposal("push main")]) == ["repeated", "heeded", "unknown"]
