"""The base of all adapters: judges a host's tool call, runs or refuses it, and judges and remembers its outcome."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

import anyio
import orjson

from supervisor.adapters.function.guard import Guard, Waits, guard
from supervisor.adapters.function.refusals import error_text
from supervisor.adapters.function.wrap import ajudge_outcome, judge_outcome
from supervisor.adapters.proposed import Objection, Proposed
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.errors import BadInput, SupervisorError
from supervisor.intake.json_values import clean
from supervisor.records.questions import NotAsked
from supervisor.records.queue import MAX_NOTE

T = TypeVar("T")
MAX_SESSIONS = 1_000  # conversations of one host; the least recently used is dropped
MAX_TOOLS = 64  # in the fact `tools`
MAX_DESCRIPTION = 4_096  # characters
MAX_CALLS = 10_000  # that run, or that a host may propose twice; the oldest is dropped
logger = logging.getLogger("supervisor")


class Calls:
    """The tool calls of one host.

    A call belongs to the caller's session (`with guard.session(...)`) if there is one, else to a session of the host's
    conversation, with this agent, task and facts. No method raises: an internal error has the verdict of the policy's
    `workers.on_failure`, by default block.
    """

    def __init__(
        self,
        guarded_by: Guard | None = None,
        *,
        agent: str | None = None,
        task: str | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        self.guard = guarded_by or guard
        policy = self.guard.supervisor.policy  # raises BadPolicy if it cannot be read
        self._on_failure = policy.workers.on_failure if policy else "block"
        self._agent, self._task, self._facts = agent, task, facts
        self._sessions: OrderedDict[Hashable, Session] = OrderedDict()
        self._proposed: OrderedDict[Hashable, Proposed] = OrderedDict()
        self._running: OrderedDict[Hashable, Proposed] = OrderedDict()
        self._lock = threading.Lock()

    def session(self, conversation: Hashable = None, asked: Iterable[str] = ()) -> Session:
        """The session of a call. `asked` are the user's messages in this conversation; they are the task if none was
        given."""
        if current := self.guard.current_session:
            return current
        with self._lock:
            session = self._sessions.pop(conversation, None) or Session(self._agent, self._task, self._facts)
            _remember(self._sessions, conversation, session, MAX_SESSIONS)
        if self._task is None:
            for text in asked:
                if text not in (session.task or ""):
                    session.ask(text)
        return session

    def goes_on(self, conversation: Hashable, session: Session) -> None:
        """Assigns a session to another name, under which the host continues its conversation."""
        with self._lock:
            _remember(self._sessions, conversation, session, MAX_SESSIONS)

    def before(
        self,
        tool: str,
        args: Mapping[str, Any],
        session: Session,
        key: Hashable = None,
        kind: str | None = None,
        description: str | None = None,
        waits: Waits = "always",
    ) -> Proposed:
        """Judges a call. A call with the same `key` and arguments is the same call proposed again: it is not judged
        twice, which would count against the agent. `description` is the tool's description for the agent. A host that
        asks its own user passes `waits="queue"` or "never"; see `Proposed.question` and `answered`.
        """
        if known := self._known(key := _key(session, key, tool, args)):
            return known
        try:
            _describe(session, tool, description)
            decision = self.guard.check(tool, args, kind=kind, session=session, waits=waits)
            return self._judged(key, session, decision, waits)
        except Exception as error:  # noqa: BLE001 - some hosts run the tool where a guard raises
            return self._failed(error, session)

    async def abefore(
        self,
        tool: str,
        args: Mapping[str, Any],
        session: Session,
        key: Hashable = None,
        kind: str | None = None,
        description: str | None = None,
        waits: Waits = "always",
    ) -> Proposed:
        """`before`, from a coroutine."""
        if known := self._known(key := _key(session, key, tool, args)):
            return known
        try:
            _describe(session, tool, description)
            decision = await self.guard.acheck(tool, args, kind=kind, session=session, waits=waits)
            return self._judged(key, session, decision, waits)
        except Exception as error:  # noqa: BLE001 - as above
            return self._failed(error, session)

    def answered(self, proposed: Proposed, host: str, approved: bool, note: str = "", **call: Any) -> Proposed:
        """Records the answer of the host's own user to a question, and judges the same call again."""
        try:
            self._answer(proposed, host, "approved" if approved else "denied", note)
        except Exception as error:  # noqa: BLE001 - as above
            return self._failed(error, proposed.session)
        key = _key(proposed.session, call.get("key"), call["tool"], call["args"])
        with self._lock:
            self._proposed.pop(key, None)
        again = replace(self.before(**call, waits="never"), was_asked=True)
        with self._lock:
            if key in self._proposed:
                self._proposed[key] = again
        return again

    async def adenied(self, proposed: Proposed, host: str, note: str = "") -> None:
        """Records that the host's own user refused a call. The host does not propose it again."""
        try:
            await anyio.to_thread.run_sync(self._answer, proposed, host, "denied", note)
        except Exception:  # without a record the call does not run either
            logger.exception("the refusal of a call by the user of %s is not recorded", host)

    async def aanswered(self, proposed: Proposed, host: str, approved: bool, note: str = "", **call: Any) -> Proposed:
        """`answered`, from a coroutine."""
        work = partial(self.answered, proposed, host, approved, note, **call)
        return await anyio.to_thread.run_sync(work)

    def after(self, proposed: Proposed, output: Any, *, failed: bool = False) -> Objection | None:
        """Adds the outcome of a call to its session's history, and judges it. None if there is no objection."""
        if proposed.decision is None or proposed.refusal:
            return None
        judged = judge_outcome(self.guard, proposed.decision, output, failed=failed, session=proposed.session)
        return Objection(judged) if judged and not judged.allowed else None

    async def aafter(self, proposed: Proposed, output: Any, *, failed: bool = False) -> Objection | None:
        """`after`, from a coroutine."""
        if proposed.decision is None or proposed.refusal:
            return None
        judged = await ajudge_outcome(self.guard, proposed.decision, output, failed=failed, session=proposed.session)
        return Objection(judged) if judged and not judged.allowed else None

    def running(self, call: Hashable, proposed: Proposed) -> str:
        """Keeps a call under a name until `ended`, for hosts with separate hooks before and after a call. Returns the
        call's refusal, or ""."""
        with self._lock:
            _remember(self._running, call, proposed, MAX_CALLS)
        return proposed.refusal

    def ended(self, call: Hashable) -> Proposed | None:
        """Removes and returns the call that was kept under this name."""
        with self._lock:
            return self._running.pop(call, None)

    def around(
        self,
        proposed: Proposed,
        run: Callable[[], T],
        refuse: Callable[[str], T],
        output: Callable[[T], tuple[Any, bool]] = lambda result: (result, False),
        pauses: tuple[type[BaseException], ...] = (),
    ) -> T:
        """Runs a call and returns its result, or returns `refuse(text)` if the call or its outcome is refused. `output`
        returns the tool's output and whether it failed; exceptions in `pauses` mean that the call has not ended."""
        if proposed.refusal:
            return refuse(proposed.refusal)
        try:
            result = run()
        except BaseException as error:  # an interrupted tool, too, may have done half of its work
            if not isinstance(error, pauses) and (objection := self.after(proposed, error_text(error), failed=True)):
                error.add_note(objection.message)
            raise
        said, failed = output(result)
        objection = self.after(proposed, said, failed=failed)
        return refuse(objection.in_place_of(said)) if objection else result

    async def aaround(
        self,
        proposed: Proposed,
        run: Callable[[], Awaitable[T]],
        refuse: Callable[[str], T],
        output: Callable[[T], tuple[Any, bool]] = lambda result: (result, False),
        pauses: tuple[type[BaseException], ...] = (),
    ) -> T:
        """`around`, from a coroutine."""
        if proposed.refusal:
            return refuse(proposed.refusal)
        try:
            result = await run()
        except BaseException as error:  # as above
            if not isinstance(error, pauses) and (objection := self.after(proposed, error_text(error), failed=True)):
                error.add_note(objection.message)
            raise
        said, failed = output(result)
        objection = await self.aafter(proposed, said, failed=failed)
        return refuse(objection.in_place_of(said)) if objection else result

    def _answer(self, proposed: Proposed, host: str, word: str, note: str) -> None:
        if question := proposed.question:
            with contextlib.suppress(NotAsked):  # another person has answered already
                self.guard.supervisor.relay(question.name, word, host, note[:MAX_NOTE])

    def _known(self, key: Hashable) -> Proposed | None:
        with self._lock:
            return self._proposed.get(key) if key else None

    def _judged(self, key: Hashable, session: Session, decision: Decision, waits: Waits) -> Proposed:
        question = decision.approval if waits != "always" and decision.asks_host else None
        proposed = Proposed(session, "" if decision.allowed else decision.message(), decision, question)
        if key:
            with self._lock:
                _remember(self._proposed, key, proposed, MAX_CALLS)
        return proposed

    def _failed(self, error: Exception, session: Session) -> Proposed:
        """Refuses bad input whatever the policy says: else its author could make a call run unjudged."""
        if isinstance(error, BadInput) or self._on_failure == "block":
            return Proposed(session, _refusal(error))
        logger.error("an action runs unjudged, as the policy allows: %s", error_text(error), exc_info=error)
        return Proposed(session)


def _describe(session: Session, tool: str, description: str | None) -> None:
    """Adds a tool's description to the session's fact `tools`. Descriptions often come from a server, which may use
    them to steer the agent."""
    known = session.facts.get("tools", [])
    if description and len(known) < MAX_TOOLS and all(each.get("name") != tool for each in known):
        session.relearn(tools=[*known, {"name": tool, "description": clean(description[:MAX_DESCRIPTION])}])


def _refusal(error: Exception) -> str:
    at_fault = isinstance(error, BadInput)
    message = {
        "executed": False,
        "code": f"not_judged:{error.code if isinstance(error, SupervisorError) else type(error).__name__}",
        "reason": f"it could not be judged: {error}",
        "next": "Propose it in another form, or report that."
        if at_fault
        else "The action is not at fault: actions cannot be judged. Stop, and report that.",
    }
    if not at_fault:
        logger.error("an action is refused unjudged: %s", error_text(error), exc_info=error)
    return orjson.dumps(message).decode()


def _key(session: Session, key: Hashable, tool: str, args: Mapping[str, Any]) -> Hashable:
    """The identity of a call; None if it has no key, or arguments that are not JSON."""
    if key is None:
        return None
    try:
        encoded = _encoded(args)
    except (TypeError, ValueError, RecursionError):
        return None
    return session.id, key, tool, sha256(encoded).digest()


def _encoded(args: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(args, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return json.dumps(args, sort_keys=True).encode()  # for integers beyond 64 bits


def _remember(known: OrderedDict[Hashable, T], key: Hashable, value: T, most: int) -> None:
    known[key] = value
    if len(known) > most:
        known.popitem(last=False)
