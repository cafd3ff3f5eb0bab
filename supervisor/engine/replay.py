"""Replays records: the same versions give the same verdict, other versions show what would change.

A replay has no effects outside: the answers of doors come from the record. Every specialist is asked again, also those
that answered ok, and the union and the escalation are computed again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from supervisor.action import Action, Context, Stage
from supervisor.catalog.catalog import Catalog, in_force
from supervisor.decision.approval import Approval, approval_of
from supervisor.decision.exemptions import Exemption, exemption_of
from supervisor.decision.sampling import with_sample
from supervisor.decision.settle import Terms, settle, watched
from supervisor.doors.recorded import ReplayDoors
from supervisor.engine.dispatch import Dispatch
from supervisor.engine.offload import IN_THREAD
from supervisor.engine.terms import terms_for
from supervisor.errors import BadRecord, SupervisorError
from supervisor.history import after_context
from supervisor.policy import Policy, policy_from
from supervisor.records.codec import answers_of, opinion_of, opinion_to_json, verdict_to_json
from supervisor.records.histories import Histories
from supervisor.records.read import Record, read_records
from supervisor.specialist import Specialist, ok
from supervisor.verdict import Opinion

_BUDGET = 30.0  # seconds for each specialist; those that missed a deadline then are taken as recorded


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between record and replay: `what` is `verdict`, `correction`, … or a specialist's id."""

    what: str
    recorded: Any
    replayed: Any


@dataclass(frozen=True, slots=True)
class Replayed:
    """One replayed decision. `changed_versions` names the specialists whose version has changed since; `missing` is why
    it could not be replayed, or ""."""

    place: str
    id: str
    differences: tuple[Difference, ...] = ()
    changed_versions: tuple[str, ...] = ()
    missing: str = ""


class Replayer:
    """Replays decisions with the installed catalogue and the policy that each record names. Call `close` at the end."""

    def __init__(self) -> None:
        self._policies: dict[str, Policy] = {}
        self._terms: dict[tuple[str, str, Stage], dict[str, Terms]] = {}
        self._versions: tuple[str, dict[str, str]] = ("", {})  # those of the last record, by their address
        self._histories = Histories()
        self._dispatches: dict[str, tuple[Catalog, Dispatch]] = {}

    def close(self) -> None:
        """Ends the workers."""
        for _, dispatch in self._dispatches.values():
            dispatch.close()

    async def replay(self, folder: Path, unread: Callable[[BadRecord], None] | None = None) -> AsyncIterator[Replayed]:
        """Every decision of a journal, in the order written. `unread` is called with each unreadable record, as in
        `read_records`. Raises BadRecord if the journal cannot be read."""
        for record in read_records(folder, unread):
            if record.kind in ("decision", "outcome"):
                yield await self.replayed(record)

    async def replayed(self, record: Record) -> Replayed:
        """One decision, which `Replayed.missing` says could not be replayed if it could not."""
        predicate = record.predicate
        try:
            policy = self._policy(record, predicate["policy"])
            catalog, dispatch = self._dispatch_for(policy)
            action, context = seen_in(record, self._histories)
            terms = self._terms_of(predicate["policy"], action.kind, context.stage, catalog, policy)
            differences = await _differences(record, policy, catalog, dispatch, (action, context), terms)
            then, now = self._versions_in(record), catalog.digests()
        except KeyError as missing:
            return Replayed(record.place, str(predicate.get("id")), missing=f"the record has no {missing}")
        except SupervisorError as error:
            return Replayed(record.place, str(predicate.get("id")), missing=str(error))
        except (TypeError, ValueError, AttributeError) as error:  # any program can write a line, signed or not
            return Replayed(record.place, str(predicate.get("id")), missing=f"this is no record of a decision: {error}")
        changed = tuple(name for name in sorted(then.keys() | now.keys()) if then.get(name) != now.get(name))
        return Replayed(record.place, str(predicate.get("id")), differences, changed)

    def _policy(self, record: Record, address: str) -> Policy:
        if address not in self._policies:
            self._policies[address] = policy_from(record.content(address), place=record.place)
        return self._policies[address]

    def _terms_of(self, address: str, kind: str, stage: Stage, catalog: Catalog, policy: Policy) -> dict[str, Terms]:
        if (address, kind, stage) not in self._terms:
            self._terms[address, kind, stage] = _patient_terms(kind, stage, catalog, policy)
        return self._terms[address, kind, stage]

    def _versions_in(self, record: Record) -> dict[str, str]:
        """The versions of the specialists; most records have those of the one before."""
        address = record.predicate["versions"]
        if address != self._versions[0]:
            self._versions = address, dict(record.content(address)["specialists"])
        return self._versions[1]

    def _dispatch_for(self, policy: Policy) -> tuple[Catalog, Dispatch]:
        """The catalogue of a policy, and the dispatch for its specialists."""
        key = repr(
            (policy.taxonomy, policy.isolation, policy.workers, policy.doors.model.url is None, not policy.memory.days)
        )
        if key not in self._dispatches:
            catalog = in_force(policy)
            self._dispatches[key] = catalog, Dispatch(catalog, policy)
        return self._dispatches[key]


def _patient_terms(kind: str, stage: Stage, catalog: Catalog, policy: Policy) -> dict[str, Terms]:
    """The terms of the specialists, with the budget of a replay."""
    terms = terms_for(kind, catalog, policy, stage)
    return {name: replace(each, budget=_BUDGET) for name, each in terms.items()}


async def _differences(
    record: Record,
    policy: Policy,
    catalog: Catalog,
    dispatch: Dispatch,
    seen: tuple[Action, Context] | None = None,
    terms: Mapping[str, Terms] | None = None,
) -> tuple[Difference, ...]:
    """`seen` and `terms` are read from the record and the policy unless the caller has them."""
    predicate = record.predicate
    action, context = seen or seen_in(record)
    terms = terms or _patient_terms(action.kind, context.stage, catalog, policy)
    recorded = {name: opinion_to_json(name, ok()) for name in record.content(predicate["asked"])}
    recorded |= {each["specialist"]: each for each in predicate["opinions"]}
    opinions = await _opinions(dispatch, action, context, terms, record, recorded)
    unjudged = predicate.get("unjudged")  # no worker was available then; that cannot be reproduced
    exemptions = _exemptions(record)
    earlier, remembered = predicate["earlier"], predicate.get("remembered", {})
    settled = settle(
        opinions,
        terms,
        policy,
        lambda name: earlier.get(name, 0),
        unjudged,
        exemptions,
        lambda name: remembered.get(name, 0.0),
    )
    if settled.over and "approval" in predicate:  # a person's answer comes from the record, as a door's does
        settled = settled.answered(_approval(record), policy.approval.otherwise)
    answers = answers_of(predicate["answers"], record.content)
    settled = watched(settled, predicate.get("unheeded", 0.0), policy)
    settled = with_sample(settled, answers, str(predicate["id"]), policy.review.judges)
    replayed = {name: opinion_to_json(name, ok()) for name in catalog.names_of(action.kind, context.stage)}
    replayed |= {name: opinion_to_json(name, opinion) for name, opinion in opinions}
    return (*_compare(predicate["decision"], verdict_to_json(settled)), *_compare(recorded, replayed))


def _exemptions(record: Record) -> dict[str, Exemption]:
    """The exemptions that were found to fit, so that a replay needs neither their store nor the time."""
    try:
        return {name: exemption_of(each) for name, each in record.predicate.get("exemptions", {}).items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord(f"an exemption of it cannot be read: {error}", place=record.place) from None


def _approval(record: Record) -> Approval:
    try:
        return approval_of(record.predicate["approval"])
    except (TypeError, ValueError) as error:
        raise BadRecord(f"its approval cannot be read: {error}", place=record.place) from None


def seen_in(record: Record, histories: Histories | None = None) -> tuple[Action, Context]:
    """The action and the context as the specialists saw them. An outcome's history ends with its own step. Records that
    are read with the same `histories` share their steps."""
    predicate = record.predicate
    scene = record.content(predicate["scene"])
    history = (histories or Histories()).of(record, predicate["history"])
    context = Context(scene["task"], history, scene["facts"], scene["agent"], predicate["session"])
    return Action(**predicate["action"]), after_context(context) if record.kind == "outcome" and history else context


async def _opinions(
    dispatch: Dispatch,
    action: Action,
    context: Context,
    terms: Mapping[str, Terms],
    record: Record,
    recorded: Mapping[str, Any],
) -> list[tuple[str, Opinion]]:
    """Asks again. Opinions that a deadline or a crash ended come from the record: another machine may be faster."""
    answers = answers_of(record.predicate["answers"], record.content)
    ended = {name: opinion_of(vote) for name, vote in recorded.items() if vote.get("ended")}

    def context_of(specialist: Specialist) -> Context:
        return replace(context, doors=ReplayDoors(answers.get(specialist.id, ())))

    votes = dispatch.begin(action, context, terms, given=ended)
    return await votes.finish(context_of, IN_THREAD)


def _compare(recorded: Mapping[str, Any], replayed: Mapping[str, Any]) -> list[Difference]:
    keys = [*recorded, *(key for key in replayed if key not in recorded)]
    pairs = ((key, recorded.get(key), replayed.get(key)) for key in keys)
    return [Difference(key, then, now) for key, then, now in pairs if then != now]
