"""Where the policy has a person asked: nothing runs before the answer, and an answer is good for one thing, once."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.approvals import Approvals, asked_over
from supervisor.decision.approval import Approval, Binding
from supervisor.decision.decision import Decision
from supervisor.engine import Supervisor
from supervisor.errors import BadInput, BadPolicy
from supervisor.guarding import Guard
from supervisor.isolation.lanes import Hearing
from supervisor.policy import ApprovalPolicy, Policy, Records, Workers, policy_from
from supervisor.records.questions import NotAsked
from supervisor.records.queue import MOST, Queue
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from supervisor.refusing import Blocked
from supervisor.replay import _differences
from supervisor.sections import Askable, Budgets
from supervisor.session import Session
from supervisor.specialist import Opinion, block, flag, nudge, ok, specialist
from supervisor.verdict import Verdict
from tests.catalogs import catalog_of

ASK = ApprovalPolicy(ask=(Askable(("flag", "nudge", "block"), ("flags_odd", "nudges_draft", "stops_wipe")),))


@specialist("shell")
def stops_wipe(action: Action, context: Context) -> Opinion:
    return block("It wipes.") if "wipe" in action.text("command") else ok()


@specialist("shell")
def stops_all(action: Action, context: Context) -> Opinion:
    return block("It is all.") if "all" in action.text("command") or context.facts.get("careful") else ok()


@specialist("shell")
def nudges_draft(action: Action, context: Context) -> Opinion:
    return nudge("It is a draft.", correction="finish it") if "draft" in action.text("command") else ok()


@specialist("shell")
def flags_odd(action: Action, context: Context) -> Opinion:
    return flag("It is odd.") if "odd" in action.text("command") else ok()


CATALOG = catalog_of(flags_odd, nudges_draft, stops_all, stops_wipe)
Opened = Callable[..., Supervisor]


PATIENT = Budgets(pure_ms=60_000)  # who answers too late objects to nothing, and that is not what is asked here


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Engines over one folder of records, as several processes would have them."""
    engines: list[Supervisor] = []

    def opening(approval: ApprovalPolicy = ASK, **changed: Any) -> Supervisor:
        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
        policy = Policy(approval=approval, records=records, **{"isolation": "none", "budgets": PATIENT} | changed)
        engines.append(Supervisor(policy, catalog=CATALOG))
        return engines[-1]

    yield opening
    for engine in engines:
        engine.close()
    if (tmp_path / "records").exists():
        assert verify(tmp_path / "records").problems == []
        anyio.run(_nothing_comes_out_otherwise, tmp_path / "records", engines[0])


async def _nothing_comes_out_otherwise(folder: Path, engine: Supervisor) -> None:
    for record in read_records(folder):
        if record.kind == "decision":
            policy = policy_from(record.content(record.predicate["policy"]), place="the record")
            assert await _differences(record, policy, engine.catalog, engine._lanes) == ()


def decide(supervisor: Supervisor, command: str = "wipe", **known: Any) -> Decision:
    known = {"agent": "bot", "session": "s1", "facts": {"cwd": "/w"}} | known
    return supervisor.decide_from_thread(supervisor.action("bash", {"command": command}), Context(**known))


def state(decision: Decision) -> str | None:
    return decision.approval.state if decision.approval else None


def answer(supervisor: Supervisor, decision: Decision, word: str = "approved", **about: Any) -> None:
    assert decision.approval is not None
    supervisor.queue.answer(decision.approval.name, word, "ann", **about)


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
        supervisor.queue.answer(asked.name, "approved", "ann", now=late)
    long_ago = datetime.now(UTC) - timedelta(seconds=asked.valid_for + 1)
    supervisor.queue.answer(asked.name, "approved", "ann", now=long_ago)
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
        supervisor.queue.answer(waiting[0].approval.name, word, "ann")

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


def test_many_answer_and_the_first_counts(opened: Opened) -> None:
    supervisor = opened()
    asked = decide(supervisor)
    others = [opened() for _ in range(3)]
    for other in others:
        decide(other, "ls")

    def answering(number: int) -> str:
        try:
            answer(others[number % 3], asked, ("approved", "denied")[number % 2])
        except NotAsked as error:
            return error.code
        return "counts"

    with ThreadPoolExecutor(8) as people:
        said = list(people.map(answering, range(16)))
    assert sorted(said) == ["already_answered"] * 15 + ["counts"]


def test_many_propose_and_one_approval_lets_one_run(opened: Opened) -> None:
    engines = [opened() for _ in range(4)]
    answer(engines[0], decide(engines[0]))
    with ThreadPoolExecutor(8) as agents:
        ran = list(agents.map(lambda number: decide(engines[number % 4]).allowed, range(16)))
    assert sum(ran) == 1


def test_an_answer_that_comes_while_the_same_is_asked_again_is_not_lost(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = opened()
    asked, looked, known = decide(engine), [], Queue.reply

    def replied(queue: Queue, name: str, now: datetime) -> Any:
        found = known(queue, name, now)
        looked.append(name)
        if len(looked) == 2:  # to settle the decision, and now to put its question once more
            answer(engine, asked)
        return found

    monkeypatch.setattr(Queue, "reply", replied)
    assert state(decide(engine)) == "asked"
    assert state(decide(engine)) == "approved"


def test_the_queue_is_rebuilt_from_the_journal(opened: Opened, tmp_path: Path) -> None:
    supervisor = opened()
    used, approved, denied, waiting = (f"wipe {each}" for each in ("used", "approved", "denied", "waiting"))
    for command in (used, approved, denied):
        answer(supervisor, decide(supervisor, command), "denied" if command == denied else "approved")
    decide(supervisor, used)
    decide(supervisor, waiting)
    _forget(tmp_path)
    assert [each.decision["action"]["args"]["command"] for each in supervisor.queue.waiting()] == [waiting]
    _forget(tmp_path)
    states = [state(decide(supervisor, command)) for command in (used, approved, denied, waiting)]
    assert states == ["asked", "approved", "denied", "asked"]


def _forget(tmp_path: Path) -> None:
    for each in (tmp_path / "records" / "approvals").iterdir():
        each.unlink()
    (tmp_path / "records" / "approvals").rmdir()


def test_nothing_counts_that_this_deployments_key_has_not_signed(opened: Opened, tmp_path: Path) -> None:
    supervisor = opened()
    asked = decide(supervisor)
    assert asked.approval
    folder = tmp_path / "records" / "approvals"
    answer(supervisor, decide(supervisor, "wipe else"))
    (another,) = folder.glob("*.answer")
    stranger = Supervisor(
        replace(supervisor.policy, records=Records(str(tmp_path / "other"), str(tmp_path / "other.pem"))),
        catalog=CATALOG,
    )
    theirs = decide(stranger).approval
    assert theirs
    stranger.queue.answer(theirs.name, "approved", "mallory")
    (forged,) = (tmp_path / "other" / "approvals").glob("*.answer")
    stranger.close()
    whole = another.read_bytes()
    for line in (b"", b"{}", whole, whole[:-1], whole.replace(b"a", b"b", 1), forged.read_bytes()):
        (folder / f"{asked.approval.name}.answer").write_bytes(line)
        assert state(decide(supervisor)) == "asked"
    (folder / f"{'0' * 64}.question").write_bytes((folder / f"{asked.approval.name}.question").read_bytes())
    assert [each.approval.name for each in supervisor.queue.waiting()] == [asked.approval.name]


def test_an_agent_cannot_ask_without_end(opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.records.queue.MOST", 3)
    supervisor = opened()
    asked = [decide(supervisor, f"wipe {number}") for number in range(5)]
    assert [each.is_asked for each in asked] == [True] * 3 + [False] * 2
    assert [each.allowed for each in asked] == [False] * 5
    assert "wait already" in (asked[-1].record_error or "")
    assert MOST > 3


@pytest.mark.parametrize(("askable", "kind", "verdict", "said", "over"), [
    ({}, "shell", "block", {"stops_wipe": "block"}, ("stops_wipe",)),
    ({}, "shell", "flag", {"stops_wipe": "flag"}, ()),
    ({"kinds": ["sql"]}, "shell", "block", {"stops_wipe": "block"}, ()),
    ({"families": ["conduct"]}, "shell", "block", {"stops_wipe": "block"}, ("stops_wipe",)),
    ({"families": ["git"]}, "shell", "block", {"stops_wipe": "block"}, ()),
    ({"severities": ["low"]}, "shell", "block", {"stops_wipe": "block"}, ()),
    ({"specialists": ["stops_wipe"]}, "shell", "block", {"stops_wipe": "block", "stops_all": "block"}, ()),
    ({"specialists": ["stops_wipe"]}, "shell", "block", {"stops_wipe": "block", "nudges_draft": "nudge"}, ()),
    ({"specialists": ["stops_wipe"]}, "shell", "block", {"stops_wipe": "block", "flags_odd": "flag"}, ("stops_wipe",)),
    ({"verdicts": ["flag"], "specialists": ["flags_odd"]}, "shell", "flag", {"flags_odd": "flag", "stops_all": "flag"},
     ("flags_odd",)),
])  # fmt: skip
def test_over_whom_a_person_is_asked(
    askable: dict[str, Any], kind: str, verdict: str, said: dict[str, str], over: tuple[str, ...]
) -> None:
    policy = policy_from({"approval": {"ask": [askable]}}, place="the test").approval
    objections = {name: Verdict.named(each) for name, each in said.items()}
    assert asked_over(policy, CATALOG, kind, Verdict.named(verdict), objections) == over
    never = replace(policy, never=tuple(said))
    assert asked_over(never, CATALOG, kind, Verdict.named(verdict), objections) == ()


def test_what_is_critical_has_to_be_named() -> None:
    about = ("wipes", "files", "critical", "shell", Verdict.BLOCK)
    assert not Askable().fits(*about)
    assert not Askable(families=("files",)).fits(*about)
    assert Askable(severities=("critical",)).fits(*about)
    assert Askable(specialists=("wipes",)).fits(*about)


def test_nobody_is_asked_about_what_could_not_be_judged_or_recorded(opened: Opened, tmp_path: Path) -> None:
    supervisor = opened()
    (tmp_path / "records").write_text("no folder")
    decision = decide(supervisor)
    assert (decision.verdict, decision.approval, decision.record) == (Verdict.BLOCK, None, None)
    (tmp_path / "records").unlink()


def test_a_session_is_not_counted_against_while_a_person_is_asked(opened: Opened) -> None:
    supervisor, session = opened(), Session("bot", name="s1")
    action = supervisor.action("bash", {"command": "draft"})
    for _ in range(4):
        assert supervisor.decide_from_thread(action, session=session).approval.judged is Verdict.NUDGE  # type: ignore[union-attr]


@pytest.mark.parametrize("approval", [
    {"ask": [{"verdicts": ["ok"]}]},
    {"ask": [{"verdicts": []}]},
    {"ask": [{"kinds": ["shel"]}]},
    {"ask": [{"specialist": "x"}]},
    {"ask": [{"severities": ["deadly"]}]},
    {"otherwise": "ok"},
    {"otherwise": "flag"},
    {"wait": -1},
    {"wait": 4000, "valid_for": 5000},
    {"wait": 60, "valid_for": 30},
    {"valid_for": 0},
    {"valid_for": 10**9},
    {"where": "here"},
])  # fmt: skip
def test_a_policy_that_cannot_be_meant_is_refused_in_one_line(approval: dict[str, Any]) -> None:
    with pytest.raises(BadPolicy, match="approval") as refused:
        policy_from({"approval": approval}, place="policy.yaml")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("approval", [
    ApprovalPolicy(ask=(Askable(specialists=("stops_wip",)),)),
    ApprovalPolicy(ask=(Askable(families=("shell",)),)),
    ApprovalPolicy(never=("nobody",)),
])  # fmt: skip
def test_names_that_nobody_has_stop_the_start(opened: Opened, approval: ApprovalPolicy) -> None:
    with pytest.raises(BadPolicy, match="approval"):
        opened(approval)


def test_without_records_nobody_can_be_asked() -> None:
    with pytest.raises(BadPolicy, match="records"):
        Supervisor(Policy(approval=ASK, records=Records(path=None)), catalog=CATALOG)


def test_without_rules_nothing_is_looked_at(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []
    monkeypatch.setattr(Approvals, "settled", lambda *told: looked.append(told))
    assert decide(opened(ApprovalPolicy()), "wipe").verdict is Verdict.BLOCK
    assert decide(opened(), "ls").verdict is Verdict.OK
    assert looked == []


def test_answers_are_checked(opened: Opened) -> None:
    supervisor = opened()
    asked = decide(supervisor).approval
    assert asked
    for name, word, by in ((asked.name[:5], "approved", "ann"), ("*", "approved", "ann"), ("../../x", "approved", "a")):
        with pytest.raises(NotAsked):
            supervisor.queue.answer(name, word, by)
    for word, by in (("yes", "ann"), ("approved", ""), ("approved", "a" * 1001)):
        with pytest.raises(BadInput):
            supervisor.queue.answer(asked.name, word, by)
    supervisor.queue.answer(asked.name[:6].upper(), "approved", "ann")


def test_an_approval_reads_back_as_what_it_was(opened: Opened) -> None:
    from supervisor.decision.approval import approval_of
    from supervisor.wire import decision_from_wire, decision_to_wire

    decision = decide(opened())
    assert decision.approval
    assert approval_of(decision.approval.to_json()) == decision.approval
    assert decision_from_wire(decision_to_wire(decision)).approval == decision.approval
    for key, value in (("state", "yes"), ("id", "0" * 64), ("binding", {})):
        with pytest.raises((ValueError, TypeError)):
            approval_of(decision.approval.to_json() | {key: value})
    assert isinstance(decision.approval, Approval)
    assert isinstance(Queue, type)


def test_an_answer_that_another_has_replaced_is_left_to_the_next(opened: Opened) -> None:
    supervisor = opened()
    asked = decide(supervisor).approval
    assert asked
    path = next((supervisor.queue._folder).parent.glob(f"*/{asked.name}.question")).with_suffix(".answer")
    stale = supervisor.queue.answer(asked.name, "approved", "ann")
    path.unlink()
    fresh = supervisor.queue.answer(asked.name, "denied", "ben")
    assert not supervisor.queue.take(stale)
    assert supervisor.queue.reply(asked.name, datetime.now(UTC)) == fresh


@pytest.mark.parametrize(("on_failure", "asked"), [("ok", "asked"), ("flag", "asked"), ("block", None)])
def test_where_some_could_not_be_judged_a_person_overrules_those_who_could_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_failure: Any, asked: str | None
) -> None:
    monkeypatch.setattr(Hearing, "unjudged", "no worker was free")  # as of a deployment's own specialists
    records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
    policy = Policy(approval=ASK, records=records, isolation="none", workers=Workers(on_failure=on_failure))
    with contextlib.closing(Supervisor(policy, catalog=CATALOG)) as supervisor:
        decision = decide(supervisor)
        assert (decision.verdict, state(decision)) == (Verdict.BLOCK, asked)
        assert state(decide(supervisor, "ls")) is None
