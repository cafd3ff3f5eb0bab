"""The flow from a proposal to a recorded decision."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.action import Action, Context, Step
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput, BadPolicy, DoorFailed, Unreadable
from supervisor.evidence.secrets.spans import MOST_CLAIMS
from supervisor.policy import Authority, Budgets, Policy, Records
from supervisor.records.read import Record, read_records
from supervisor.specialist import Opinion, Specialist, block, flag, nudge, ok, refuse, specialist
from supervisor.verdict import Cause, Verdict
from tests.catalog.catalogs import catalog_of
from tests.catalog.taxonomies import add, alone
from tests.patience import PATIENT

NEVER = Records(path=None)


@specialist("shell")
def stops_wipe(action: Action, context: Context) -> Opinion:
    return block("It wipes.") if "wipe" in action.text("command") else ok()


@specialist("shell")
def nudges_draft(action: Action, context: Context) -> Opinion:
    if "draft" in action.text("command"):
        return nudge("It is a draft.", correction="finish it", sharper="finish it now")
    return ok()


@specialist("*")
def flags_odd(action: Action, context: Context) -> Opinion:
    return flag("It is odd.") if "odd" in str(action.args) else ok()


@specialist("sql")
def answers_sql(action: Action, context: Context) -> Opinion:
    return block("It is SQL.")


@pytest.fixture(autouse=True)
def home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests installed at home would make each action too large to be judged in this process."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    policy = Policy(records=Records(str(tmp_path / "records"), str(tmp_path / "key.pem")), budgets=PATIENT)
    opened = Supervisor(policy, catalog=catalog_of(flags_odd, nudges_draft, stops_wipe, answers_sql))
    yield opened
    opened.close()


def decide(supervisor: Supervisor, command: str, session: Session | None = None, **context: Any) -> Decision:
    action = supervisor.action("bash", {"command": command})
    return anyio.run(supervisor.decide, action, Context(**context) if context else None, session)


def only(specialist_: Specialist, **changes: Any) -> Supervisor:
    return Supervisor(replace(Policy(records=NEVER, budgets=PATIENT), **changes), catalog=catalog_of(specialist_))


def records_of(tmp_path: Path) -> list[Record]:
    return [record for record in read_records(tmp_path / "records") if record.kind == "decision"]


def test_only_specialists_of_the_kind_are_asked_in_catalogue_order(supervisor: Supervisor) -> None:
    assert decide(supervisor, "ls").asked == ("flags_odd", "nudges_draft", "stops_wipe")
    assert [name for name, _ in decide(supervisor, "wipe draft odd").opinions] == list(decide(supervisor, "ls").asked)


@pytest.mark.parametrize(
    ("command", "verdict", "by"),
    [
        ("ls", Verdict.OK, ()),
        ("odd", Verdict.FLAG, ("flags_odd",)),
        ("odd draft", Verdict.NUDGE, ("nudges_draft",)),
        ("odd draft wipe", Verdict.BLOCK, ("stops_wipe",)),
    ],
)
def test_the_greatest_objection_decides(
    supervisor: Supervisor, command: str, verdict: Verdict, by: tuple[str, ...]
) -> None:
    decision = decide(supervisor, command)
    assert (decision.verdict, decision.by) == (verdict, by)
    assert decision.allowed == (verdict < Verdict.NUDGE)
    assert decision.review == ("odd" in command)


def test_the_record_is_on_disk_and_says_what_was_seen(supervisor: Supervisor, tmp_path: Path) -> None:
    history = [Step("bash", {"command": "ls"}, "a.txt", "shell")]
    decision = decide(supervisor, "odd draft", task="tidy up", history=history, facts={"cwd": "/w"})
    (record,) = records_of(tmp_path)
    assert record.address == decision.record
    assert record.predicate["action"]["args"] == {"command": "odd draft"}
    assert record.predicate["decision"] == {
        "verdict": "nudge",
        "by": ["nudges_draft"],
        "review": True,
        "correction": "finish it",
    }
    assert record.content(record.predicate["asked"]) == ["flags_odd", "nudges_draft", "stops_wipe"]
    assert [told["specialist"] for told in record.predicate["opinions"]] == ["flags_odd", "nudges_draft"]
    facts = {"cwd": "/w", "guard_assets": supervisor.guard_assets}
    assert record.content(record.predicate["scene"]) == {"task": "tidy up", "agent": None, "facts": facts}
    assert record.history(record.predicate["history"]) == history
    assert set(record.content(record.predicate["versions"])["specialists"]) == set(supervisor.catalog.entries)
    assert record.content(record.predicate["policy"])["patience"] == 2


def test_a_history_is_stored_once_however_often_it_is_seen(supervisor: Supervisor, tmp_path: Path) -> None:
    session = Session()
    for number in range(30):
        decision = decide(supervisor, f"echo {number}", session)
        supervisor.observe(session, decision.action, "x" * 1000)
    size = sum(path.stat().st_size for path in (tmp_path / "records").glob("*.jsonl"))
    assert size < 30 * 1000 * 6  # each decision once, each output once; 30 histories would be 450 outputs
    last = records_of(tmp_path)[-1]
    assert len(last.history(last.predicate["history"])) == 29


def test_an_ignored_nudge_gets_sharper_and_then_blocks(supervisor: Supervisor, tmp_path: Path) -> None:
    session = Session()
    decisions = [decide(supervisor, "cat draft", session), decide(supervisor, "cat  'draft'", session)]
    decisions.append(decide(supervisor, "cat draft  # please", session))
    assert [each.verdict.label for each in decisions] == ["nudge", "nudge", "block"]
    assert [each.correction for each in decisions] == ["finish it", "finish it now", ""]
    assert [record.predicate["earlier"] for record in records_of(tmp_path)] == [{"nudges_draft": n} for n in range(3)]


def test_another_action_or_another_session_starts_anew(supervisor: Supervisor) -> None:
    session = Session()
    for command in ("cat draft", "rm draft/of/the/letter --force", "mail draft.pdf boss@example.com"):
        assert decide(supervisor, command, session).correction == "finish it"
    assert decide(supervisor, "cat draft", Session()).correction == "finish it"


def test_authority_caps_what_a_specialist_says() -> None:
    for level, verdict in (("record", "ok"), ("flag", "flag"), ("nudge", "nudge"), ("block", "block")):
        decision = decide(only(stops_wipe, authority=Authority(specialists={"stops_wipe": level})), "wipe")
        assert decision.verdict.label == verdict
        assert [finding.verdict for _, finding in decision.findings] == [Verdict.BLOCK]


def test_the_most_specific_authority_holds() -> None:
    authority = Authority("record", {"shell": "flag"}, {"stops_wipe": {"sql": "block"}})
    assert decide(only(stops_wipe, authority=authority), "wipe").verdict is Verdict.FLAG
    authority = Authority("record", {"shell": "flag"}, {"stops_wipe": {"shell": "block"}})
    assert decide(only(stops_wipe, authority=authority), "wipe").verdict is Verdict.BLOCK


def test_secrets_are_masked_before_anything_sees_them(supervisor: Supervisor, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    decision = decide(supervisor, f"echo {secret}", task=f"use {secret}", facts={"note": secret})
    assert secret not in str(decision.action)
    written = b"".join(path.read_bytes() for path in (tmp_path / "records").rglob("*") if path.is_file())
    assert secret.encode() not in written
    told = records_of(tmp_path)[0]
    masked = told.predicate["action"]["args"]["command"].removeprefix("echo ")
    assert masked.startswith("SECRET_")
    assert told.content(told.predicate["scene"])["facts"]["note"] == masked


def test_thousands_of_secrets_are_bad_input_in_an_action_and_one_in_an_output(supervisor: Supervisor) -> None:
    secrets = [f"ghp_{'aB3kd9Xq' * 4}{number:05}" for number in range(MOST_CLAIMS + 1)]
    text = "\n".join(secrets)
    with pytest.raises(BadInput) as refused:
        decide(supervisor, f"echo {text}")
    assert refused.value.code == "too_large"
    session = Session()
    supervisor.observe(session, supervisor.action("bash", {"command": "cat keys"}), [text, "the end"])
    past = [Step("bash", {"command": f"echo {text}"}, text, "shell")]
    assert decide(supervisor, "ls", session).allowed
    assert decide(supervisor, "ls", history=past).allowed
    (step,) = session.context().history
    assert not any(secret in str(step) for secret in secrets)
    assert step.output[1] == "the end"


class TestRefusals:
    """What has no vote, and what it means."""

    @staticmethod
    def refusing(error: BaseException) -> Specialist:
        @specialist("shell")
        def refuses(action: Action, context: Context) -> Opinion:
            raise error

        return refuses

    @pytest.mark.parametrize(
        ("error", "cause"),
        [
            (Unreadable("too large"), "input"),
            (RecursionError(), "input"),
            (ValueError("boom"), "input"),
            (MemoryError(), "input"),
            (SystemExit(0), "input"),
            (DoorFailed("down"), "infrastructure"),
        ],
    )
    def test_whatever_is_raised_is_a_refusal_with_its_cause(self, error: BaseException, cause: str) -> None:
        decision = decide(only(self.refusing(error)), "ls")
        assert [(name, refusal.cause) for name, refusal in decision.refusals] == [("refuses", cause)]

    def test_one_that_the_input_caused_is_flagged_where_the_specialist_may_block(self) -> None:
        broken = self.refusing(ValueError("boom"))
        assert decide(only(broken), "ls").verdict is Verdict.FLAG
        assert decide(only(broken, on_refuse={"refuses": "block"}), "ls").verdict is Verdict.BLOCK
        assert decide(only(broken, on_refuse={"refuses": "proceed"}), "ls").verdict is Verdict.OK
        nudging = Supervisor(Policy(records=NEVER, budgets=PATIENT), catalog=catalog_of(broken, refuses="nudge"))
        assert decide(nudging, "ls").verdict is Verdict.OK

    def test_a_late_vote_does_not_count(self) -> None:
        @specialist("shell")
        def dawdles(action: Action, context: Context) -> Opinion:
            time.sleep(0.05)
            return block("too late")

        decision = decide(only(dawdles, budgets=Budgets(pure_ms=10)), "ls")
        ((_, refusal),) = decision.refusals
        assert refusal.ended == "deadline"
        assert decision.verdict is Verdict.FLAG

    def test_a_specialist_that_waits_is_cut_off_and_the_others_keep_their_votes(self) -> None:
        @specialist("shell")
        async def hangs(action: Action, context: Context) -> Opinion:
            await anyio.sleep_forever()
            return ok()

        supervisor = Supervisor(
            Policy(records=NEVER, budgets=Budgets(doors_ms=20)), catalog=catalog_of(hangs, stops_wipe)
        )
        decision = decide(supervisor, "wipe")
        assert decision.verdict is Verdict.BLOCK
        assert [(name, each.ended, each.cause) for name, each in decision.refusals] == [
            ("hangs", "deadline", Cause.INFRASTRUCTURE)
        ]

    def test_those_that_wait_do_so_side_by_side(self) -> None:
        everyone = 5
        arrived: list[str] = []
        all_here = anyio.Event()

        def waiting(number: int) -> Specialist:
            @specialist("shell")
            async def waits(action: Action, context: Context) -> Opinion:
                arrived.append(action.tool)
                if len(arrived) == everyone:
                    all_here.set()
                await all_here.wait()
                return ok()

            return replace(waits, id=f"waits_{number}")

        supervisor = Supervisor(
            Policy(records=NEVER, budgets=PATIENT), catalog=catalog_of(*map(waiting, range(everyone)))
        )
        decision = decide(supervisor, "ls")
        assert (len(decision.asked), decision.opinions) == (everyone, ())

    def test_nonsense_is_no_opinion(self) -> None:
        @specialist("shell")
        def babbles(action: Action, context: Context) -> Opinion:
            return "block"  # type: ignore[return-value]

        ((_, refusal),) = decide(only(babbles), "ls").refusals
        assert refusal.cause is Cause.INFRASTRUCTURE

    def test_not_its_question_is_silent(self) -> None:
        @specialist("shell")
        def declines(action: Action, context: Context) -> Opinion:
            return refuse("no order in it")

        assert list(decide(only(declines), "ls").refusals) == []

    def test_a_plain_specialist_has_no_doors(self) -> None:
        @specialist("shell")
        def peeks(action: Action, context: Context) -> Opinion:
            return flag(f"It is {context.now}.")

        ((_, refusal),) = decide(only(peeks), "ls").refusals
        assert "async def" in refusal.reason


class TestUnrecorded:
    """An action whose decision cannot be recorded gets what the policy says."""

    @pytest.mark.parametrize(("on_failure", "verdict"), [("block", "block"), ("flag", "flag"), ("ok", "ok")])
    def test_at_least_what_the_policy_says(self, tmp_path: Path, on_failure: Any, verdict: str) -> None:
        (tmp_path / "records").write_text("in the way")
        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"), on_failure)
        supervisor = Supervisor(Policy(records=records, budgets=PATIENT), catalog=catalog_of(stops_wipe))
        decision = decide(supervisor, "ls")
        assert decision.verdict.label == verdict
        assert decision.record is None
        assert "cannot be written" in str(decision.record_error)
        assert decide(supervisor, "wipe").verdict is Verdict.BLOCK
        (tmp_path / "records").unlink()
        assert decide(supervisor, "ls").record, "it recovers by itself"

    def test_secrets_are_masked_even_without_a_key(self, tmp_path: Path) -> None:
        (tmp_path / "key.pem").write_text("not a key")
        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
        secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        decision = decide(
            Supervisor(Policy(records=records, budgets=PATIENT), catalog=catalog_of(stops_wipe)), f"echo {secret}"
        )
        assert decision.verdict is Verdict.BLOCK
        assert "key.pem" in decision.reason
        assert secret not in decision.message() + str(decision.action)


def test_a_policy_that_names_a_specialist_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadPolicy, match="no specialist 'stops_wype'"):
        only(stops_wipe, on_refuse={"stops_wype": "block"})


def test_a_policy_may_name_what_is_disabled_or_in_preview(tmp_path: Path) -> None:
    add(tmp_path, "off")
    add(tmp_path, "new", maturity="preview")
    named = Policy(
        records=NEVER, taxonomy=alone(tmp_path, disabled=("off",)), on_refuse={"off": "flag", "new": "block"}
    )
    assert list(Supervisor(named).catalog.entries) == []


def test_a_snapshot_does_not_see_what_comes_later() -> None:
    session = Session()
    before = session.context()
    session.add(Step("bash", {}, "x"))
    assert (len(before.history), len(session.context().history)) == (0, 1)


def test_a_closed_supervisor_seals_and_can_be_closed_again(supervisor: Supervisor, tmp_path: Path) -> None:
    decide(supervisor, "ls")
    supervisor.close()
    supervisor.close()
    assert decide(supervisor, "ls").record, "a late decision opens a new segment"
