"""Running records again: the same versions give the same verdict; other versions show what would change.

A replay touches nothing: door answers come from the record. Every specialist is asked again, also those that had said
ok, and the union and the escalation are worked out anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from supervisor.action import Action, Context
from supervisor.catalog.catalog import Catalog, in_force
from supervisor.decision.approval import Approval, approval_of
from supervisor.decision.settle import Terms, settle
from supervisor.doors.recorded import ReplayDoors
from supervisor.engine.dispatch import Dispatch
from supervisor.engine.offload import ASIDE
from supervisor.engine.terms import terms_for
from supervisor.errors import BadRecord, SupervisorError
from supervisor.history import once_run
from supervisor.policy import Policy, policy_from
from supervisor.records.codec import answers_of, opinion_of, opinion_to_json, verdict_to_json
from supervisor.records.read import Record, read_records
from supervisor.specialist import Specialist, ok
from supervisor.verdict import Opinion

_BUDGET = 30.0  # seconds; what had been ended is taken as recorded, the rest may take its time


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that came out otherwise: `what` is `verdict`, `correction`, … or a specialist's id."""

    what: str
    recorded: Any
    replayed: Any


@dataclass(frozen=True, slots=True)
class Replayed:
    """One decision run again. `changed_versions` names specialists that are not those that judged then; `missing` says
    why it could not be run at all."""

    place: str
    id: str
    differences: tuple[Difference, ...] = ()
    changed_versions: tuple[str, ...] = ()
    missing: str = ""


class Replayer:
    """Runs decisions again under the catalogue that is installed and the policy that each record names. `close` it."""

    def __init__(self) -> None:
        self._policies: dict[str, Policy] = {}
        self._benches: dict[str, tuple[Catalog, Dispatch]] = {}

    def close(self) -> None:
        """Ends the workers that judged."""
        for _, dispatch in self._benches.values():
            dispatch.close()

    async def replay(self, folder: Path, unread: Callable[[BadRecord], None] | None = None) -> AsyncIterator[Replayed]:
        """Every decision of a journal, in the order written. `unread` is told what cannot be read, as `read_records`
        does. BadRecord where the journal cannot be read."""
        for record in read_records(folder, unread):
            if record.kind in ("decision", "outcome"):
                yield await self._replayed(record)

    async def _replayed(self, record: Record) -> Replayed:
        told = record.predicate
        try:
            policy = self._policy(record, told["policy"])
            catalog, dispatch = self._bench(policy)
            differences = await _differences(record, policy, catalog, dispatch)
            then, now = dict(record.content(told["versions"])["specialists"]), catalog.digests()
        except KeyError as missing:
            return Replayed(record.place, str(told.get("id")), missing=f"the record has no {missing}")
        except SupervisorError as error:
            return Replayed(record.place, str(told.get("id")), missing=str(error))
        except (TypeError, ValueError, AttributeError) as error:  # signed or not, anybody can write a line
            return Replayed(record.place, str(told.get("id")), missing=f"the record is none of a decision: {error}")
        changed = tuple(name for name in sorted(then.keys() | now.keys()) if then.get(name) != now.get(name))
        return Replayed(record.place, str(told.get("id")), differences, changed)

    def _policy(self, record: Record, address: str) -> Policy:
        if address not in self._policies:
            self._policies[address] = policy_from(record.content(address), place=record.place)
        return self._policies[address]

    def _bench(self, policy: Policy) -> tuple[Catalog, Dispatch]:
        """The catalogue of a policy, and where its specialists are asked."""
        key = repr((policy.taxonomy, policy.isolation, policy.workers, policy.doors.model.url is None))
        if key not in self._benches:
            catalog = in_force(policy)
            self._benches[key] = catalog, Dispatch(catalog, policy)
        return self._benches[key]


async def _differences(record: Record, policy: Policy, catalog: Catalog, dispatch: Dispatch) -> tuple[Difference, ...]:
    told = record.predicate
    action, context = _seen(record)
    recorded = {name: opinion_to_json(name, ok()) for name in record.content(told["asked"])}
    recorded |= {each["specialist"]: each for each in told["opinions"]}
    terms = terms_for(action.kind, catalog, policy, context.stage)
    opinions = await _opinions(dispatch, action, context, terms, record, recorded)
    unjudged = told.get("unjudged")  # there was no worker to ask, as nobody who runs this again may find
    settled = settle(opinions, terms, policy, lambda name: told["earlier"].get(name, 0), unjudged)
    if settled.over and "approval" in told:  # a person's answer is taken as recorded, as a door's is
        settled = settled.answered(_approval(record), policy.approval.otherwise)
    replayed = {name: opinion_to_json(name, ok()) for name in catalog.names_of(action.kind, context.stage)}
    replayed |= {name: opinion_to_json(name, opinion) for name, opinion in opinions}
    return (*_compare(told["decision"], verdict_to_json(settled)), *_compare(recorded, replayed))


def _approval(record: Record) -> Approval:
    try:
        return approval_of(record.predicate["approval"])
    except (TypeError, ValueError) as error:
        raise BadRecord(f"its approval cannot be read: {error}", place=record.place) from None


def _seen(record: Record) -> tuple[Action, Context]:
    """The action and the context as the specialists saw them. The history of an outcome ends with it."""
    told = record.predicate
    scene = record.content(told["scene"])
    history = record.history(told["history"])
    context = Context(scene["task"], history, scene["facts"], scene["agent"], told["session"])
    return Action(**told["action"]), once_run(context) if record.kind == "outcome" and history else context


async def _opinions(
    dispatch: Dispatch,
    action: Action,
    context: Context,
    terms: Mapping[str, Terms],
    record: Record,
    recorded: Mapping[str, Any],
) -> list[tuple[str, Opinion]]:
    """Asks again. Who was ended then (a deadline, a crash) is taken as recorded: another machine might not do so."""
    answers = answers_of(record.predicate["answers"], record.content)
    ended = {name: opinion_of(told) for name, told in recorded.items() if told.get("ended")}

    def context_of(specialist: Specialist) -> Context:
        return replace(context, doors=ReplayDoors(answers.get(specialist.id, ())))

    patient = {name: replace(each, budget=_BUDGET) for name, each in terms.items()}
    votes = dispatch.begin(action, context, patient, given=ended)
    return await votes.finish(context_of, ASIDE)


def _compare(recorded: Mapping[str, Any], replayed: Mapping[str, Any]) -> list[Difference]:
    keys = [*recorded, *(key for key in replayed if key not in recorded)]
    pairs = ((key, recorded.get(key), replayed.get(key)) for key in keys)
    return [Difference(key, then, now) for key, then, now in pairs if then != now]
