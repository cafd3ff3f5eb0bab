"""Judges past sessions: each action with the user's words and the history that it had then.

Nothing runs, no door is open, nothing is recorded, and no nudge is remembered: the agent of the past never saw one.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from supervisor.action import Action, Context
from supervisor.catalog.catalog import in_force
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import SupervisorError
from supervisor.evidence.secrets import Masker
from supervisor.feedback.backtest.other import Other, OtherVerdict, other_of
from supervisor.feedback.backtest.sessions import Called, PastSession, Said
from supervisor.feedback.backtest.settings import Settings
from supervisor.feedback.backtest.sources import Source
from supervisor.feedback.backtest.summary import is_asked_for, summary
from supervisor.feedback.backtest.tally import Change, Item, Tally, first, worst
from supervisor.feedback.times import week_of
from supervisor.intake.parsing import context_from
from supervisor.policy import ApprovalPolicy, Budgets, DoorPolicy, Policy, Records, policy_from
from supervisor.verdict import Cause

_PATIENT_MS = 5_000  # for each specialist


def settings_for(policy: Policy, salt: bytes, against: Policy | None = None, version: str = "") -> Settings:
    """The settings of a backtest under a policy, compared with another policy or another version. Raises BadTaxonomy or
    BadPolicy."""
    policies = (policy,) if against is None else (policy, against)
    digests = [sorted(in_force(each).digests().items()) for each in policies]
    catalogs = hashlib.sha256(orjson.dumps(digests)).hexdigest()
    other = _as_json(against) if against is not None else ""
    return Settings(_as_json(policy), salt, catalogs, other, os.path.abspath(version) if version else "")


def judge(source: Source, settings: Settings) -> Tally:
    """The tally of one file, or of a part of it. It runs in any process that can read the file."""
    tally = Tally(parts=1, sources=int(not source.part.begin))
    engine, masker = _engine(settings.policy), Masker(settings.salt)
    with other_of(settings, _engine) as other:
        for session in source.sessions(tally.problem):
            _judge_session(session, engine, masker, other, tally)
    return tally


@functools.lru_cache(maxsize=4)
def _engine(policy: str) -> Supervisor:
    return Supervisor(policy_from(orjson.loads(policy), place="the policy"))


def _as_json(policy: Policy) -> str:
    """A policy that opens no door, records nothing and asks nobody. Its deadlines are long: how busy this machine is
    says nothing about what would have been stopped."""
    patient = replace(policy, budgets=Budgets(pure_ms=_PATIENT_MS))
    shut = replace(patient, records=Records(path=None), doors=DoorPolicy(), approval=ApprovalPolicy())
    return orjson.dumps(shut.to_json(), default=str).decode()


class _Judged(NamedTuple):
    """A call with the user's words before and after it, the action as it was judged, and the decision. `is_asked` says
    whether the user's words have most of its own."""

    called: Called
    said: str
    then: str
    action: Action
    context: Context
    decision: Decision
    is_asked: bool


def _judge_session(session: PastSession, engine: Supervisor, masker: Masker, other: Other | None, tally: Tally) -> None:
    tally.sessions += 1
    if session.left_out:
        tally.problem(session.id, f"{session.left_out:,} events of this session are left out: it is too long")
    found = []
    for judged in _decisions(session, engine, masker, tally):
        _count(session, judged, tally)
        if judged.decision.verdict:
            found.append(_item(session, judged, engine, masker))
        if other is not None:
            _compare(judged, other.verdict(judged.action, judged.context), masker, tally)
    tally.items = worst([*tally.items, *found])


def _decisions(session: PastSession, engine: Supervisor, masker: Masker, tally: Tally) -> Iterator[_Judged]:
    """Each call of a session, judged.

    Secrets are masked here, not by the engine alone: its salt differs from process to process.
    """
    place = {"cwd": session.project, "workspace": session.project} if session.project.startswith(("/", "~")) else {}
    known, said = Session(facts=place), ""
    following = _words_after(session)
    for number, event in enumerate(session.events):
        if isinstance(event, Said):
            said = event.text
            known.ask(said)
            continue
        try:
            action, context = _proposed(event, known, engine, masker)
            decision = engine.decide_from_thread(action, context)
        except SupervisorError as error:
            tally.problem(event.place, str(error))
            continue
        yield _Judged(event, said, following[number], action, context, decision, is_asked_for(action, said))
        if not event.refused and event.given is None and event.seen is None:
            engine.remember(known, action, masker.mask_output(event.output), failed=event.failed)


def _proposed(called: Called, known: Session, engine: Supervisor, masker: Masker) -> tuple[Action, Context]:
    if called.seen is not None:
        return called.seen
    action = engine.action(called.tool, masker.mask_output(called.args))
    return action, known.context() if called.given is None else context_from(masker.mask_output(called.given))


def _words_after(session: PastSession) -> list[str]:
    """For each event, the user's next words."""
    following, words = [], ""
    for event in reversed(session.events):
        following.append(words)
        words = event.text if isinstance(event, Said) else words
    return following[::-1]


def _count(session: PastSession, judged: _Judged, tally: Tally) -> None:
    decision, label = judged.decision, judged.decision.verdict.label
    tally.actions += 1
    tally.verdicts[label] += 1
    for counts, name in ((tally.projects, session.project or "unknown"), (tally.weeks, _week(judged.called.time))):
        counts[name, "actions"] += 1
        counts[name, label] += 1
    if decision.verdict:
        holds = {"asked": judged.is_asked, "ran": judged.called.after == "ran"}
        for entry in decision.by:
            for what in (label, *(note for note, is_so in holds.items() if is_so)):
                tally.entries[entry, what] += 1
    for name, refusal in decision.refusals:
        if refusal.cause is Cause.INFRASTRUCTURE:
            tally.unasked[name] += 1


def _week(time: str) -> str:
    try:
        return week_of(time)
    except ValueError:
        return "unknown"


def _item(session: PastSession, judged: _Judged, engine: Supervisor, masker: Masker) -> Item:
    called, decision = judged.called, judged.decision
    texts = [summary(text) for text in (called.place, session.project, judged.said, judged.then)]
    place, project, before, after = masker.mask_output(texts)
    return Item(
        verdict=decision.verdict.label,
        entries=decision.by,
        place=place,
        time=called.time,
        project=project,
        tool=decision.action.tool,
        action=summary(decision.action.args),
        reason=summary(decision.reason),
        said=before,
        after=called.after,
        then=after,
        asked=judged.is_asked,
        severity=max((_SEVERITY[engine.catalog.entries[name].severity] for name in decision.by), default=0),
    )


_SEVERITY: Mapping[str, int] = {"low": 1, "medium": 2, "high": 3, "critical": 4}


def _compare(judged: _Judged, other: OtherVerdict, masker: Masker, tally: Tally) -> None:
    """Counts an action that one version stops and the other does not, and shows every other difference."""
    decision = judged.decision
    before, now = other.verdict, decision.verdict
    if before is now:
        return
    entries = decision.by if now > before else other.by
    if now.stops is not before.stops:
        for entry in entries:
            tally.changed[entry, "stopped" if now.stops else "let through"] += 1
    shown: list[Any] = masker.mask_output([judged.called.place, summary(decision.action.args)])
    tally.changes.append(Change(before.label, now.label, entries, shown[0], decision.action.tool, shown[1]))
    tally.changes = first(tally.changes)
