"""The daemon's engine as a caller sees it: an `Engine` that is asked over a socket.

Where the daemon does not answer, an action cannot be judged, and gets the verdict that SUPERVISOR_ON_FAILURE names:
`block` where it names none.
"""

from __future__ import annotations

import logging
import os
import time
import uuid
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import anyio

from supervisor.action import Action, Context, Step
from supervisor.decision.approval import Approval
from supervisor.decision.decision import Decision
from supervisor.engine.remote.transport import Transport, token
from supervisor.engine.remote.wire import context_to_wire, decision_from_wire, decision_to_wire
from supervisor.engine.session import Session, must_be_outside
from supervisor.errors import BadInput, NoDaemon
from supervisor.intake.json_values import plain
from supervisor.intake.kinds import ToolShape
from supervisor.intake.parsing import shaped
from supervisor.policy import VERDICT_OF, Policy
from supervisor.records.codec import action_to_json
from supervisor.verdict import Verdict

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
_AT_ONCE = 64  # decisions that the coroutines of one process wait for


def _aside(work: Callable[Concatenate[Remote, P], T]) -> Callable[Concatenate[Remote, P], Coroutine[Any, Any, T]]:
    """The same method from a coroutine: in a thread, so that no event loop is held up."""

    @wraps(work)
    async def waits(self: Remote, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await anyio.to_thread.run_sync(partial(work, self, *args, **kwargs), limiter=self._limiter)

    return waits


class Remote:
    """Decides on actions by asking a daemon. Share one between threads and event loops."""

    policy: Policy | None = None  # the daemon has it

    def __init__(self, url: str, token: str | None = None, on_failure: Verdict = Verdict.BLOCK) -> None:
        """`url` is `unix:/path/to/daemon.sock` or `http://127.0.0.1:port`. BadInput for any other."""
        self._daemon, self._on_failure = Transport(url, token), on_failure
        self._known: _Known | None = None
        self._limiter = anyio.CapacityLimiter(_AT_ONCE)

    @classmethod
    def at(cls, url: str) -> Remote:
        """The daemon at `url`, with the token and the meaning of its silence that the environment names."""
        named = os.environ.get("SUPERVISOR_ON_FAILURE", "block")
        if named not in ("ok", "flag", "block"):
            raise BadInput(f"{named!r} is neither ok, flag nor block", place="SUPERVISOR_ON_FAILURE")
        return cls(url, token() if url.startswith("http:") else None, VERDICT_OF[named])

    def start(self) -> None:
        """A daemon is ready already."""

    def action(
        self,
        tool: str,
        args: Mapping[str, Any],
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        parameters: frozenset[str] | None = None,
    ) -> Action:
        """The action that a tool call is, in the terms of the daemon's policy; see `proposal.shaped`."""
        return shaped(tool, args, kind, self._in_force().tools, fields, parameters)

    def decide_from_thread(
        self, action: Action, context: Context | None = None, session: Session | None = None
    ) -> Decision:
        """See `Engine.decide_from_thread`. Where the daemon does not answer, it has the verdict of a failure."""
        started = time.perf_counter()
        question = {"action": action_to_json(action), "context": context_to_wire(context or _scene(session))}
        try:
            return decision_from_wire(self._told("/v1/decide", question, session))
        except NoDaemon as error:
            return self._undecided(action, session, str(error), started)
        except (KeyError, TypeError, ValueError) as error:
            problem = f"{self._daemon.url}: the answer is no decision: {type(error).__name__}: {error}"
            return self._undecided(action, session, problem, started)

    decide = _aside(decide_from_thread)

    def _told(self, path: str, question: dict[str, Any], session: Session | None) -> Any:
        """The daemon's answer. One that knows less of the session than we do, because it was restarted or could not
        be told, is told first."""
        if session is None:
            return self._daemon.post(path, question | {"session": None})
        past = session.context().history
        told = self._daemon.post(path, question | {"session": session.id, "steps": len(past)})
        if "known_steps" not in told:
            return told
        for place in range(told["known_steps"], len(past)):
            self._daemon.post("/v1/observe", {**_observed(session, past[place]), "place": place})
        return self._daemon.post(path, question | {"session": session.id})

    async def decide_line(self, value: Any) -> dict[str, Any]:
        """The answer to a line of `supervisor check --jsonl`. BadInput, or NoDaemon: a line has nobody to block."""
        told = await anyio.to_thread.run_sync(self._daemon.post, "/v1/check", value, limiter=self._limiter)
        if not isinstance(told, dict) or "verdict" not in told:
            raise NoDaemon("the answer is no decision", place=self._daemon.url)
        return told

    def observe(
        self,
        session: Session | None,
        action: Action,
        output: Any,
        *,
        failed: bool = False,
        context: Context | None = None,
    ) -> Decision | None:
        """See `Engine.observe`. The action joins the session's history in the daemon, and here, where it outlives the
        daemon. Where the daemon does not answer, the result stands: what ran was allowed, and nothing else will be."""
        if session is None and action.kind not in self._in_force().judged_after:
            return None
        step = Step(action.tool, action.args, plain(output), action.kind, failed)
        question = _observed(session, step) | {"context": context_to_wire(context or _scene(session))}
        question["action"]["fields"] = dict(action.fields)
        try:
            told = self._told("/v1/observe", question, session).get("decision")
            return decision_from_wire(told) if told else None
        except NoDaemon as error:
            _log.warning("what %s returned is told later: %s", action.tool, error)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            _log.error("%s: the answer is no decision: %s: %s", self._daemon.url, type(error).__name__, error)
        finally:
            if session is not None:
                session.add(step)
        return None

    aobserve = _aside(observe)

    def reverted(self, decision: Decision, problem: str = "") -> Decision:
        """See `Engine.reverted`. NoDaemon."""
        told = self._daemon.post("/v1/reverted", {"decision": decision_to_wire(decision), "problem": problem})
        try:
            return replace(decision, reverted=str(told["reverted"]))
        except (KeyError, TypeError):
            raise NoDaemon("does not say what it has recorded", place=self._daemon.url) from None

    def is_answered(self, approval: Approval) -> bool:
        """See `Engine.is_answered`. Where the daemon does not answer, nobody has."""
        try:
            told = self._daemon.post("/v1/answered", {"id": approval.name})
        except NoDaemon as error:
            _log.info("whether a person has answered cannot be told: %s", error)
            return False
        return isinstance(told, dict) and told.get("answered") is True

    def questions(self) -> list[dict[str, Any]]:
        """The questions that wait for a person. NoDaemon."""
        told = self._daemon.get("/v1/approvals")
        return list(told["questions"])

    def answer(self, name: str, word: str, by: str, note: str = "") -> dict[str, Any]:
        """See `Engine.answer`. For who has the daemon's token. NoDaemon."""
        must_be_outside()
        return self._answer({"id": name, "answer": word, "by": by, "note": note})

    def relay(self, name: str, word: str, host: str, note: str = "") -> dict[str, Any]:
        """See `Engine.relay`. NoDaemon."""
        return self._answer({"id": name, "answer": word, "by": f"the user of {host}", "note": note, "via": host})

    def _answer(self, value: dict[str, Any]) -> dict[str, Any]:
        self._daemon.sign_in()
        told: dict[str, Any] = self._daemon.post("/v1/approvals", value)
        return told

    def resumed(self, name: str, host: str) -> None:
        """See `Engine.resumed`. NoDaemon."""
        self._daemon.sign_in()
        self._daemon.post("/v1/approvals", {"id": name, "via": host, "resumed": True})

    def health(self) -> dict[str, Any]:
        """What the daemon says of itself. NoDaemon."""
        told: dict[str, Any] = self._daemon.get("/health")
        return told

    def close(self) -> None:
        """Closes the connections that nobody is asking on."""
        self._daemon.close()

    def _undecided(self, action: Action, session: Session | None, problem: str, started: float) -> Decision:
        verdict = self._on_failure
        _log.error("%s could not be judged (%s), so it counts as %s", action.tool, problem, verdict.label)
        told = (verdict, action, (), "", verdict is Verdict.FLAG, (), session.id if session else None)
        return Decision(uuid.uuid4().hex, *told, unjudged=problem, elapsed_ms=(time.perf_counter() - started) * 1000)

    def _in_force(self) -> _Known:
        """What the daemon's policy declares, asked for again where another has been loaded since. Where it cannot be
        asked, nothing: the decision fails anyway."""
        known = self._known
        if known is None or known.policy != self._daemon.policy:
            try:
                told = self._daemon.get("/v1/tools")
            except NoDaemon:
                return _Known("", {}, frozenset())
            tools = {name: ToolShape(each["kind"], each["fields"]) for name, each in told["tools"].items()}
            known = self._known = _Known(told["policy"], tools, frozenset(told["judged_after"]))
        return known


@dataclass(frozen=True, slots=True)
class _Known:
    """A policy's digest, the tools that it declares, and the kinds of action that are judged after they ran."""

    policy: str
    tools: Mapping[str, ToolShape]
    judged_after: frozenset[str]


def _scene(session: Session | None) -> Context:
    """What a session knows besides its past, which the daemon has."""
    return Context(session.task, (), session.facts, session.agent) if session else Context()


def _observed(session: Session | None, step: Step) -> dict[str, Any]:
    action = {"tool": step.tool, "args": step.args, "kind": step.kind, "fields": {}}
    return {"session": session.id if session else None, "action": action, "output": step.output, "failed": step.failed}
