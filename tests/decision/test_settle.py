"""What is settled once is settled alike: by the engine, by a replay of its record, and by the rules read as prose."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import anyio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.decision.approval import Approval, Binding
from supervisor.decision.settle import Terms, settle
from supervisor.engine.dispatch import PendingVotes
from supervisor.engine.replay import _differences
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import ApprovalPolicy, Authority, Policy, Records, Workers, policy_from
from supervisor.policy.sections import Askable, Budgets
from supervisor.records.codec import opinion_of, opinion_to_json, verdict_to_json
from supervisor.records.read import Record, read_records
from supervisor.records.verify import verify
from supervisor.specialist import Specialist, ok, specialist
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict
from tests.catalog.catalogs import catalog_of

NAMES = ("first", "second", "third")
LEVELS = ("record", "flag", "nudge", "block", "revert")
VERDICTS = tuple(Verdict)
OBJECTING = tuple(verdict for verdict in Verdict if verdict)

texts = st.sampled_from(("", "Do this.", "Do that."))
findings = st.builds(
    Finding,
    st.sampled_from((*VERDICTS, Verdict.NUDGE)),
    st.sampled_from((0.5, 1.0)),
    st.just("It is so."),
    texts,
    texts,
)
refusals = st.builds(Refusal, st.just("It cannot be said."), st.sampled_from(tuple(Cause)))
opinions = st.one_of(st.just(ok()), findings, refusals)
said_by_all = st.fixed_dictionaries(dict.fromkeys(NAMES, opinions))
names = st.sampled_from(((), (), ("first",), ("second", "third")))  # of all, mostly


def _named(name: str) -> Specialist:
    def judge(action: Action, context: Context) -> Opinion:
        return opinion_of(action.args["said"][name.removesuffix("_after")])

    judge.__name__ = judge.__qualname__ = name
    return specialist("shell")(judge)


BEFORE = tuple(map(_named, NAMES))
AFTER = tuple(_named(f"{name}_after") for name in NAMES)
CATALOG = catalog_of(*BEFORE, after=AFTER)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """What decides beside the opinions: authority, what a refusal means, patience, failure, whom a person overrules."""
    rule = st.builds(Askable, st.just(("flag", "nudge", "block")), names)
    approval = ApprovalPolicy(
        draw(st.lists(rule, max_size=2).map(tuple)),
        draw(st.sampled_from(((), (), ("third",)))),
        wait=draw(st.sampled_from((0, 1e-6))),
        otherwise=draw(st.sampled_from(("block", "judged", "flag"))),
    )
    if not approval.wait:
        approval = replace(approval, otherwise="block")
    everybody = [each.id for each in (*BEFORE, *AFTER)]
    return Policy(
        authority=Authority(specialists=draw(st.dictionaries(st.sampled_from(everybody), st.sampled_from(LEVELS)))),
        on_refuse=draw(st.dictionaries(st.sampled_from(everybody), st.sampled_from(("proceed", *LEVELS[1:4])))),
        patience=draw(st.integers(1, 3)),
        workers=Workers(on_failure=draw(st.sampled_from(("ok", "flag", "block")))),
        approval=approval,
        budgets=Budgets(pure_ms=60_000),
        isolation="none",
    )


@dataclass(frozen=True)
class Turn:
    """One thing that happens: an action is proposed or has run, some can be asked or not, and a person answers."""

    said: Mapping[str, Opinion]
    ran: bool
    unjudged: str
    answer: str


turns = st.builds(
    Turn,
    said_by_all,
    st.sampled_from((False, False, True)),
    st.sampled_from(("", "", "", "no worker")),
    st.sampled_from(("", "approved", "denied")),
)
# Nudges are ignored, and approvals asked for again, where the same happens more than once.
mornings = st.lists(turns, min_size=1, max_size=3).flatmap(
    lambda some: st.lists(st.sampled_from(some), min_size=2, max_size=6)
)


def _take(engine: Supervisor, session: Session, turn: Turn) -> None:
    args = {"command": "x", "said": {name: opinion_to_json(name, opinion) for name, opinion in turn.said.items()}}
    action = engine.action("bash", args)
    context = session.context()
    if turn.ran:
        context = replace(context, ran=Step(action.tool, action.args, "done", action.kind))
    with mock.patch.object(PendingVotes, "unjudged", turn.unjudged):
        decision = engine.decide_from_thread(action, context, session)
        if turn.answer and decision.approval is not None and decision.is_asked:
            engine.queue.answer(decision.approval.name, turn.answer, "ann", "terminal")
            engine.decide_from_thread(action, context, session)


async def _replayed(folder: Path, engine: Supervisor) -> list[Record]:
    records = [record for record in read_records(folder) if record.kind in ("decision", "outcome")]
    for record in records:
        policy = policy_from(record.content(record.predicate["policy"]), place="the record")
        assert await _differences(record, policy, engine.catalog, engine._dispatch) == ()
    return records


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(policy=policies(), told=mornings)
def test_a_decision_recorded_and_run_again_is_settled_alike(policy: Policy, told: list[Turn]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        records = Records(f"{folder}/records", f"{folder}/key.pem")
        with contextlib.closing(Supervisor(replace(policy, records=records), catalog=CATALOG)) as engine:
            session = Session("bot", name="s1")
            for turn in told:
                _take(engine, session, turn)
            again = anyio.run(_replayed, Path(folder) / "records", engine)
        assert len(again) >= len(told)
        assert verify(Path(folder) / "records").problems == []


terms_of_all = st.fixed_dictionaries(
    {
        name: st.builds(
            Terms,
            st.sampled_from(VERDICTS),
            st.sampled_from(VERDICTS),
            st.just(1.0),
            st.booleans(),
            st.frozensets(st.sampled_from(OBJECTING)),
        )
        for name in NAMES
    }
)
counts = st.fixed_dictionaries({name: st.integers(0, 4) for name in NAMES})


def _weights(said: Mapping[str, Opinion], terms: Mapping[str, Terms]) -> dict[str, Verdict]:
    """How far everybody's word goes."""
    plain = {
        name: opinion.verdict
        if isinstance(opinion, Finding)
        else terms[name].on_refuse
        if opinion.cause is Cause.INPUT
        else Verdict.OK
        for name, opinion in said.items()
    }
    return {name: min(weight, terms[name].ceiling) for name, weight in plain.items()}


@given(
    said_by_all,
    terms_of_all,
    counts,
    st.integers(1, 3),
    st.sampled_from((None, "no worker")),
    st.sampled_from(("ok", "flag", "block")),
)
def test_what_is_settled_is_what_the_rules_say(
    said: Mapping[str, Opinion],
    terms: Mapping[str, Terms],
    nudged: Mapping[str, int],
    patience: int,
    unjudged: str | None,
    on_failure: Any,
) -> None:
    policy = Policy(patience=patience, workers=Workers(on_failure=on_failure))
    settled = settle(list(said.items()), terms, policy, nudged.__getitem__, unjudged)
    weights = _weights(said, terms)
    heaviest = max(weights.values())
    ignored = {name for name in said if weights[name] is heaviest is Verdict.NUDGE and nudged[name] >= patience}
    judged = Verdict.BLOCK if ignored else heaviest
    least = Verdict[on_failure.upper()] if unjudged else Verdict.OK
    assert settled.verdict is max(judged, least)
    by = ignored or {name for name in said if weights[name] is heaviest > Verdict.OK}
    assert set(settled.by) == (by if judged >= least else set())
    assert bool(settled.correction) == (settled.verdict is Verdict.NUDGE)
    assert settled.review == (Verdict.FLAG in weights.values() or (judged < least is Verdict.FLAG))
    assert settled.reverts == (judged is Verdict.BLOCK and any(terms[name].reverts for name in by))
    assert (settled.unjudged, settled.approval, settled.opinions) == (unjudged, None, tuple(said.items()))
    stopping = {name: max(weight, judged) if name in ignored else weight for name, weight in weights.items()}
    concerned = {name for name, weight in stopping.items() if weight.stops or weight is settled.verdict > Verdict.OK}
    askable = {name for name in concerned if stopping[name] in terms[name].askable}
    is_asked = not (unjudged and least.stops) and (askable == concerned or not settled.verdict.stops)
    assert settled.over == (tuple(sorted(askable)) if is_asked else ())


def _approval(settled_as: Verdict, state: Any) -> Approval:
    binding = Binding("bot", "s1", "/w", "action", "policy")
    return Approval(state, binding, settled_as, ("first",), None, datetime(2026, 1, 1, tzinfo=UTC), 900)


@given(
    said_by_all,
    terms_of_all,
    st.sampled_from(("asked", "approved", "denied", "unanswered")),
    st.sampled_from(("block", "judged", "flag")),
)
def test_a_question_runs_an_action_only_where_it_is_approved_or_nobody_has_answered(
    said: Mapping[str, Opinion], terms: Mapping[str, Terms], state: Any, otherwise: str
) -> None:
    settled = settle(tuple(said.items()), terms, Policy(), lambda name: 0)
    answered = settled.answered(_approval(settled.verdict, state), otherwise)
    runs = state == "approved" or (state == "unanswered" and otherwise != "block")
    assert runs or answered.verdict is Verdict.BLOCK
    assert answered.verdict.stops or not answered.correction
    assert answered.review >= settled.review
    unasked = answered.unrecorded(Verdict.FLAG)
    assert (unasked.approval is None) == (state == "asked")
    assert unasked.verdict is max(answered.verdict, Verdict.FLAG)
    assert verdict_to_json(unasked)["verdict"] == unasked.verdict.label
