"""The three ways to ask, side by side: here, in a worker that can be killed, and through the doors."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import anyio

from supervisor.action import Action, Context, Stage
from supervisor.catalog.catalog import Catalog
from supervisor.catalog.discovery import Pair
from supervisor.catalog.manifest import Entry
from supervisor.decision.ask import ask, ask_through_doors, has_mark
from supervisor.decision.settle import Terms
from supervisor.engine.offload import Waiting
from supervisor.engine.workers.job import Job
from supervisor.engine.workers.loader import FINGERPRINT, pairs_to_json
from supervisor.engine.workers.payload import Question
from supervisor.engine.workers.pool import Origin, Pool
from supervisor.evidence.actions.fingerprint import fingerprint
from supervisor.policy import Policy
from supervisor.records.codec import content
from supervisor.specialist import PLANT, Specialist, ok
from supervisor.verdict import Cause, Finding, Opinion, Refusal

INLINE_BYTES = 8 * 1024  # what a specialist sees may have, to be asked here
_MOST_KNOWN = 512  # sorts of actions, a few KB each
_NONE: frozenset[str] = frozenset()
_OK = ok()
_NOTHING = Refusal("ended without an answer", Cause.INFRASTRUCTURE)
ContextOf = Callable[[Specialist], Context]


class Dispatch:
    """Asks the specialists of a catalogue as a policy allows. Workers are started when the first is wanted."""

    def __init__(self, catalog: Catalog, policy: Policy) -> None:
        self._catalog = catalog
        self._ours, self._theirs = _pools_for(catalog, policy)
        self._facts = frozenset(name for entry in catalog.entries.values() for name in entry.needs_facts)
        self._marks = frozenset(mark for entry in catalog.entries.values() for mark in entry.marks)
        self._known: dict[tuple[str, Signs, bool], Called] = {}

    def begin(
        self,
        action: Action,
        context: Context,
        terms: Mapping[str, Terms],
        given: Mapping[str, Opinion] = MappingProxyType({}),
        size: int | None = None,
    ) -> PendingVotes:
        """Begins to ask everybody in whose domain the action falls, but those whose opinion is `given`. `terms` tell
        how long each may take, `size` how many bytes they could look at, where that is known.

        Raises TypeError where the context holds what JSON cannot.
        """
        if self._ours is None:
            called = self._called(action.kind, self._signs(action, context), is_small=True)
            return PendingVotes(self._catalog, action, context, terms, dict(given), called.without(given))
        question = Question(action, context) if size is None else None
        small = (question.size if question else size or 0) <= INLINE_BYTES
        called = self._called(action.kind, self._signs(action, context, is_small=small), is_small=small)
        votes = PendingVotes(self._catalog, action, context, terms, dict(given), called.without(given))
        away = {
            pool: [(name, terms[name].budget) for name in names]
            for pool, names in ((self._ours, votes.called.ours), (self._theirs, votes.called.theirs))
            if pool is not None and names
        }
        if away:
            votes.job = Job(question or Question(action, context), away)
            votes.job.begin()
        return votes

    def concern(self, action: Action, context: Context) -> bool:
        """Whether the action concerns anybody, as far as bounded work tells."""
        return any(self._called(action.kind, self._signs(action, context), is_small=True))

    def _signs(self, action: Action, context: Context, *, is_small: bool = True) -> Signs:
        """What a glance shows. What is not small is not looked at here: it would have to be read first."""
        from supervisor.evidence.changes.planted import may_plant
        from supervisor.evidence.changes.prefilter import prefiltered_acts

        facts, ran = self._facts.intersection(context.facts), context.ran
        marks = frozenset(mark for mark in self._marks if has_mark(ran, mark)) if ran else _NONE
        plants = ran is None and action.kind in PLANT and may_plant(action, context)
        acts = prefiltered_acts(action, context) if is_small and not plants else None
        return Signs(context.stage, acts, facts, marks, bool(context.history) or not is_small, plants)

    def _called(self, kind: str, signs: Signs, *, is_small: bool) -> Called:
        """Whom an action concerns, as far as bounded work tells, and where each of them is asked."""
        key = (kind, signs, is_small)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:  # what facts are named is the caller's to choose
                self._known.clear()
            asked = self._catalog.for_kind(kind, signs.stage)
            concerned = [entry for entry in asked if signs.concern(entry) and (signs.plants or entry.covers(kind))]
            return self._known.setdefault(key, self._placed(concerned, is_small))
        return self._known[key]

    def _placed(self, concerned: Sequence[Entry], is_small: bool) -> Called:
        looking = [entry for entry in concerned if not entry.uses_doors]
        here = [entry for entry in looking if self._ours is None or (is_small and entry.is_bounded)]
        away = [entry.id for entry in looking if entry not in here]
        ours = [name for name in away if self._theirs is None or self._catalog.is_ours(name)]
        theirs = [name for name in away if name not in ours]
        doors = [entry.id for entry in concerned if entry.uses_doors]
        return Called(tuple(entry.id for entry in here), tuple(ours), tuple(theirs), tuple(doors))

    def start(self) -> None:
        """Imports what judges here, and waits until a worker is ready that has imported the rest. NoWorker."""
        from supervisor.evidence.changes import prefilter  # noqa: F401 - the first decision would wait for it

        for entry in self._catalog.entries.values():
            if self._ours is None or entry.uses_doors or entry.is_bounded:
                self._catalog.specialist(entry.id)
        for pool in self._pools:
            pool.start()

    async def fingerprint(self, action: Action, context: Context, budget: float, waiting: Waiting) -> frozenset[str]:
        """What the action comes to, for comparison with others; its bare arguments where that cannot be said."""
        if self._ours is None:
            return fingerprint(action, context)
        job = Job(Question(action, replace(context, history=(), ran=None)), {self._ours: [(FINGERPRINT, budget)]})
        try:
            await waiting.finish(job)
        finally:
            job.close()
        found = job.opinions[FINGERPRINT]
        return frozenset(found.evidence) if isinstance(found, Finding) else frozenset({content(action.args)[0]})

    def close(self) -> None:
        """Ends the workers."""
        for pool in self._pools:
            pool.close()

    def abandon(self) -> None:
        """Lets go in a forked child, which begins with lanes of its own."""
        for pool in self._pools:
            pool.abandon()

    @property
    def _pools(self) -> list[Pool]:
        return [pool for pool in (self._ours, self._theirs) if pool is not None]


class Signs(NamedTuple):
    """What bounded work tells of an action: its possible acts (None: any), and which of the facts and of the marks of
    an outcome that anybody needs are there."""

    stage: Stage
    acts: frozenset[str] | None
    facts: frozenset[str]
    marks: frozenset[str]
    has_past: bool
    plants: bool = False  # it may write commands that something runs later

    def concern(self, entry: Entry) -> bool:
        """Whether an action of which they tell may be in this domain."""
        return (
            not (entry.about and self.acts is not None and self.acts.isdisjoint(entry.about))
            and (self.has_past or not entry.needs_past)
            and not (entry.needs_facts and self.facts.isdisjoint(entry.needs_facts))
            and not (entry.marks and self.marks.isdisjoint(entry.marks))
        )


class Called(NamedTuple):
    """Who is asked about an action, and where: in this process, in the workers, through doors."""

    here: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    doors: tuple[str, ...]

    def without(self, given: Container[str]) -> Called:
        """Those whose opinion is not there already."""
        return Called(*(tuple(name for name in names if name not in given) for names in self)) if given else self


@dataclass(slots=True)
class PendingVotes:
    """One action before everybody whom it concerns: some in this process, some in a `job`, some through doors."""

    _catalog: Catalog
    _action: Action
    _context: Context
    _terms: Mapping[str, Terms]
    _said: dict[str, Opinion]
    called: Called
    job: Job | None = None

    async def finish(self, context_of: ContextOf, waiting: Waiting) -> list[tuple[str, Opinion]]:
        """What was said, in catalogue order. Who has nothing to say is left out.

        `context_of` gives a specialist that may use doors a context with doors of its own; `waiting` is how to wait for
        the workers.
        """
        try:
            for name in self.called.here:
                specialist, budget = self._catalog.specialist(name), self._terms[name].budget
                self._said[name] = ask(specialist, self._action, self._context, budget)
            await self._wait(context_of, waiting)
        finally:
            self.close()
        if self.job:
            self._said |= self.job.opinions
        told = [name for name, opinion in self._said.items() if opinion is not _OK]
        told.sort(key=self._catalog.order_of(self._action.kind, self._context.stage).__getitem__)
        return [(name, self._said[name]) for name in told]

    @property
    def unjudged(self) -> str:
        """Why some could not be asked, because no worker was to be had; "" where all were."""
        return self.job.unjudged if self.job else ""

    def close(self) -> None:
        """Ends whoever is still at it."""
        if self.job:
            self.job.close()

    async def _wait(self, context_of: ContextOf, waiting: Waiting) -> None:
        if not self.called.doors:
            if self.job:
                await waiting.finish(self.job)
            return
        self._said |= dict.fromkeys(self.called.doors, _NOTHING)
        async with anyio.create_task_group() as lane:
            for name in self.called.doors:
                lane.start_soon(self._ask_through_doors, self._catalog.specialist(name), context_of)
            if self.job:
                lane.start_soon(waiting.finish, self.job)

    async def _ask_through_doors(self, specialist: Specialist, context_of: ContextOf) -> None:
        budget = self._terms[specialist.id].budget
        self._said[specialist.id] = await ask_through_doors(specialist, self._action, context_of(specialist), budget)


def forks_are_possible() -> bool:
    """Whether this platform has what a fork server needs: an old kernel or a container's filter may refuse it."""
    if sys.platform != "linux":
        return False
    try:
        for file in (os.memfd_create("supervisor-trial"), os.pidfd_open(os.getpid())):
            os.close(file)
    except (AttributeError, OSError):
        return False
    return True


def _pools_for(catalog: Catalog, policy: Policy) -> tuple[Pool | None, Pool | None]:
    """The workers for what ships with the library, and others for what does not, which shall not get in its way."""
    if policy.isolation == "none":
        return None, None
    ours = [pair for pair in catalog.pairs if pair.is_ours]
    theirs = [pair for pair in catalog.pairs if not pair.is_ours]
    return _pool(ours, policy), _pool(theirs, policy) if theirs else None


def _pool(pairs: Sequence[Pair], policy: Policy) -> Pool:
    settings = {"pairs": pairs_to_json(pairs), "memory": policy.workers.memory_mb * 1024 * 1024}
    forks = policy.isolation == "fork" or (policy.isolation == "auto" and forks_are_possible())

    def origin() -> Origin:
        if forks:
            from supervisor.engine.workers.fork_client import Forks

            return Forks(settings)
        from supervisor.engine.workers.spawn import Spawned

        return Spawned(settings)

    return Pool(origin, policy.workers.count or max(2, os.cpu_count() or 1))
