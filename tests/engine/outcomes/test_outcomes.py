"""What came of an action: who judges it, what the agent hears of it, and what is recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.action import Action, Context, Step
from supervisor.catalog.cases import promises, proposal_of
from supervisor.engine.replay import Replayer
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import RecordFailed
from supervisor.policy import Authority, Policy, Records
from supervisor.records.verify import verify
from supervisor.specialist import Opinion, flag, ok, specialist
from supervisor.verdict import Verdict
from tests.catalog.catalogs import catalog_of
from tests.engine.outcomes.judging import CATALOG, SEEN, foresees, records_of


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

        def fail(*_: object, **__: object) -> None:
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
        monkeypatch.setattr("supervisor.engine.replay.in_force", lambda policy: catalog())

        async def run() -> list[Any]:
            again = Replayer()
            try:
                return [each async for each in again.replay(folder)]
            finally:
                again.close()

        return anyio.run(run)

    return replay


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
