"""The engine: it decides on actions and remembers their outcomes. This is the only place that has the flow."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from supervisor.action import Action, Context, Stage
from supervisor.catalog.catalog import Catalog, in_force
from supervisor.decision.decision import Decision
from supervisor.decision.sampling import with_sample
from supervisor.decision.settle import Opinions, Settled, Terms, settle, watched
from supervisor.engine.dispatch import ContextOf, PendingVotes
from supervisor.engine.guard_assets import assets_of
from supervisor.engine.lifecycle import Lifecycle
from supervisor.engine.masking import masked, step_of
from supervisor.engine.offload import IN_THREAD, Inline, Waiting
from supervisor.engine.session import Session
from supervisor.engine.sync import is_deep, run_to_end
from supervisor.engine.terms import terms_for
from supervisor.errors import BadInput, RecordFailed
from supervisor.evidence.machine.assets import FACT, Asset
from supervisor.history import History
from supervisor.intake.json_values import exact, is_small
from supervisor.intake.parsing import shaped
from supervisor.memory import FACT as MEMORY
from supervisor.memory import without_options
from supervisor.policy import VERDICT_OF, Policy, own_policy_file, read_policy
from supervisor.records.codec import Answers, Prepared, content
from supervisor.specialist import Specialist
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

if TYPE_CHECKING:
    from supervisor.doors.recorded import RecordingDoors, SharedAnswers
    from supervisor.engine.telemetry import Telemetry


class Supervisor(Lifecycle):
    """Decides on actions under one policy.

    The constructor reads the catalogue and checks the policy against it. Raises BadTaxonomy or BadPolicy. Doors,
    records and the portal for sync callers open at their first use. Threads and event loops can share one. Call
    `close`, or the interpreter closes it at its exit.
    """

    def __init__(
        self, policy: Policy | None = None, *, catalog: Catalog | None = None, assets: Iterable[Asset] = ()
    ) -> None:
        """`assets` are the guard's assets that an engine cannot find by itself, such as a daemon's process."""
        given, policy = policy, policy or Policy()
        catalog = catalog or in_force(policy)
        if given is not None:  # the default policy names nothing, so that its start need not import the checks
            from supervisor.catalog.policy_names import check_names

            check_names(given, catalog)
        super().__init__(policy, catalog)
        self._facts = exact(self.policy.facts)
        self._trust = {"trusted_tools": list(self.policy.trusted_tools)} if self.policy.trusted_tools else {}
        self.guard_assets = assets_of(policy, assets)
        self._terms: dict[tuple[str, Stage], dict[str, Terms]] = {}
        self._masked_names: dict[str, str] = {}
        self._inline = Inline(lambda: self.portal)
        self._telemetry: Telemetry | None = None
        if self.policy.telemetry.enabled:
            from supervisor.engine.telemetry import Telemetry

            self._telemetry = Telemetry(arguments=self.policy.telemetry.arguments)

    @classmethod
    def from_environment(cls) -> Supervisor:
        """An engine with the user's policy (see `own_policy_file`), or the default policy."""
        path = own_policy_file()
        return cls(read_policy(path) if path else None)

    def action(
        self,
        tool: str,
        args: Mapping[str, Any],
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        parameters: frozenset[str] | None = None,
    ) -> Action:
        """See `Engine.action`."""
        return shaped(tool, args, kind, self.policy.tools, fields, parameters)

    async def decide(
        self,
        action: Action,
        context: Context | None = None,
        session: Session | None = None,
        *,
        waiting: Waiting = IN_THREAD,
        is_known: bool | None = None,
    ) -> Decision:
        """See `Engine.decide`. `waiting` is how to wait; the default does not block the event loop. `is_known` is
        whether what is remembered of the agent may concern the action, None to look it up."""
        started, now = time.perf_counter(), datetime.now(UTC)
        given = context or (session.context() if session else Context())
        run = self._inline.run if waiting is self._inline or _is_small(action, given) else waiting.run
        action, seen = await run(self._masked, action, given, is_known)
        votes, prepared = await run(self._begun, action, seen, now)
        recorders: dict[str, RecordingDoors] = {}
        opinions = await votes.finish(self._contexts(seen, recorders, now), waiting)
        terms = self._terms_for(action.kind, seen.stage)
        scene = self._memory.scene(action, seen, now.timestamp()) if self._memory is not None else None
        deed = await self._deed(action, seen, opinions, terms, waiting) if session or scene else None
        fingerprint = None if deed is None or session is None else without_options(deed)
        times_nudged = partial(_times_nudged, session, fingerprint)
        weight = partial(self._memory.weight, scene, deed or frozenset()) if self._memory and scene else None
        exemptions = self._lifting.fitting(opinions, terms, action, seen, now) if opinions else {}
        settled = settle(opinions, terms, self.policy, times_nudged, votes.unjudged or None, exemptions, weight)
        id, asked, took = os.urandom(16).hex(), self.catalog.names_of(action.kind, seen.stage), _ms_since(started)
        if settled.over and prepared is not None:
            settled = await waiting.run(self._approvals.settled, settled, prepared, seen, now)
        answers = {name: recorder.answers for name, recorder in recorders.items()}
        if self._memory is not None and scene is not None:
            settled = watched(settled, await run(self._memory.unheeded, scene), self.policy)
        settled = with_sample(settled, answers, id, self.policy.review.judges)
        slow = self.policy.records.durability == "sync" or (answers and not is_small(answers))
        write = waiting.run if slow else run
        recorded = partial(self._recorded, prepared, settled, asked, answers, id=id, elapsed_ms=took)
        settled, record, problem = await write(recorded)
        if session is not None and fingerprint is not None and settled.verdict is Verdict.NUDGE:
            session.nudged(settled.by, fingerprint)
        if self._memory is not None and scene is not None and self._memory.is_told(scene, settled):
            read = partial(self._read_deed, action, seen, waiting, deed)
            await self._memory.note(scene, settled, id, read)
        decision = settled.decision(id, action, seen, asked, record, problem, _ms_since(started))
        if self._telemetry is not None:
            self._telemetry.decided(decision, seen.agent)
        return decision

    def decide_from_thread(
        self, action: Action, context: Context | None = None, session: Session | None = None
    ) -> Decision:
        """`decide`, for callers that have no event loop: the same coroutine, run in the portal's loop.

        The coroutine never suspends, and runs to its end in this thread: only specialists that ask their doors wait in
        the portal's loop. That saves two thread switches, which cost more than the decision. On a deep stack the portal
        runs it, so that the caller does not decide how much stack a parser has.
        """
        given = context or (session.context() if session else Context())
        is_known = self._memory is not None and self._remembers(action, given)
        if is_deep() or is_known:
            return self.portal.call(self.decide, action, given, session)
        return run_to_end(self.decide(action, given, session, waiting=self._inline, is_known=False))

    def _remembers(self, action: Action, context: Context) -> bool:
        """Whether what is remembered of the agent, known by its masked name, may concern the action."""
        if self._memory is None or not context.agent:
            return False
        return self._memory.concerns(action, context, self._name(context.agent), time.time())

    def _name(self, agent: str) -> str:
        """An agent's name without secrets."""
        known = self._masked_names.get(agent)
        if known is None:
            if len(self._masked_names) >= _MOST_NAMES:
                self._masked_names.clear()
            masked: Any = self._ledger.masker.mask([agent])
            known = self._masked_names[agent] = masked[0]
        return known

    def observe(
        self,
        session: Session | None,
        action: Action,
        output: Any,
        *,
        failed: bool = False,
        context: Context | None = None,
    ) -> Decision | None:
        """See `Engine.observe`."""
        seen = self._observed(session, action, output, failed, context)
        return self.decide_from_thread(action, seen, session) if seen else None

    async def aobserve(
        self,
        session: Session | None,
        action: Action,
        output: Any,
        *,
        failed: bool = False,
        context: Context | None = None,
    ) -> Decision | None:
        """See `Engine.aobserve`. Copies and masks a large output in a thread."""
        observed = partial(self._observed, session, action, output, failed, context)
        seen = observed() if is_small(output) else await IN_THREAD.run(observed)
        return await self.decide(action, seen, session) if seen else None

    def remember(
        self, session: Session, action: Action, output: Any = None, *, failed: bool = False, place: int | None = None
    ) -> None:
        """Adds an action that ran to its session's history without judging it: its outcome may be unknown.

        `place` is its number in the history; it is added only if it is the next one.
        """
        (step,) = masked([step_of(action, output, failed=failed)], self._ledger.masker)
        session.add(step, place)
        _look_at_newest(session)

    def reverted(self, decision: Decision, problem: str = "") -> Decision:
        """See `Engine.reverted`."""
        masked_problem: str = self._ledger.masker.mask_output(problem)
        ended = replace(decision, reverted=masked_problem)
        self._ledger.record_revert(ended, datetime.now(UTC))
        return ended

    def _masked(self, action: Action, context: Context, is_known: bool | None = None) -> tuple[Action, Context]:
        """Both without secrets. Specialists see exactly what is recorded, so a replay sees the same."""
        scene = (action.tool, action.args, context.task, context.agent, context.session)
        masked: list[Any] = self._ledger.masker.mask([*scene, {**self._facts, **context.facts, **self._trust}])
        tool, args, task, agent, session, facts = masked
        history, ran = self._told.past_of(context)
        facts = {**facts, FACT: self.guard_assets}  # last, so that no caller's fact replaces it
        facts.pop(MEMORY, None)
        if self._memory is not None and (self._remembers(action, context) if is_known is None else is_known):
            facts[MEMORY] = True  # the specialists that ask the memory are asked
        return Action(tool, args, action.kind, action.fields), Context(task, history, facts, agent, session, ran=ran)

    def _observed(
        self, session: Session | None, action: Action, output: Any, failed: bool, context: Context | None
    ) -> Context | None:
        """Adds an action that ran to its session. Returns the context to judge it in; None if it concerns no
        specialist."""
        is_judged = bool(self.catalog.names_of(action.kind, "after"))
        if session is None and not is_judged:
            return None
        (step,) = masked([step_of(action, output, failed=failed)], self._ledger.masker)
        past = session.add(step) if session else None
        if session is not None:
            _look_at_newest(session)
        if not is_judged:
            return None
        known = context or (session.context() if session else Context())
        seen = replace(known, history=known.history if past is None else past, ran=step)
        return seen if self._dispatch.concern(replace(action, memo={}), seen) else None

    def _begun(self, action: Action, context: Context, now: datetime) -> tuple[PendingVotes, Prepared | None]:
        """Sends the question to the workers. Returns the pending votes and the part of the record that is known."""
        try:
            prepared = self._ledger.prepare(action, context, now)
            size = prepared.size if prepared else None
            terms = self._terms_for(action.kind, context.stage)
            return self._dispatch.begin(action, context, terms, size=size), prepared
        except TypeError as error:
            raise BadInput(
                f"the context has a value that JSON cannot represent: {error}", place="context", code="not_json"
            ) from None

    def _contexts(self, context: Context, recorders: dict[str, RecordingDoors], now: datetime) -> ContextOf:
        """A function that gives each specialist its own doors. `recorders` keeps their answers."""
        shared: list[SharedAnswers] = []  # made when the first specialist needs its doors

        def context_of(specialist: Specialist) -> Context:
            from supervisor.doors.recorded import RecordingDoors, SharedAnswers

            if not shared:
                recall = partial(self._memory.recall, context.agent, now.timestamp()) if self._memory else None
                doors = self._doors.at(now, recall)
                shared.append(SharedAnswers(doors, self._ledger.masker.mask_output, doors.check))
            recorders[specialist.id] = recorder = RecordingDoors(shared[0])
            return replace(context, doors=recorder)

        return context_of

    def _recorded(
        self,
        prepared: Prepared | None,
        settled: Settled,
        asked: tuple[str, ...],
        answers: Answers,
        *,
        id: str,
        elapsed_ms: float,
    ) -> tuple[Settled, str | None, str | None]:
        """Writes the record. Returns what is settled, the record's address, and the problem if it was not written."""
        try:
            address = self._ledger.record(prepared, settled, asked, answers, id=id, elapsed_ms=elapsed_ms)
        except RecordFailed as error:
            return settled.unrecorded(VERDICT_OF[self.policy.records.on_failure]), None, str(error)
        return settled, address, None

    async def _read_deed(
        self, action: Action, context: Context, waiting: Waiting, known: frozenset[str] | None
    ) -> frozenset[str]:
        """The action's deed if it is not `known` yet."""
        if known is not None:
            return known
        return await self._dispatch.deed(action, context, self.policy.budgets.pure_ms / 1000, waiting)

    async def _deed(
        self,
        action: Action,
        context: Context,
        opinions: Opinions,
        terms: Mapping[str, Terms],
        waiting: Waiting,
    ) -> frozenset[str] | None:
        """The action's deed if a specialist nudges, else None: only nudges are compared with earlier ones."""
        votes = (opinion for _, opinion in opinions)
        if any(isinstance(opinion, Finding) and opinion.verdict is Verdict.NUDGE for opinion in votes):
            return await self._dispatch.deed(action, context, self.policy.budgets.pure_ms / 1000, waiting)
        if any(_is_stopped_unread(opinion, terms[name]) for name, opinion in opinions):
            return frozenset({content(action.args)[0]})  # reading it again would take as long again
        return None

    def _terms_for(self, kind: str, stage: Stage) -> dict[str, Terms]:
        if (kind, stage) not in self._terms:
            self._terms[kind, stage] = terms_for(kind, self.catalog, self.policy, stage)
        return self._terms[kind, stage]


_MOST_NAMES = 256


def _times_nudged(session: Session | None, fingerprint: frozenset[str] | None, specialist: str) -> int:
    return session.times_nudged(specialist, fingerprint) if session and fingerprint is not None else 0


def _look_at_newest(session: Session) -> None:
    """Looks at a new step's output for the decisions that follow."""
    from supervisor.methods.past_outputs import look_at

    look_at(History.of(session.context().history))


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def _is_stopped_unread(opinion: Opinion, terms: Terms) -> bool:
    """Whether a specialist refused because of the input, and its terms turn that into a nudge."""
    is_unread = isinstance(opinion, Refusal) and opinion.cause is Cause.INPUT
    return is_unread and terms.on_refuse is Verdict.NUDGE


def _is_small(action: Action, context: Context) -> bool:
    """Whether it is small enough to be read on an event loop."""
    past = () if isinstance(context.history, History) else context.history
    seen = (action.tool, action.args, context.task, context.facts, past)
    return is_small(*seen) if context.ran is None else is_small(*seen, context.ran.output)
