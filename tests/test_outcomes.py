"""What came of an action: who judges it, what the agent hears of it, what is recorded, and how it is undone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.action import Action, Context, Step
from supervisor.cases import promises, proposal_of
from supervisor.engine import Supervisor
from supervisor.errors import BadInput, RecordFailed
from supervisor.guarding import Guard
from supervisor.policy import Authority, Policy, Records
from supervisor.records.read import Record, read_records
from supervisor.records.verify import verify
from supervisor.refusing import Blocked, Nudged
from supervisor.replay import Replayer
from supervisor.session import Session
from supervisor.specialist import Opinion, block, flag, nudge, ok, specialist
from supervisor.verdict import Verdict
from tests.catalogs import catalog_of

SEEN: list[tuple[Action, Context]] = []


@specialist("*")
def foresees(action: Action, context: Context) -> Opinion:
    assert context.stage == "before"
    return block("It is forbidden.") if "forbidden" in str(action.args) else ok()


@specialist("shell", "payment", "tool")
def hindsight(action: Action, context: Context) -> Opinion:
    SEEN.append((action, context))
    said = str(context.outcome.output)
    if "odd" in said:
        return flag("It is odd.")
    if "spilt" in said:
        return nudge("It has spilt.", correction="Wipe it up.", sharper="Wipe it up now.")
    return block("It is ruined.") if "ruined" in said else ok()


CATALOG = catalog_of(foresees, after=[hindsight])


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Supervisor]]:
    SEEN.clear()
    engines = []

    def open_one(authority: Authority | None = None) -> Supervisor:
        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
        policy = Policy(records=records, authority=authority or Authority(), isolation="none")
        engines.append(Supervisor(policy, catalog=CATALOG))
        return engines[-1]

    yield open_one
    for each in engines:
        each.close()


def records_of(tmp_path: Path, kind: str) -> list[Record]:
    return [record for record in read_records(tmp_path / "records") if record.kind == kind]


def shell(supervisor: Supervisor, command: str) -> Action:
    return supervisor.action("bash", {"command": command})


class TestJudging:
    def test_it_is_asked_once_the_action_ran_and_sees_what_came_of_it(self, opened: Any, tmp_path: Path) -> None:
        supervisor, session = opened(), Session("scribe", "make tea")
        supervisor.observe(session, shell(supervisor, "kettle"), "hot")
        assert supervisor.decide_from_thread(shell(supervisor, "tea"), None, session).asked == ("foresees",)
        decision = supervisor.observe(session, shell(supervisor, "tea"), "odd tea", failed=True)
        assert (decision.verdict, decision.by, decision.review, decision.stage) == (
            Verdict.FLAG,
            ("hindsight",),
            True,
            "after",
        )
        _, (action, context) = SEEN
        assert action.args == {"command": "tea"}
        assert [step.output for step in context.history] == ["hot"], "what it judges is no part of the past"
        assert context.outcome == Step("bash", {"command": "tea"}, "odd tea", "shell", failed=True)
        assert (context.task, context.agent, context.session) == ("make tea", "scribe", session.id)
        assert [step.output for step in session.context().history] == ["hot", "odd tea"]

    def test_kinds_that_nobody_judges_after_cost_no_decision(self, opened: Any, tmp_path: Path) -> None:
        supervisor, session = opened(), Session()
        assert supervisor.observe(session, supervisor.action("sql", {"query": "SELECT 1"}), "ruined") is None
        assert len(session.context().history) == 1
        assert supervisor.observe(None, supervisor.action("sql", {"query": "SELECT 1"}), "ruined") is None
        supervisor.remember(session, shell(supervisor, "tea"))
        assert not SEEN
        assert not (tmp_path / "records").exists()

    def test_an_outcome_without_the_marks_that_they_need_concerns_nobody(self, tmp_path: Path) -> None:
        @specialist("shell", marks=["create mode", "deleted"])
        def reads_marks(action: Action, context: Context) -> Opinion:
            return flag(f"It says {context.outcome.output}.")

        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
        supervisor = Supervisor(Policy(records=records, isolation="none"), catalog=catalog_of(after=[reads_marks]))
        session, action = Session(), supervisor.action("bash", {"command": "tea"})
        assert supervisor.observe(session, action, "nothing of it") is None
        assert not (tmp_path / "records").exists()
        for output in ("it was deleted", {"lines": ["a", "create mode 100644 .env"]}):
            assert supervisor.observe(session, action, output).verdict is Verdict.FLAG
        supervisor.close()

    def test_no_session_is_needed(self, opened: Any) -> None:
        supervisor = opened()
        assert supervisor.observe(None, shell(supervisor, "tea"), "ruined").verdict is Verdict.BLOCK
        assert not SEEN[0][1].history

    def test_a_specialist_that_judges_before_has_no_outcome_to_look_at(self) -> None:
        with pytest.raises(TypeError, match="stage: after"):
            _ = Context().outcome

    @pytest.mark.parametrize("level", ["record", "flag", "nudge", "block", "revert"])
    def test_authority_caps_it(self, opened: Any, level: Any) -> None:
        supervisor = opened(Authority(specialists={"hindsight": level}))
        decision = supervisor.observe(Session(), shell(supervisor, "tea"), "ruined")
        assert decision.verdict.label == {"record": "ok", "revert": "block"}.get(level, level)
        assert decision.reverts == (level == "revert")

    def test_a_correction_that_is_ignored_gets_sharper_and_then_blocks(self, opened: Any) -> None:
        supervisor, session = opened(), Session()
        told = [supervisor.observe(session, shell(supervisor, "tea"), "spilt") for _ in range(3)]
        assert [each.correction for each in told] == ["Wipe it up.", "Wipe it up now.", ""]
        assert told[2].verdict is Verdict.BLOCK

    def test_secrets_in_an_output_are_masked_before_anyone_sees_them(self, opened: Any, tmp_path: Path) -> None:
        supervisor, secret = opened(), "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        for session in (Session(), None):
            supervisor.observe(session, shell(supervisor, "cat token"), f"odd {secret}")
        past = [Step("bash", {"command": "cat token"}, secret, "shell")]
        ran = Step("bash", {"command": "cat token"}, f"odd {secret}", "shell")
        supervisor.decide_from_thread(shell(supervisor, "cat token"), Context(history=past, ran=ran))
        supervisor.decide_from_thread(
            shell(supervisor, "cat token"), Context(history=Session().context().history, ran=ran)
        )
        assert len(SEEN) == 4
        assert secret not in str(SEEN)
        written = b"".join(path.read_bytes() for path in (tmp_path / "records").rglob("*") if path.is_file())
        assert secret.encode() not in written

    def test_from_a_coroutine_it_is_the_same(self, opened: Any) -> None:
        supervisor = opened()
        large = "ruined\n" + "a line of output\n" * 20_000
        decision = anyio.run(supervisor.aobserve, Session(), shell(supervisor, "tea"), large)
        assert decision.verdict is Verdict.BLOCK


class TestRecords:
    def test_the_record_says_what_was_seen_and_runs_again(self, opened: Any, tmp_path: Path, replayer: Any) -> None:
        supervisor, session = opened(), Session()
        supervisor.observe(session, shell(supervisor, "kettle"), "hot")
        decision = supervisor.observe(session, shell(supervisor, "tea"), "spilt")
        supervisor.decide_from_thread(shell(supervisor, "wipe"), None, session)
        supervisor.close()
        _, record = records_of(tmp_path, "outcome")
        assert record.address == decision.record
        assert record.predicate["decision"] == {
            "verdict": "nudge",
            "by": ["hindsight"],
            "review": False,
            "correction": "Wipe it up.",
        }
        assert record.content(record.predicate["asked"]) == ["hindsight"]
        assert [step.output for step in record.history(record.predicate["history"])] == ["hot", "spilt"]
        assert [each.differences for each in replayer(tmp_path / "records")] == [(), (), ()]
        assert not verify(tmp_path / "records").problems

    def test_a_replay_shows_what_would_change(self, opened: Any, tmp_path: Path, replayer: Any) -> None:
        supervisor = opened()
        supervisor.observe(Session(), shell(supervisor, "tea"), "ruined")
        supervisor.close()
        (told,) = replayer(tmp_path / "records", lambda: catalog_of(foresees, after=[kinder]))
        assert [(each.what, each.recorded, each.replayed) for each in told.differences if each.what == "verdict"] == [
            ("verdict", "block", "ok")
        ]

    def test_what_cannot_be_recorded_may_not_stand(self, opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        supervisor = opened()

        def fail(*_: object) -> None:
            raise RecordFailed("the disk is full")

        monkeypatch.setattr(supervisor._ledger, "record", fail)
        decision = supervisor.observe(Session(), shell(supervisor, "tea"), "fine")
        assert (decision.verdict, decision.record_error) == (Verdict.BLOCK, "the disk is full")


@specialist("shell")
def kinder(action: Action, context: Context) -> Opinion:
    return ok()


@pytest.fixture
def replayer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    def replay(folder: Path, catalog: Callable[[], Any] = lambda: CATALOG) -> Any:
        monkeypatch.setattr("supervisor.replay.in_force", lambda policy: catalog())

        async def run() -> list[Any]:
            again = Replayer()
            try:
                return [each async for each in again.replay(folder)]
            finally:
                again.close()

        return anyio.run(run)

    return replay


class Till:
    """Takes money, and gives it back."""

    def __init__(self, guard: Guard, revert: Any = None, said: str = "ruined", **options: Any) -> None:
        self.calls: list[Any] = []

        def charge(customer: str, amount: float) -> str:
            self.calls.append(("charge", customer, amount))
            if said == "raise":
                raise ValueError("ruined")
            return said

        async def acharge(customer: str, amount: float) -> str:
            return charge(customer, amount)

        self.charge = guard(kind="payment", revert=revert and self.refund, **options)(charge)
        self.acharge = guard(kind="payment", revert=revert and self.arefund, **options)(acharge)
        self.mode = revert

    def refund(self, customer: str, amount: float, outcome: Any) -> None:
        self.calls.append(("refund", customer, amount, str(outcome)))
        if self.mode == "fails":
            raise ConnectionError("the bank is closed")

    async def arefund(self, customer: str, amount: float, outcome: Any) -> None:
        await asyncio.sleep(0)
        self.refund(customer, amount, outcome)

    def run(self, way: str, *args: Any) -> Any:
        return self.charge(*args) if way == "sync" else asyncio.run(self.acharge(*args))


REVERT = Authority(specialists={"hindsight": "revert"})


@pytest.mark.parametrize("way", ["sync", "async"])
class TestGuarded:
    def test_a_flag_stands(self, opened: Any, way: str) -> None:
        assert Till(Guard(opened()), said="odd").run(way, "ida", 5) == "odd"

    def test_an_objection_is_raised_with_the_result(self, opened: Any, way: str) -> None:
        guard = Guard(opened())
        for said, kind in (("spilt", Nudged), ("ruined", Blocked)):
            with guard.session(), pytest.raises(kind, match='"executed":true') as raised:
                Till(guard, said=said).run(way, "ida", 5)
            assert raised.value.returned == said
            assert raised.value.decision.stage == "after"
        assert "its result is withheld" in str(raised.value)

    def test_an_objection_is_returned_where_that_is_asked_for(self, opened: Any, way: str) -> None:
        told = Till(Guard(opened()), said="spilt", on_refusal="return").run(way, "ida", 5)
        assert "Wipe it up." in told

    def test_what_is_refused_before_is_not_judged_after(self, opened: Any, way: str) -> None:
        till = Till(Guard(opened()))
        with pytest.raises(Blocked, match='"executed":false'):
            till.run(way, "forbidden", 5)
        assert not till.calls
        assert not SEEN

    def test_it_is_undone_where_the_policy_wants_that(self, opened: Any, tmp_path: Path, way: str) -> None:
        till = Till(Guard(opened(REVERT)), revert="works")
        with pytest.raises(Blocked, match='"reverted":true') as raised:
            till.run(way, "ida", 5)
        assert till.calls == [("charge", "ida", 5), ("refund", "ida", 5, "ruined")]
        (record,) = records_of(tmp_path, "revert")
        assert (record.predicate["outcome"], record.predicate["reverted"]) == (raised.value.decision.record, True)
        (outcome,) = records_of(tmp_path, "outcome")
        assert outcome.predicate["decision"]["reverts"] is True

    def test_an_inverse_that_fails_is_recorded_and_said(
        self, opened: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, way: str
    ) -> None:
        till = Till(Guard(opened(REVERT)), revert="fails")
        with pytest.raises(Blocked, match=r'"reverted":false.*the bank is closed') as raised:
            till.run(way, "ida", 5)
        assert isinstance(raised.value.__cause__, ConnectionError)
        assert "what it did stands" in str(raised.value)
        (record,) = records_of(tmp_path, "revert")
        assert (record.predicate["reverted"], record.predicate["error"]) == (
            False,
            "ConnectionError: the bank is closed",
        )
        assert "undoing charge has failed" in caplog.text.replace("acharge", "charge")

    def test_nothing_is_undone_without_authority_or_an_inverse(
        self, opened: Any, caplog: pytest.LogCaptureFixture, way: str
    ) -> None:
        for authority, revert in ((None, "works"), (REVERT, None)):
            till = Till(Guard(opened(authority)), revert=revert)
            with pytest.raises(Blocked) as raised:
                till.run(way, "ida", 5)
            assert len(till.calls) == 1
            assert "reverted" not in str(raised.value)
        assert "has no inverse" in caplog.text

    def test_a_nudge_undoes_nothing(self, opened: Any, way: str) -> None:
        till = Till(Guard(opened(REVERT)), revert="works", said="spilt")
        with pytest.raises(Nudged):
            till.run(way, "ida", 5)
        assert len(till.calls) == 1

    def test_what_the_tool_raises_passes_with_a_note(self, opened: Any, way: str) -> None:
        till = Till(Guard(opened(REVERT)), revert="works", said="raise")
        with pytest.raises(ValueError, match="ruined") as raised:
            till.run(way, "ida", 5)
        (note,) = raised.value.__notes__
        assert '"reverted":true' in note
        assert till.calls[1] == ("refund", "ida", 5, "ruined")


def test_an_undoing_that_cannot_be_recorded_is_said_aloud(
    opened: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = opened(REVERT)

    def fail(*_: object) -> None:
        raise RecordFailed("the disk is full")

    monkeypatch.setattr(supervisor._ledger, "record_revert", fail)
    with caplog.at_level(logging.ERROR), pytest.raises(Blocked, match='"reverted":true') as raised:
        Till(Guard(supervisor), revert="works").charge("ida", 5)
    assert raised.value.decision.record_error == "the disk is full"
    assert "is not recorded" in caplog.text


def test_a_method_is_undone_on_its_own_object(opened: Any) -> None:
    guard = Guard(opened(REVERT))

    class Account:
        def __init__(self) -> None:
            self.balance = 10

        def put_back(self, amount: int, outcome: Any) -> None:
            self.balance += amount

        @guard(kind="payment", revert=put_back)
        def pay(self, amount: int) -> str:
            self.balance -= amount
            return "ruined"

    account = Account()
    with pytest.raises(Blocked):
        account.pay(3)
    assert account.balance == 10


@pytest.mark.parametrize(
    ("tool", "revert", "told"),
    [
        (lambda amount: None, lambda amount: None, "no parameter called outcome"),
        (lambda amount, outcome: None, lambda **given: None, "a parameter of its own called outcome"),
        (lambda amount: None, Till.arefund, "a coroutine cannot be awaited"),
    ],
)
def test_an_inverse_that_could_not_be_called_is_refused_at_once(opened: Any, tool: Any, revert: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        Guard(opened())(kind="payment", revert=revert)(tool)


def test_every_shipped_case_of_an_outcome_is_decided_so_by_the_whole_supervisor() -> None:
    supervisor = Supervisor(Policy(records=Records(path=None), isolation="none"))
    wrong, seen = [], 0
    for name in [entry.id for entry in supervisor.catalog.entries.values() if entry.stage == "after"]:
        for promise in promises(supervisor.catalog.failure_mode(name)):
            action, context = proposal_of(promise.case)
            ran, known = context.outcome, replace(context, ran=None, doors=None)
            decision = supervisor.observe(None, action, ran.output, failed=ran.failed, context=known)
            said = decision.verdict if decision else Verdict.OK
            wrong += [f"{name}: {promise.place}"] if promise.verdict not in (None, said) else []
            seen += 1
    supervisor.close()
    assert not wrong
    assert seen > 60
