"""What a deployment's labels suggest: scopes first, then weights that have passed the gates, and what was missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from supervisor.catalog.cases import proposal_of
from supervisor.catalog.catalog import Catalog
from supervisor.decision.learned import Learned, Weights
from supervisor.engine.terms import is_floor, unexemptible
from supervisor.evidence.actions.traits import Traits, traits_of
from supervisor.feedback.learning.examples import Example, History, Stop, examples
from supervisor.feedback.learning.fitting import fit
from supervisor.feedback.learning.gates import Gate, cases_gate, held_out_gate, history_gate
from supervisor.feedback.learning.missed import Missed, missed
from supervisor.feedback.learning.scopes import Scope, scopes
from supervisor.policy import Policy
from supervisor.version import VERSION

_NO_WEIGHTS = "too few labels say that it was wrong"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Weights for one specialist, what the gates say of them, and the recorded actions that would have run. Without
    weights, `why` says what is missing."""

    specialist: str
    weights: Weights | None
    gates: tuple[Gate, ...] = ()
    changed: tuple[Stop, ...] = ()
    why: str = ""

    @property
    def is_promotable(self) -> bool:
        """Whether all gates are passed."""
        return self.weights is not None and all(gate.is_passed for gate in self.gates)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """All that a deployment's labels suggest. `missed` are actions that ask for a case, and a rule or failure mode."""

    scopes: tuple[Scope, ...]
    proposals: tuple[Proposal, ...]
    missed: tuple[Missed, ...]

    def learned(self) -> Learned | None:
        """The weights that a person may promote; None if there are none."""
        passed = {each.specialist: each.weights for each in self.proposals if each.is_promotable}
        weights = {name: each for name, each in passed.items() if each is not None}
        return Learned(VERSION, weights) if weights else None


def suggested(history: History, catalog: Catalog, policy: Policy) -> Suggestion:
    """What a history suggests under a policy. Raises NoLearning."""
    said = examples(history)
    entries = catalog.entries
    scoped = [
        each for each in said if each.specialist in entries and not unexemptible(entries[each.specialist], policy)
    ]
    names = sorted({each.specialist for each in said if each.is_false_alarm})
    proposals = tuple(_proposal(name, said, history.stops, catalog, policy) for name in names)
    sorts = missed(history.missed, history.acts, history.newest)
    return Suggestion(tuple(scopes(scoped, history.stops)), proposals, tuple(sorts))


def _proposal(name: str, said: Sequence[Example], stops: Sequence[Stop], catalog: Catalog, policy: Policy) -> Proposal:
    if why := _floor(name, catalog, policy):
        return Proposal(name, None, why=why)
    mine = [each for each in said if each.specialist == name]
    cases = shipped(name, catalog)
    refit: Callable[[Sequence[Example]], Weights | None] = partial(
        fit, cases=[traits for _, traits in cases if traits], digest=catalog.digests()[name]
    )
    weights = refit(mine)
    if weights is None:
        return Proposal(name, None, why=_NO_WEIGHTS)
    objected = [stop for stop in stops if name in stop.by]
    by_history, changed = history_gate(weights, objected, mine)
    gates = (cases_gate(weights, cases), by_history, held_out_gate(mine, refit))
    return Proposal(name, weights, gates, tuple(changed))


def _floor(name: str, catalog: Catalog, policy: Policy) -> str:
    """Why no label weakens a specialist; "" if labels may."""
    entry = catalog.entries.get(name)
    if entry is None:
        return "it is not in force"
    if is_floor(entry):
        return "what it finds is critical: no label weakens it; `supervisor allow` exempts single actions"
    return unexemptible(entry, policy)


def shipped(name: str, catalog: Catalog) -> list[tuple[str, Traits | None]]:
    """The shipped cases that a specialist must go on to catch, by place."""
    caught = catalog.failure_mode(name).cases.caught
    return [(f"caught[{number}]", traits_of(*proposal_of(case))) for number, case in enumerate(caught)]
