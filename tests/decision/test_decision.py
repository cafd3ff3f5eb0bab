"""What an agent that was stopped is told."""

from __future__ import annotations

import json
from typing import Any

from supervisor.action import Action
from supervisor.decision.decision import Decision
from supervisor.verdict import Finding, Verdict


def told(verdict: Verdict, said: Finding | None = None, **more: Any) -> dict[str, Any]:
    opinions = (("judge", said),) if said else ()
    by = ("judge",) if said else ()
    correction = said.correction if said else ""
    action = Action("bash", {"command": "ls"}, "shell")
    return dict(json.loads(Decision("1", verdict, action, by, correction, False, opinions, **more).message()))


def test_a_blocked_action_is_not_to_be_proposed_again() -> None:
    message = told(Verdict.BLOCK, Finding(Verdict.BLOCK, reason="It deletes."))
    assert (message["code"], message["reason"]) == ("block:judge", "It deletes.")
    assert message["next"].startswith("Do not propose this again")


def test_a_nudged_action_gets_its_correction() -> None:
    message = told(Verdict.NUDGE, Finding(Verdict.NUDGE, reason="It deletes.", correction="Move it."))
    assert message["correction"] == "Move it."
    assert "next" not in message


def test_an_action_that_could_not_be_recorded_is_not_at_fault() -> None:
    message = told(Verdict.BLOCK, record_error="/var/records: No space left on device")
    assert message["code"] == "block:not_recorded"
    assert "No space left on device" in message["reason"]
    assert "not at fault" in message["next"]
    assert "Do not propose this again" not in message["next"]


def test_a_blocked_action_stays_blocked_where_it_could_not_be_recorded_either() -> None:
    message = told(Verdict.BLOCK, Finding(Verdict.BLOCK, reason="It deletes."), record_error="full")
    assert message["code"] == "block:judge"
    assert message["next"].startswith("Do not propose this again")
