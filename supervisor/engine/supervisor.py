"""The engine: decide on an action, and remember what came of it. The flow is written once, here."""

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
from supervisor.decision.settle import Opinions, Settled, Terms, settle
from supervisor.doors.recorded import RecordingDoors, Told
from supervisor.engine.dispatch import ContextOf, PendingVotes
from supervisor.engine.guard_assets import assets_of
from supervisor.engine.lifecycle import Lifecycle
from supervisor.engine.masking import masked, masked_past, step_of
from supervisor.engine.offload import ASIDE, HERE, Waiting
from supervisor.engine.session import Session
from supervisor.engine.sync import is_deep, run_to_end
from supervisor.engine.terms import terms_for
from supervisor.errors import BadInput, RecordFailed
from supervisor.evidence.machine.assets import FACT, Asset
from supervisor.history import History
from supervisor.intake.json_values import exact, is_small
from supervisor.intake.parsing import shaped
from supervisor.policy import VERDICT_OF, Policy, check_names, read_policy
from supervisor.records.codec import Answers, Prepared, content
from supervisor.specialist import Specialist
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

if TYPE_CHECKING:
    from supervisor.engine.telemetry import Telemetry


class Supervisor(Lifecycle):
    """Decides on actions under one policy.

    Opening one reads the catalogue and checks the policy against it (BadTaxonomy, BadPolicy); doors, records and the
    portal for sync callers are opened when first used. Share one between threads and event loops; `close` it, or leave
    that to the interpreter's exit.
    """

    def __init__(
        self, policy: Policy | None = None, *, catalog: Catalog | None = None, assets: Iterable[Asset] = ()
    ) -> None:
        """`assets` are what belongs to the guard beyond what an engine knows by itself, as a daemon's process."""
        policy = policy or Policy()
        catalog = catalog or in_force(policy)
        check_names(policy, catalog.known)
        super().__init__(policy, catalog)
        self._facts = exact(self.policy.facts)
        self._trust = {"trusted_tools": list(self.policy.trusted_tools)} if self.policy.trusted_tools else {}
        self.guard_assets = assets_of(policy, assets)
        self._terms: dict[tuple[str, Stage], dict[str, Terms]] = {}
        self._telemetry: Telemetry | None = None
        if self.policy.telemetry.enabled:
            from supervisor.engine.telemetry import Telemetry

            self._telemetry = Telemetry(arguments=self.policy.telemetry.arguments)

    @classmethod
    def from_environment(cls) -> Supervisor:
        """Under the policy that SUPERVISOR_POLICY names, or the default one. The working directory is not searched:
        an agent may write there."""
        path = os.environ.get("SUPERVISOR_POLICY")
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
        waiting: Waiting = ASIDE,
    ) -> Decision:
        """See `Engine.decide`. `waiting` is how to wait: by itself so that no event loop is held up."""
        started, now = time.perf_counter(), datetime.now(UTC)
        given = context or (session.context() if session else Context())
        run = HERE.run if waiting is HERE or _is_small(action, given) else waiting.run
        action, seen = await run(self._masked, action, given)
        votes, prepared = await run(self._begun, action, seen, now)
        recorders: dict[str, RecordingDoors] = {}
        opinions = await votes.finish(self._contexts(seen, recorders, now), waiting)
        terms = self._terms_for(action.kind, seen.stage)
        fingerprint = await self._fingerprint(action, seen, opinions, terms, waiting) if session else None
        times_nudged = partial(_times_nudged, session, fingerprint)
        settled = settle(opinions, terms, self.policy, times_nudged, votes.unjudged or None)
        id, asked, took = os.urandom(16).hex(), self.catalog.names_of(action.kind, seen.stage), _ms_since(started)
        if settled.over and prepared is not None:
            settled = await waiting.run(self._approvals.settled, settled, prepared, seen, now)
        answers = {name: recorder.answers for name, recorder in recorders.items()}
        slow = self.policy.records.durability == "sync" or (answers and not is_small(answers))
        write = waiting.run if slow else run
        recorded = partial(self._recorded, prepared, settled, asked, answers, id=id, elapsed_ms=took)
        settled, record, problem = await write(recorded)
        if session is not None and fingerprint is not None and settled.verdict is Verdict.NUDGE:
            session.nudged(settled.by, fingerprint)
        decision = settled.decision(id, action, seen, asked, record, problem, _ms_since(started))
        if self._telemetry is not None:
            self._telemetry.decided(decision, seen.agent)
        return decision

    def decide_from_thread(
        self, action: Action, context: Context | None = None, session: Session | None = None
    ) -> Decision:
        """`decide`, for callers that have no event loop: the same coroutine, run in the portal's loop.

        Where no specialist of the kind waits for the outside, the coroutine has nothing to wait for either, and is run
        to its end right here: that saves two changes of thread, which cost more than the decision. Not on a deep stack:
        what room a parser has shall not depend on the caller.
        """
        if is_deep() or self.catalog.uses_doors(action.kind, context.stage if context else "before"):
            return self.portal.call(self.decide, action, context, session)
        return run_to_end(self.decide(action, context, session, waiting=HERE))

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
        """See `Engine.aobserve`. A large output is copied and masked in a thread."""
        observed = partial(self._observed, session, action, output, failed, context)
        seen = observed() if is_small(output) else await ASIDE.run(observed)
        return await self.decide(action, seen, session) if seen else None

    def remember(
        self, session: Session, action: Action, output: Any = None, *, failed: bool = False, place: int | None = None
    ) -> None:
        """An action that ran joins its session's history, and nobody judges it: what came of it may not be known. At
        its `place`, where that is given and not taken."""
        (step,) = masked([step_of(action, output, failed=failed)], self._ledger.masker)
        session.add(step, place)

    def reverted(self, decision: Decision, problem: str = "") -> Decision:
        """See `Engine.reverted`."""
        told: str = self._ledger.masker.mask_output(problem)
        ended = replace(decision, reverted=told)
        self._ledger.record_revert(ended, datetime.now(UTC))
        return ended

    def _masked(self, action: Action, context: Context) -> tuple[Action, Context]:
        """Both without secrets: what the specialists see is what is recorded, so a replay sees the same."""
        told = (action.tool, action.args, context.task, context.agent, context.session)
        masked: list[Any] = self._ledger.masker.mask([*told, {**self._facts, **context.facts, **self._trust}])
        tool, args, task, agent, session, facts = masked
        history, ran = masked_past(context, self._ledger.masker)
        facts = {**facts, FACT: self.guard_assets}  # ours alone to tell, and told after all others
        return Action(tool, args, action.kind, action.fields), Context(task, history, facts, agent, session, ran=ran)

    def _observed(
        self, session: Session | None, action: Action, output: Any, failed: bool, context: Context | None
    ) -> Context | None:
        """An action that ran joins its session. The context in which it is judged; None where it concerns nobody."""
        is_judged = bool(self.catalog.names_of(action.kind, "after"))
        if session is None and not is_judged:
            return None
        (step,) = masked([step_of(action, output, failed=failed)], self._ledger.masker)
        past = session.add(step) if session else None
        if not is_judged:
            return None
        known = context or (session.context() if session else Context())
        seen = replace(known, history=known.history if past is None else past, ran=step)
        return seen if self._dispatch.concern(replace(action, memo={}), seen) else None

    def _begun(self, action: Action, context: Context, now: datetime) -> tuple[PendingVotes, Prepared | None]:
        """The record as far as it is known already, and the question out to the workers."""
        try:
            prepared = self._ledger.prepare(action, context, now)
            size = prepared.size if prepared else None
            terms = self._terms_for(action.kind, context.stage)
            return self._dispatch.begin(action, context, terms, size=size), prepared
        except TypeError as error:
            raise BadInput(f"the context holds what JSON cannot: {error}", place="context", code="not_json") from None

    def _contexts(self, context: Context, recorders: dict[str, RecordingDoors], now: datetime) -> ContextOf:
        """Gives each specialist that may use doors doors of its own, whose answers are kept in `recorders`."""

        told = Told(self._doors.at(now), self._ledger.masker.mask_output)

        def context_of(specialist: Specialist) -> Context:
            recorders[specialist.id] = recorder = RecordingDoors(told)
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
        """What is settled and its record's address; or what becomes of it where it cannot be recorded, and why."""
        try:
            address = self._ledger.record(prepared, settled, asked, answers, id=id, elapsed_ms=elapsed_ms)
        except RecordFailed as error:
            return settled.unrecorded(VERDICT_OF[self.policy.records.on_failure]), None, str(error)
        return settled, address, None

    async def _fingerprint(
        self,
        action: Action,
        context: Context,
        opinions: Opinions,
        terms: Mapping[str, Terms],
        waiting: Waiting,
    ) -> frozenset[str] | None:
        """What the action comes to, where somebody nudges: only then it is compared with earlier ones."""
        said = (opinion for _, opinion in opinions)
        if any(isinstance(opinion, Finding) and opinion.verdict is Verdict.NUDGE for opinion in said):
            return await self._dispatch.fingerprint(action, context, self.policy.budgets.pure_ms / 1000, waiting)
        if any(_is_stopped_unread(opinion, terms[name]) for name, opinion in opinions):
            return frozenset({content(action.args)[0]})  # to read it once more would take as long again
        return None

    def _terms_for(self, kind: str, stage: Stage) -> dict[str, Terms]:
        if (kind, stage) not in self._terms:
            self._terms[kind, stage] = terms_for(kind, self.catalog, self.policy, stage)
        return self._terms[kind, stage]


def _times_nudged(session: Session | None, fingerprint: frozenset[str] | None, specialist: str) -> int:
    return session.times_nudged(specialist, fingerprint) if session and fingerprint is not None else 0


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def _is_stopped_unread(opinion: Opinion, terms: Terms) -> bool:
    """Whether a specialist could not judge because of the input, and that alone nudges."""
    is_unread = isinstance(opinion, Refusal) and opinion.cause is Cause.INPUT
    return is_unread and terms.on_refuse is Verdict.NUDGE


def _is_small(action: Action, context: Context) -> bool:
    """Whether an event loop may look at all of it without being held up."""
    past = () if isinstance(context.history, History) else context.history
    seen = (action.tool, action.args, context.task, context.facts, past)
    return is_small(*seen) if context.ran is None else is_small(*seen, context.ran.output)
