"""Over what a person is asked, and over what nobody is."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from supervisor.decision.settle import asked_over
from supervisor.engine.approvals import Approvals
from supervisor.engine.dispatch import PendingVotes
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.engine.terms import terms_for
from supervisor.errors import BadPolicy
from supervisor.policy import ApprovalPolicy, Policy, Records, Workers, policy_from
from supervisor.policy.sections import Askable
from supervisor.verdict import Verdict
from tests.engine.approvals.asking import ASK, CATALOG, Opened, decide, state


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
    policy = policy_from({"approval": {"ask": [askable]}}, place="the test")
    objections = {name: Verdict.named(each) for name, each in said.items()}
    assert asked_over(Verdict.named(verdict), objections, terms_for(kind, CATALOG, policy)) == over
    assert asked_over(Verdict.named(verdict), objections, terms_for(kind, CATALOG, Policy())) == ()
    never = replace(policy, approval=replace(policy.approval, never=tuple(said)))
    assert asked_over(Verdict.named(verdict), objections, terms_for(kind, CATALOG, never)) == ()


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


@pytest.mark.parametrize(("on_failure", "asked"), [("ok", "asked"), ("flag", "asked"), ("block", None)])
def test_where_some_could_not_be_judged_a_person_overrules_those_who_could_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_failure: Any, asked: str | None
) -> None:
    monkeypatch.setattr(PendingVotes, "unjudged", "no worker was free")  # as of a deployment's own specialists
    records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
    policy = Policy(approval=ASK, records=records, isolation="none", workers=Workers(on_failure=on_failure))
    with contextlib.closing(Supervisor(policy, catalog=CATALOG)) as supervisor:
        decision = decide(supervisor)
        assert (decision.verdict, state(decision)) == (Verdict.BLOCK, asked)
        assert state(decide(supervisor, "ls")) is None
