"""The engine: decide on an action, and remember what came of it. The flow is written once, here."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
import time
import uuid
import weakref
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from supervisor.action import Action, Context, Doors, Step
from supervisor.catalog import Catalog, open_catalog
from supervisor.decision.decision import Decision
from supervisor.decision.fanout import ask_all
from supervisor.deliberation import Deliberation, Terms, deliberate, terms_for
from supervisor.doors.live import LiveDoors
from supervisor.doors.recorded import Recorder
from supervisor.errors import BadInput, RecordFailed
from supervisor.evidence.essence import essence
from supervisor.history import History
from supervisor.policy import VERDICT_OF, Policy, check_names, read_policy
from supervisor.proposal import shaped
from supervisor.records.ledger import Ledger
from supervisor.session import Session
from supervisor.specialist import Specialist
from supervisor.values import exact, plain
from supervisor.verdict import Opinion, Verdict
from supervisor.version import VERSION

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

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
        self.catalog = catalog or open_catalog(self.policy.taxonomy)
        check_names(self.policy, self.catalog.known)
        self._facts = exact(self.policy.facts)
        self._terms: dict[str, dict[str, Terms]] = {}
        self._begin()
        atexit.register(self.close)
        _OPEN.add(self)

    def _begin(self) -> None:
        """What belongs to one process, and is begun again in a forked child: a thread, connections, a segment."""
        doors = self.policy.doors
        self._doors = LiveDoors.of(doors.database, doors.http, doors.model)
        self._ledger = Ledger(self.policy, {"supervisor": VERSION, "specialists": self.catalog.digests()})
        self._lock = threading.RLock()
        self._portal: BlockingPortal | None = None
        self._closing = contextlib.ExitStack()

    def _begin_in_child(self) -> None:
        """Closing what the parent opened would wait for a thread that is not there, or hang up the parent's calls."""
        _INHERITED.append((self._doors, self._ledger, self._lock, self._portal, self._closing))
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

    async def decide(self, action: Action, context: Context | None = None, session: Session | None = None) -> Decision:
        """The decision on one action. When it returns, its record is on disk.

        `session` remembers nudges, and is the context where none is given. Policy never raises; the caller's own
        cancellation does, and BadInput where the context holds what no record could.
        """
        started, now = time.perf_counter(), datetime.now(UTC)
        action, context = self._masked(action, context or (session.context() if session else Context()))
        recorders: dict[str, Recorder] = {}
        opinions = await self._opinions(action, context, recorders, self._doors.at(now))
        deliberation = self._deliberate(opinions, action, context, session)
        decision = _decision(action, context, opinions, deliberation, started)
        answers = {name: recorder.answers for name, recorder in recorders.items()}
        record, problem = None, None
        try:
            record = self._ledger.record(decision, context, deliberation.earlier, answers, now)
        except RecordFailed as error:
            decision, problem = self._unrecorded(decision), str(error)
        except TypeError as error:
            raise BadInput(f"the context holds what JSON cannot: {error}", place="context", code="not_json") from None
        if session is not None and decision.verdict is Verdict.NUDGE:
            session.nudged(decision.by, essence(action, context))
        elapsed = (time.perf_counter() - started) * 1000
        return replace(decision, record=record, record_error=problem, elapsed_ms=elapsed)

    def decide_from_thread(
        self, action: Action, context: Context | None = None, session: Session | None = None
    ) -> Decision:
        """`decide`, for callers that have no event loop: the same coroutine, run in the portal's loop.

        Where no specialist of the kind waits for the outside, the coroutine has nothing to wait for either, and is run
        to its end right here: that saves two changes of thread, which cost more than the decision. Not on a deep stack:
        what room a parser has shall not depend on the caller.
        """
        if _is_deep() or any(specialist.uses_doors for specialist in self.catalog.for_kind(action.kind)):
            return self.portal.call(self.decide, action, context, session)
        return _run_to_end(self.decide(action, context, session))

    def observe(self, session: Session, action: Action, output: Any, *, failed: bool = False) -> None:
        """An action that ran joins its session's history, with what its tool returned or raised."""
        session.add(self._masked_step(Step(action.tool, action.args, plain(output), action.kind, failed)))

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
            self._doors.close()
            self._ledger.close()

    def _masked(self, action: Action, context: Context) -> tuple[Action, Context]:
        """Both without secrets: what the specialists see is what is recorded, so a replay sees the same."""
        mask = self._ledger.masker.mask
        tool, args = mask(action.tool), mask(action.args)
        task, agent, session = mask(context.task), mask(context.agent), mask(context.session)
        facts = mask({**self._facts, **context.facts})
        history = context.history
        if not isinstance(history, History):
            history = History(self._masked_step(step) for step in history)
        return Action(tool, args, action.kind, action.fields), Context(task, history, facts, agent, session)

    def _masked_step(self, step: Step) -> Step:
        mask = self._ledger.masker.mask
        return replace(step, tool=mask(step.tool), args=mask(step.args), output=mask(step.output))

    async def _opinions(
        self, action: Action, context: Context, recorders: dict[str, Recorder], doors: Doors
    ) -> list[tuple[str, Opinion]]:
        def context_of(specialist: Specialist) -> Context:
            if not specialist.uses_doors:
                return context
            recorders[specialist.id] = recorder = Recorder(doors, self._ledger.masker.mask)
            return replace(context, doors=recorder)

        terms, asked = self._terms_for(action.kind), self.catalog.for_kind(action.kind)
        said = await ask_all(asked, action, context_of, lambda specialist: terms[specialist.id].budget)
        return [(specialist.id, opinion) for specialist, opinion in zip(asked, said, strict=True)]

    def _deliberate(
        self, opinions: list[tuple[str, Opinion]], action: Action, context: Context, session: Session | None
    ) -> Deliberation:
        def times_nudged(specialist: str) -> int:
            return session.times_nudged(specialist, essence(action, context)) if session else 0

        return deliberate(opinions, self._terms_for(action.kind), self.policy.patience, times_nudged)

    def _terms_for(self, kind: str) -> dict[str, Terms]:
        if kind not in self._terms:
            self._terms[kind] = terms_for(kind, self.catalog, self.policy)
        return self._terms[kind]

    def _unrecorded(self, decision: Decision) -> Decision:
        """What becomes of an action whose decision could not be recorded: at least what the policy says."""
        least = VERDICT_OF[self.policy.records.on_failure]
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
    opinions: list[tuple[str, Opinion]],
    deliberation: Deliberation,
    started: float,
) -> Decision:
    outcome, review = deliberation.outcome, deliberation.united.review
    told = (outcome.verdict, action, outcome.by, outcome.correction, review, tuple(opinions), context.session)
    return Decision(uuid.uuid4().hex, *told, elapsed_ms=(time.perf_counter() - started) * 1000)
