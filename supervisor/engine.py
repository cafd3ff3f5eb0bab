"""The engine: decide on an action, and remember what came of it. The flow is written once, here."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
import time
import weakref
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from supervisor.action import Action, Context, Step
from supervisor.approvals import Approvals
from supervisor.catalog import Catalog, in_force
from supervisor.decision.approval import Approval
from supervisor.decision.decision import Decision
from supervisor.deliberation import Deliberation, Terms, deliberate, terms_for
from supervisor.doors.live import LiveDoors
from supervisor.doors.recorded import Recorder
from supervisor.errors import BadInput, RecordFailed
from supervisor.history import History
from supervisor.isolation.lanes import ContextOf, Hearing, Lanes
from supervisor.isolation.waiting import ASIDE, HERE, Waiting
from supervisor.policy import VERDICT_OF, Policy, check_names, read_policy
from supervisor.proposal import shaped
from supervisor.records.decided import Prepared
from supervisor.records.ledger import Ledger
from supervisor.records.queue import Queue
from supervisor.session import Session
from supervisor.specialist import Specialist
from supervisor.values import exact, is_small, plain
from supervisor.verdict import Finding, Opinion, Verdict
from supervisor.version import VERSION

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from supervisor.telemetry import Telemetry

_ROOM = 100  # frames of a caller, on top of which a decision is still made
_OPEN: weakref.WeakSet[Supervisor] = weakref.WeakSet()
_INHERITED: list[Any] = []  # what forked children were born with: kept, so that nothing closes it


class Supervisor:
    """Decides on actions under one policy.

    Opening one reads the catalogue and checks the policy against it (BadTaxonomy, BadPolicy); doors, records and the
    portal for sync callers are opened when first used. Share one between threads and event loops; `close` it, or leave
    that to the interpreter's exit.
    """

    def __init__(self, policy: Policy | None = None, *, catalog: Catalog | None = None) -> None:
        self.policy = policy or Policy()
        self.catalog = catalog or in_force(self.policy)
        check_names(self.policy, self.catalog.known)
        self._facts = exact(self.policy.facts)
        self._trust = {"trusted_tools": list(self.policy.trusted_tools)} if self.policy.trusted_tools else {}
        self._terms: dict[str, dict[str, Terms]] = {}
        self._telemetry: Telemetry | None = None
        if self.policy.telemetry.enabled:
            from supervisor.telemetry import Telemetry

            self._telemetry = Telemetry(arguments=self.policy.telemetry.arguments)
        self._begin()
        atexit.register(self.close)
        _OPEN.add(self)

    def _begin(self) -> None:
        """What belongs to one process, and is begun again in a forked child: a thread, connections, a segment."""
        doors = self.policy.doors
        self._doors = LiveDoors.of(doors.database, doors.http, doors.model)
        self._ledger = Ledger(self.policy, {"supervisor": VERSION, "specialists": self.catalog.digests()})
        self._approvals = Approvals(self.policy, self.catalog, lambda: self.queue)
        self._lanes = Lanes(self.catalog, self.policy)
        self._lock = threading.RLock()
        self._portal: BlockingPortal | None = None
        self._closing = contextlib.ExitStack()

    def _begin_in_child(self) -> None:
        """Closing what the parent opened would wait for a thread that is not there, or hang up the parent's calls."""
        self._lanes.abandon()
        _INHERITED.append((self._doors, self._ledger, self._lanes, self._lock, self._portal, self._closing))
        self._begin()

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
        """The action that a tool call is, in this deployment's terms; see `proposal.shaped`."""
        return shaped(tool, args, kind, self.policy.tools, fields, parameters)

    async def decide(
        self,
        action: Action,
        context: Context | None = None,
        session: Session | None = None,
        *,
        waiting: Waiting = ASIDE,
    ) -> Decision:
        """The decision on one action. When it returns, its record is on disk.

        `session` remembers nudges, and is the context where none is given. `waiting` is how to wait: by itself so that
        no event loop is held up. Policy never raises; the caller's own cancellation does, and BadInput where the
        context holds what no record could, or where more looks like secrets than can be masked in time.
        """
        started, now = time.perf_counter(), datetime.now(UTC)
        given = context or (session.context() if session else Context())
        run = HERE.run if waiting is HERE or _is_small(action, given) else waiting.run
        action, seen = await run(self._masked, action, given)
        hearing, prepared = await run(self._begun, action, seen, now)
        recorders: dict[str, Recorder] = {}
        opinions = await hearing.finish(self._contexts(seen, recorders, now), waiting)
        essence = await self._essence(action, seen, opinions, waiting) if session else None
        deliberation = self._deliberate(opinions, action, session, essence)
        asked = self.catalog.names_of(action.kind)
        decision = _decision(action, seen, asked, opinions, deliberation, started)
        if hearing.unjudged:
            decision = replace(_at_least(decision, self.policy.workers.on_failure), unjudged=hearing.unjudged)
        elif prepared is not None and decision.verdict and self.policy.approval.ask:
            judged = (decision, deliberation.objections, prepared, seen, now)
            decision = await waiting.run(self._approvals.settled, *judged)
        answers = {name: recorder.answers for name, recorder in recorders.items()}
        record, problem = None, None
        try:
            slow = self.policy.records.durability == "sync" or (answers and not is_small(answers))
            write = waiting.run if slow else run
            record = await write(self._ledger.record, prepared, decision, deliberation.earlier, answers)
        except RecordFailed as error:
            decision, problem = _at_least(decision, self.policy.records.on_failure), str(error)
            decision = replace(decision, approval=None) if decision.is_asked else decision
        if session is not None and essence is not None and decision.verdict is Verdict.NUDGE:
            session.nudged(decision.by, essence)
        decision.complete(record, problem, (time.perf_counter() - started) * 1000)
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
        if _is_deep() or self.catalog.uses_doors(action.kind):
            return self.portal.call(self.decide, action, context, session)
        return _run_to_end(self.decide(action, context, session, waiting=HERE))

    def observe(self, session: Session, action: Action, output: Any, *, failed: bool = False) -> None:
        """An action that ran joins its session's history, with what its tool returned or raised."""
        step = Step(action.tool, action.args, plain(output), action.kind, failed)
        session.add(*self._masked_steps([step]))

    async def aobserve(self, session: Session, action: Action, output: Any, *, failed: bool = False) -> None:
        """`observe`, from a coroutine: a large output is copied and masked in a thread."""
        if is_small(output):
            self.observe(session, action, output, failed=failed)
        else:
            await ASIDE.run(partial(self.observe, session, action, output, failed=failed))

    def start(self) -> None:
        """Imports what judges and starts the workers, which the first decision would do otherwise. NoWorker."""
        self._doors.start()
        self._lanes.start()

    @property
    def queue(self) -> Queue:
        """The questions that wait for a person. BadPolicy where records are off."""
        return self._ledger.queue

    def answer(self, name: str, word: str, by: str, note: str = "", via: str = "") -> dict[str, Any]:
        """A person's answer to a question; see `Queue.answer`."""
        return self.queue.answer(name, word, by, note, via).to_json()

    def resumed(self, name: str, host: str) -> None:
        """An action has run because its host's own user said yes; see `Queue.resumed`."""
        self.queue.resumed(name, host)

    def is_answered(self, approval: Approval) -> bool:
        """Whether a person has answered, so that the action may be proposed again."""
        return self.queue.has_answer(approval.name)

    @property
    def portal(self) -> BlockingPortal:
        """The event loop in a thread of its own through which sync callers reach this engine."""
        from anyio.from_thread import start_blocking_portal

        with self._lock:
            if self._portal is None:
                self._portal = self._closing.enter_context(start_blocking_portal())
            return self._portal

    def close(self) -> None:
        """Stops the portal, closes the doors and seals the records."""
        atexit.unregister(self.close)
        with self._lock:
            self._closing.close()
            self._portal = None
            self._lanes.close()
            self._doors.close()
            self._ledger.close()

    def _masked(self, action: Action, context: Context) -> tuple[Action, Context]:
        """Both without secrets: what the specialists see is what is recorded, so a replay sees the same."""
        told = (action.tool, action.args, context.task, context.agent, context.session)
        masked: list[Any] = self._ledger.masker.mask([*told, {**self._facts, **context.facts, **self._trust}])
        tool, args, task, agent, session, facts = masked
        history = context.history
        if not isinstance(history, History):
            history = History(self._masked_steps(history) if history else ())
        return Action(tool, args, action.kind, action.fields), Context(task, history, facts, agent, session)

    def _masked_steps(self, steps: Sequence[Step]) -> list[Step]:
        """What is past is masked whatever it holds: all of it together, so that its length bounds no more than one."""
        told: list[Any] = self._ledger.masker.mask_output([[step.tool, step.args, step.output] for step in steps])
        pairs = zip(steps, told, strict=True)
        return [Step(tool, args, output, step.kind, step.failed) for step, (tool, args, output) in pairs]

    def _begun(self, action: Action, context: Context, now: datetime) -> tuple[Hearing, Prepared | None]:
        """The record as far as it is known already, and the question out to the workers."""
        try:
            prepared = self._ledger.prepare(action, context, now)
            size = prepared.size if prepared else None
            return self._lanes.begin(action, context, self._terms_for(action.kind), size=size), prepared
        except TypeError as error:
            raise BadInput(f"the context holds what JSON cannot: {error}", place="context", code="not_json") from None

    def _contexts(self, context: Context, recorders: dict[str, Recorder], now: datetime) -> ContextOf:
        """Gives each specialist that may use doors doors of its own, whose answers are kept in `recorders`."""

        def context_of(specialist: Specialist) -> Context:
            recorders[specialist.id] = recorder = Recorder(self._doors.at(now), self._ledger.masker.mask_output)
            return replace(context, doors=recorder)

        return context_of

    async def _essence(
        self, action: Action, context: Context, opinions: list[tuple[str, Opinion]], waiting: Waiting
    ) -> frozenset[str] | None:
        """What the action comes to, where somebody nudges: only then it is compared with earlier ones."""
        said = (opinion for _, opinion in opinions)
        if not any(isinstance(opinion, Finding) and opinion.verdict is Verdict.NUDGE for opinion in said):
            return None
        return await self._lanes.essence(action, context, self.policy.budgets.pure_ms / 1000, waiting)

    def _deliberate(
        self,
        opinions: list[tuple[str, Opinion]],
        action: Action,
        session: Session | None,
        essence: frozenset[str] | None,
    ) -> Deliberation:
        def times_nudged(specialist: str) -> int:
            return session.times_nudged(specialist, essence) if session and essence is not None else 0

        return deliberate(opinions, self._terms_for(action.kind), self.policy.patience, times_nudged)

    def _terms_for(self, kind: str) -> dict[str, Terms]:
        if kind not in self._terms:
            self._terms[kind] = terms_for(kind, self.catalog, self.policy)
        return self._terms[kind]


def _is_small(action: Action, context: Context) -> bool:
    """Whether an event loop may look at all of it without being held up."""
    past = () if isinstance(context.history, History) else context.history
    return is_small(action.tool, action.args, context.task, context.facts, past)


def _at_least(decision: Decision, level: str) -> Decision:
    """What becomes of an action that could not be judged or recorded: at least what the policy says."""
    least = VERDICT_OF[level]
    if decision.verdict >= least:
        return decision
    review = decision.review or least is Verdict.FLAG
    return replace(decision, verdict=least, by=(), correction="", review=review)


def _is_deep() -> bool:
    frame, room = sys._getframe(1), _ROOM
    while frame.f_back is not None and room:
        frame, room = frame.f_back, room - 1
    return not room


def _run_to_end(coroutine: Coroutine[Any, Any, Decision]) -> Decision:
    try:
        coroutine.send(None)
    except StopIteration as ended:
        return ended.value  # type: ignore[no-any-return]
    coroutine.close()
    raise RuntimeError("a decision that nobody waits for has waited")


def _begin_in_child() -> None:
    for supervisor in list(_OPEN):
        supervisor._begin_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)


def _decision(
    action: Action,
    context: Context,
    asked: tuple[str, ...],
    opinions: list[tuple[str, Opinion]],
    deliberation: Deliberation,
    started: float,
) -> Decision:
    outcome, review = deliberation.outcome, deliberation.united.review
    told = (outcome.verdict, action, outcome.by, outcome.correction, review, tuple(opinions), context.session)
    elapsed = (time.perf_counter() - started) * 1000
    return Decision(os.urandom(16).hex(), *told, elapsed_ms=elapsed, asked=asked)
