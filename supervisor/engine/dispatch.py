"""Asks specialists in three ways: in this process, in a worker that can be killed, and through doors."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from supervisor.action import Action, Context, Stage
from supervisor.catalog.catalog import Catalog
from supervisor.catalog.discovery import Pair
from supervisor.catalog.manifest import Entry
from supervisor.decision.ask import Begun, ask, ask_through_doors, begin_through_doors, has_mark
from supervisor.decision.settle import Terms
from supervisor.engine.offload import IN_THREAD, Waiting
from supervisor.engine.workers.loader import FINGERPRINT, pairs_to_json
from supervisor.engine.workers.payload import Question
from supervisor.engine.workers.pool import Origin, Pool
from supervisor.evidence.actions.deed import deed
from supervisor.policy import Policy
from supervisor.records.codec import content
from supervisor.specialist import PAST_SIGNS, PLANTING_KINDS, Specialist, ok
from supervisor.verdict import Cause, Finding, Opinion, Refusal

if TYPE_CHECKING:
    from supervisor.engine.workers.job import Job

INLINE_BYTES = 8 * 1024  # the largest input that is judged in this process
_MOST_ARGS = 64
_MOST_KNOWN = 512  # cached routings, a few KB each
_NONE: frozenset[str] = frozenset()
_OK = ok()
_NOTHING = Refusal("ended without an answer", Cause.INFRASTRUCTURE)
ContextOf = Callable[[Specialist], Context]


class Dispatch:
    """Asks the specialists of a catalogue as a policy allows. Workers start when the first one is needed."""

    def __init__(self, catalog: Catalog, policy: Policy) -> None:
        self._catalog = catalog
        self._ours, self._theirs = _pools_for(catalog, policy)
        self._facts = frozenset(name for entry in catalog.entries.values() for name in entry.needs_facts)
        self._marks = frozenset(mark for entry in catalog.entries.values() for mark in entry.marks)
        self._known: dict[tuple[str, Signs, bool], Routing] = {}

    def begin(
        self,
        action: Action,
        context: Context,
        terms: Mapping[str, Terms],
        given: Mapping[str, Opinion] = MappingProxyType({}),
        size: int | None = None,
    ) -> PendingVotes:
        """Begins to ask every specialist whose domain contains the action, except those with a `given` opinion.

        `terms` has the time budget of each; `size` is the input in bytes, None if unknown. Raises TypeError if the
        context is not valid JSON.
        """
        if self._ours is None:
            routing = self._routing(action.kind, self._signs(action, context), is_small=True)
            return PendingVotes(self._catalog, action, context, terms, dict(given), routing.without(given))
        question = Question(action, context) if size is None else None
        small = (question.size if question else size or 0) <= INLINE_BYTES
        signs = self._signs(action, context, is_small=small or _is_short(action))
        routing = self._routing(action.kind, signs, is_small=small)
        votes = PendingVotes(self._catalog, action, context, terms, dict(given), routing.without(given))
        away = {
            pool: [(name, terms[name].budget) for name in names]
            for pool, names in ((self._ours, votes.routing.ours), (self._theirs, votes.routing.theirs))
            if pool is not None and names
        }
        if away:
            from supervisor.engine.workers.job import Job

            votes.job = Job(question or Question(action, context), away)
            votes.job.begin()
        return votes

    def concern(self, action: Action, context: Context) -> bool:
        """Whether the action may concern any specialist, judged by bounded work."""
        return any(self._routing(action.kind, self._signs(action, context), is_small=True))

    def _signs(self, action: Action, context: Context, *, is_small: bool = True) -> Signs:
        """What the prefilter finds. It does not read a large action; of a long history it reads the end."""
        from supervisor.evidence.changes.planted import may_plant
        from supervisor.evidence.situation.gate import possible_acts

        facts, ran = self._facts.intersection(context.facts), context.ran
        marks = frozenset(mark for mark in self._marks if has_mark(ran, mark)) if ran else _NONE
        plants = ran is None and action.kind in PLANTING_KINDS and may_plant(action, context)
        acts = possible_acts(action, context) if is_small and not plants else None
        past = PAST_SIGNS
        if is_small and context.history:  # a session's first action does not wait for the import
            from supervisor.methods.quiet_past import signs_of_past

            past = signs_of_past(action, context)
        return Signs(context.stage, acts, facts, marks, bool(context.history) or not is_small, plants, past)

    def _routing(self, kind: str, signs: Signs, *, is_small: bool) -> Routing:
        """The specialists that an action may concern, judged by bounded work, and where each is asked."""
        key = (kind, signs, is_small)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:  # callers choose the names of facts, so keys are unbounded
                self._known.clear()
            asked = self._catalog.for_kind(kind, signs.stage)
            concerned = [entry for entry in asked if signs.concern(entry) and (signs.plants or entry.covers(kind))]
            return self._known.setdefault(key, self._routed(concerned, is_small))
        return self._known[key]

    def _routed(self, concerned: Sequence[Entry], is_small: bool) -> Routing:
        looking = [entry for entry in concerned if not entry.uses_doors]
        here = [entry for entry in looking if self._ours is None or (is_small and entry.is_bounded)]
        near = {entry.id for entry in here}
        away = [entry.id for entry in looking if entry.id not in near]
        ours = [name for name in away if self._theirs is None or self._catalog.is_ours(name)]
        theirs = [name for name in away if name not in ours]
        doors = [entry.id for entry in concerned if entry.uses_doors]
        return Routing(tuple(entry.id for entry in here), tuple(ours), tuple(theirs), tuple(doors))

    def start(self) -> None:
        """Imports and rehearses what runs in this process, and waits for a worker that has done so with the
        rest. Raises NoWorker."""
        from supervisor.engine.workers.rehearsal import rehearse, scenes

        here = [
            self._catalog.specialist(entry.id)
            for entry in self._catalog.entries.values()
            if self._ours is None or entry.uses_doors or entry.is_bounded
        ]
        for scene in scenes():
            self.concern(*scene)
        deque(rehearse([each for each in here if self._catalog.is_ours(each.id)]), maxlen=0)
        for pool in self._pools:
            pool.start()

    async def deed(self, action: Action, context: Context, budget: float, waiting: Waiting) -> frozenset[str]:
        """The action's fingerprint and options, for comparison with others; a hash of its arguments if no worker could
        read it."""
        if self._ours is None:
            return deed(action, context)
        from supervisor.engine.workers.job import Job

        job = Job(Question(action, replace(context, history=(), ran=None)), {self._ours: [(FINGERPRINT, budget)]})
        try:
            await waiting.finish(job)
        finally:
            job.close()
        opinion = job.opinions[FINGERPRINT]
        return frozenset(opinion.evidence) if isinstance(opinion, Finding) else frozenset({content(action.args)[0]})

    def close(self) -> None:
        """Ends the workers."""
        for pool in self._pools:
            pool.close()

    def abandon(self) -> None:
        """Drops the workers in a forked child, which starts its own."""
        for pool in self._pools:
            pool.abandon()

    @property
    def _pools(self) -> list[Pool]:
        return [pool for pool in (self._ours, self._theirs) if pool is not None]


class Signs(NamedTuple):
    """What bounded work finds in an action: its possible acts (None: any), which of the facts and outcome marks that
    specialists need are present, and what its past may show."""

    stage: Stage
    acts: frozenset[str] | None
    facts: frozenset[str]
    marks: frozenset[str]
    has_past: bool
    plants: bool = False  # it may write commands that something runs later
    past: frozenset[str] = PAST_SIGNS  # what the past may show

    def concern(self, entry: Entry) -> bool:
        """Whether an action with these signs may be in this domain."""
        return (
            not (entry.about and self.acts is not None and self.acts.isdisjoint(entry.about))
            and (self.has_past or not entry.needs_past)
            and not (entry.past and self.past.isdisjoint(entry.past))
            and not (entry.needs_facts and self.facts.isdisjoint(entry.needs_facts))
            and not (entry.marks and self.marks.isdisjoint(entry.marks))
        )


class Routing(NamedTuple):
    """Where the specialists for an action are asked: in this process, in the workers, through doors."""

    here: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    doors: tuple[str, ...]

    def without(self, given: Container[str]) -> Routing:
        """Those without a given opinion."""
        return Routing(*(tuple(name for name in names if name not in given) for names in self)) if given else self


@dataclass(slots=True)
class PendingVotes:
    """The votes on one action: some from this process, some from a `job`, some through doors."""

    _catalog: Catalog
    _action: Action
    _context: Context
    _terms: Mapping[str, Terms]
    _votes: dict[str, Opinion]
    routing: Routing
    job: Job | None = None

    async def finish(self, context_of: ContextOf, waiting: Waiting) -> list[tuple[str, Opinion]]:
        """The opinions, in catalogue order. A plain `ok` is left out.

        `context_of` gives a specialist that may use doors a context with its own doors; `waiting` is how to wait for
        the workers.
        """
        try:
            for name in self.routing.here:
                specialist, budget = self._catalog.specialist(name), self._terms[name].budget
                self._votes[name] = ask(specialist, self._action, self._context, budget)
            await self._wait(context_of, waiting)
        finally:
            self.close()
        if self.job:
            self._votes |= self.job.opinions
        names = [name for name, opinion in self._votes.items() if opinion is not _OK]
        names.sort(key=self._catalog.order_of(self._action.kind, self._context.stage).__getitem__)
        return [(name, self._votes[name]) for name in names]

    @property
    def unjudged(self) -> str:
        """Why some specialists could not be asked (no worker was available); "" if all were asked."""
        return self.job.unjudged if self.job else ""

    def close(self) -> None:
        """Stops the specialists that are still running."""
        if self.job:
            self.job.close()

    async def _wait(self, context_of: ContextOf, waiting: Waiting) -> None:
        begun: dict[str, Begun | None] = {}
        for name in self.routing.doors:
            opinion = self._begin_through_doors(name, context_of) if self._catalog.is_ours(name) else None
            if opinion is None or isinstance(opinion, Begun):
                begun[name] = opinion
            else:
                self._votes[name] = opinion
        if begun:
            await waiting.in_loop(partial(self._ask_in_loop, begun, context_of))
        elif self.job:
            await waiting.finish(self.job)

    async def _ask_in_loop(self, begun: Mapping[str, Begun | None], context_of: ContextOf) -> None:
        """Asks the specialists that need a loop, side by side, while the workers go on."""
        from anyio import create_task_group

        self._votes |= dict.fromkeys(begun, _NOTHING)
        async with create_task_group() as tasks:
            for name, each in begun.items():
                tasks.start_soon(self._ask_through_doors, name, context_of, each)
            if self.job:
                tasks.start_soon(IN_THREAD.finish, self.job)

    def _begin_through_doors(self, name: str, context_of: ContextOf) -> Opinion | Begun:
        """Asks one of ours up to the point where it needs a loop. A deployment's own may need one in any place."""
        specialist = self._catalog.specialist(name)
        return begin_through_doors(specialist, self._action, context_of(specialist), self._terms[name].budget)

    async def _ask_through_doors(self, name: str, context_of: ContextOf, begun: Begun | None) -> None:
        specialist = self._catalog.specialist(name)
        context = self._context if begun else context_of(specialist)  # what was begun has its doors already
        asked = (specialist, self._action, context, self._terms[name].budget)
        self._votes[name] = await ask_through_doors(*asked, begun)


def _is_short(action: Action) -> bool:
    """Whether all texts of an action are short together, however long its history is."""
    return len(action.args) <= _MOST_ARGS and sum(len(text) for _, text in action.strings()) <= INLINE_BYTES


def forks_are_possible() -> bool:
    """Whether this platform can run a fork server: an old kernel or a container's seccomp filter may refuse it."""
    if sys.platform != "linux":
        return False
    try:
        for file in (os.memfd_create("supervisor-trial"), os.pidfd_open(os.getpid())):
            os.close(file)
    except (AttributeError, OSError):
        return False
    return True


def _pools_for(catalog: Catalog, policy: Policy) -> tuple[Pool | None, Pool | None]:
    """The workers for our specialists, and separate ones for third parties', so that those cannot delay ours."""
    if policy.isolation == "none":
        return None, None
    ours = [pair for pair in catalog.pairs if pair.is_ours]
    theirs = [pair for pair in catalog.pairs if not pair.is_ours]
    return _pool(ours, policy), _pool(theirs, policy) if theirs else None


def _pool(pairs: Sequence[Pair], policy: Policy) -> Pool:
    is_shipped = any(pair.is_ours for pair in pairs)  # a deployment's own judge nothing that its agents did not propose
    settings = {"pairs": pairs_to_json(pairs), "memory": policy.workers.memory_mb * 1024 * 1024, "rehearse": is_shipped}
    forks = policy.isolation == "fork" or (policy.isolation == "auto" and forks_are_possible())

    def origin() -> Origin:
        if forks:
            from supervisor.engine.workers.fork_client import Forks

            return Forks(settings)
        from supervisor.engine.workers.spawn import Spawned

        return Spawned(settings)

    return Pool(origin, policy.workers.count or max(2, os.cpu_count() or 1))
