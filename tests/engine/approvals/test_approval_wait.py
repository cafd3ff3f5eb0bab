"""Where the policy has a person asked: nothing runs before the answer, and an answer is good for one thing, once."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import Blocked
from supervisor.decision.approval import Binding
from supervisor.policy import ApprovalPolicy
from supervisor.policy.sections import Askable
from supervisor.records.questions import NotAsked
from supervisor.verdict import Verdict
from tests.engine.approvals.asking import ASK, Opened, answer, decide, state


@pytest.mark.parametrize("command", ["odd", "draft", "wipe"])
def test_nothing_runs_before_somebody_approves_it_and_then_it_runs_once(opened: Opened, command: str) -> None:
    supervisor = opened()
    first = decide(supervisor, command)
    assert (first.verdict, first.allowed, first.is_asked) == (Verdict.BLOCK, False, True)
    assert decide(supervisor, command).is_asked
    (question,) = supervisor.queue.waiting()
    assert question.decision["action"]["args"] == {"command": command}
    answer(supervisor, first, note="mine")
    assert supervisor.queue.waiting() == []
    second = decide(supervisor, command)
    assert (second.verdict, second.allowed, state(second)) == (Verdict.FLAG, True, "approved")
    assert second.approval
    assert (second.approval.by, second.approval.note, bool(second.approval.answer)) == ("ann", "mine", True)
    assert state(decide(supervisor, command)) == "asked"


def test_what_was_said_is_told_beside_what_becomes_of_it(opened: Opened) -> None:
    told = decide(opened(), "draft").to_json()
    assert (told["verdict"], told["approval"]["state"], told["approval"]["judged"]) == ("block", "asked", "nudge")
    assert told["correction"] == "finish it"
    assert '"asked:nudges_draft"' in decide(opened(), "draft").message()
    assert "approval" not in decide(opened(), "ls").to_json()
    assert "approval" not in decide(opened(ApprovalPolicy()), "wipe").to_json()


def test_a_denial_holds_and_its_agent_hears_why(opened: Opened) -> None:
    supervisor = opened()
    answer(supervisor, decide(supervisor), "denied", note="use a branch")
    for _ in range(2):
        decision = decide(supervisor)
        assert (decision.verdict, state(decision)) == (Verdict.BLOCK, "denied")
        assert '"code":"denied:stops_wipe"' in decision.message()
        assert "use a branch" in decision.message()


OTHERWISE = [
    ("action", {"command": "wipe "}, {}),
    ("agent", {"agent": "other"}, {}),
    ("no agent", {"agent": None}, {}),
    ("session", {"session": "s2"}, {}),
    ("place", {"facts": {"cwd": "/"}}, {}),
    ("policy", {}, {"patience": 3}),
    ("approval policy", {}, {"approval": replace(ASK, valid_for=901)}),
    ("objections", {"facts": {"cwd": "/w", "careful": True}}, {}),
]


@pytest.mark.parametrize(("known", "changed"), [each[1:] for each in OTHERWISE], ids=[each[0] for each in OTHERWISE])
def test_an_approval_of_one_thing_is_none_of_another(
    opened: Opened, known: dict[str, Any], changed: dict[str, Any]
) -> None:
    everybody = replace(ASK, ask=(Askable(specialists=("stops_wipe", "stops_all")),))
    changed = {"approval": everybody} | changed
    supervisor, other = opened(everybody), opened(**changed)
    answer(supervisor, decide(supervisor))
    assert not decide(other, **known).allowed
    if "objections" not in known and "careful" not in known.get("facts", {}):
        assert decide(supervisor).allowed  # the approval is still there for what it was given for


NAMES = st.none() | st.text(max_size=3)
BINDINGS = st.builds(Binding, NAMES, NAMES, NAMES, st.text(max_size=3), st.text(max_size=3))


@given(BINDINGS, BINDINGS)
def test_two_questions_have_one_name_only_where_they_are_the_same(one: Binding, other: Binding) -> None:
    assert (one.name() == other.name()) == (asdict(one) == asdict(other))


def test_an_approval_expires_and_so_does_a_question(opened: Opened) -> None:
    supervisor = opened()
    asked = decide(supervisor).approval
    assert asked
    late = asked.expires + timedelta(seconds=1)
    assert supervisor.queue.waiting(late) == []
    with pytest.raises(NotAsked):
        supervisor.queue.answer(asked.name, "approved", "ann", "terminal", now=late)
    long_ago = datetime.now(UTC) - timedelta(seconds=asked.valid_for + 1)
    supervisor.queue.answer(asked.name, "approved", "ann", "terminal", now=long_ago)
    assert state(decide(supervisor)) == "asked"
    answer(supervisor, decide(supervisor))  # what held no more stands in nobody's way
    assert decide(supervisor).allowed


@pytest.mark.parametrize(("otherwise", "command", "verdict"), [
    ("block", "odd", Verdict.BLOCK),
    ("judged", "odd", Verdict.FLAG),
    ("judged", "draft", Verdict.NUDGE),
    ("judged", "wipe", Verdict.BLOCK),
    ("flag", "wipe", Verdict.FLAG),
])  # fmt: skip
def test_what_becomes_of_it_where_nobody_answers_in_time(
    opened: Opened, otherwise: Any, command: str, verdict: Verdict
) -> None:
    supervisor = opened(replace(ASK, wait=0.01, otherwise=otherwise))
    guard = Guard(supervisor)
    decision = guard.check("bash", {"command": command})
    assert (decision.verdict, decision.allowed) == (verdict, not verdict.stops)
    assert state(decision) == ("asked" if otherwise == "block" else "unanswered")
    assert len(supervisor.queue.waiting()) == (otherwise == "block")
    assert decision.review == (decision.allowed or command == "odd")


@pytest.mark.parametrize("word", ["approved", "denied"])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_guarded_tool_waits_for_its_answer(opened: Opened, word: str, is_async: bool) -> None:
    supervisor, ran = opened(replace(ASK, wait=60)), []

    def answering() -> None:
        while not (waiting := supervisor.queue.waiting()):
            time.sleep(0.01)
        supervisor.queue.answer(waiting[0].approval.name, word, "ann", "terminal")

    guard = Guard(supervisor)

    @guard(name="bash")
    def run(command: str) -> None:
        ran.append(command)

    @guard(name="bash")
    async def arun(command: str) -> None:
        ran.append(command)

    person = threading.Thread(target=answering)
    person.start()
    denied = pytest.raises(Blocked, match="denied") if word == "denied" else contextlib.nullcontext()
    with guard.session(agent="bot"), denied:
        anyio.run(arun, "wipe") if is_async else run("wipe")
    person.join()
    assert ran == (["wipe"] if word == "approved" else [])
