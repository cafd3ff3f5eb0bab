"""The client of the daemon: an `Engine` behind a socket.

If the daemon does not answer, an action cannot be judged and gets the verdict of SUPERVISOR_ON_FAILURE, by default
`block`.
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
from urllib.parse import quote

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
from supervisor.intake.parsing import action_from, shaped
from supervisor.policy import VERDICT_OF, Policy
from supervisor.records.codec import action_to_json
from supervisor.verdict import Verdict

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
_VERDICTS = frozenset(verdict.label for verdict in Verdict)
_AT_ONCE = 64  # decisions for which the coroutines of one process can wait at once


def _in_thread(work: Callable[Concatenate[Remote, P], T]) -> Callable[Concatenate[Remote, P], Coroutine[Any, Any, T]]:
    """The method as a coroutine function. It runs in a thread, so that no event loop is blocked."""

    @wraps(work)
    async def waits(self: Remote, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await anyio.to_thread.run_sync(partial(work, self, *args, **kwargs), limiter=self._limiter)

    return waits


class Remote:
    """Decides on actions by asking a daemon. Threads and event loops can share one."""

    policy: Policy | None = None  # it is in the daemon

    def __init__(self, url: str, token: str | None = None, on_failure: Verdict = Verdict.BLOCK) -> None:
        """`url` is `unix:/path/to/daemon.sock` or `http://127.0.0.1:port`. Raises BadInput for any other."""
        self._daemon, self._on_failure = Transport(url, token), on_failure
        self._known: _DaemonPolicy | None = None
        self._limiter = anyio.CapacityLimiter(_AT_ONCE)

    @classmethod
    def at(cls, url: str) -> Remote:
        """The daemon at `url`, with the environment's token and SUPERVISOR_ON_FAILURE."""
        named = os.environ.get("SUPERVISOR_ON_FAILURE", "block")
        if named not in ("ok", "flag", "block"):
            raise BadInput(f"{named!r} is neither ok, flag nor block", place="SUPERVISOR_ON_FAILURE")
        return cls(url, token() if url.startswith("http:") else None, VERDICT_OF[named])

    def start(self) -> None:
        """Does nothing: a running daemon is ready."""

    def action(
        self,
        tool: str,
        args: Mapping[str, Any],
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        parameters: frozenset[str] | None = None,
    ) -> Action:
        """The action of a tool call, with the tools that the daemon's policy declares; see `intake.parsing.shaped`."""
        return shaped(tool, args, kind, self._daemon_policy().tools, fields, parameters)

    def decide_from_thread(
        self, action: Action, context: Context | None = None, session: Session | None = None
    ) -> Decision:
        """See `Engine.decide_from_thread`. If the daemon does not answer, the verdict is SUPERVISOR_ON_FAILURE's."""
        started = time.perf_counter()
        question = {"action": action_to_json(action), "context": context_to_wire(context or _scene(session))}
        try:
            return decision_from_wire(self._post("/v1/decide", question, session))
        except NoDaemon as error:
            return self._undecided(action, session, str(error), started)
        except (KeyError, TypeError, ValueError) as error:
            problem = f"{self._daemon.url}: the answer is no decision: {type(error).__name__}: {error}"
            return self._undecided(action, session, problem, started)

    decide = _in_thread(decide_from_thread)

    def _post(self, path: str, question: dict[str, Any], session: Session | None) -> Any:
        """The daemon's answer. If the daemon has fewer steps of the session than this process, it receives the missing
        ones first: it was restarted, or was not reached."""
        if session is None:
            return self._daemon.post(path, question | {"session": None})
        past = session.context().history
        answer = self._daemon.post(path, question | {"session": session.id, "steps": len(past)})
        if "known_steps" not in answer:
            return answer
        for place in range(answer["known_steps"], len(past)):
            self._daemon.post("/v1/observe", {**_outcome(session, past[place]), "place": place})
        return self._daemon.post(path, question | {"session": session.id})

    async def decide_line(self, value: Any) -> dict[str, Any]:
        """The answer to a line of `supervisor check --jsonl`. If the daemon does not answer, the verdict is
        SUPERVISOR_ON_FAILURE's. Raises BadInput."""
        started = time.perf_counter()
        try:
            answer = await anyio.to_thread.run_sync(self._daemon.post, "/v1/check", value, limiter=self._limiter)
            if isinstance(answer, dict) and answer.get("verdict") in _VERDICTS:
                return answer
            problem = f"{self._daemon.url}: the answer is no decision"
        except NoDaemon as error:
            problem = str(error)
        decided = self._undecided(action_from(value), None, problem, started).to_json()
        return decided | {"id": value["id"]} if value.get("id") is not None else decided

    def observe(
        self,
        session: Session | None,
        action: Action,
        output: Any,
        *,
        failed: bool = False,
        context: Context | None = None,
    ) -> Decision | None:
        """See `Engine.observe`. Adds the action to the session's history in the daemon and in this process, so that the
        history survives a restart of the daemon. If the daemon does not answer, there is no decision on the outcome."""
        if session is None and action.kind not in self._daemon_policy().judged_after:
            return None
        step = Step(action.tool, action.args, plain(output), action.kind, failed)
        question = _outcome(session, step) | {"context": context_to_wire(context or _scene(session))}
        question["action"]["fields"] = dict(action.fields)
        try:
            decided = self._post("/v1/observe", question, session).get("decision")
            return decision_from_wire(decided) if decided else None
        except NoDaemon as error:
            _log.warning("the outcome of %s will be reported later: %s", action.tool, error)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            _log.error("%s: the answer is no decision: %s: %s", self._daemon.url, type(error).__name__, error)
        finally:
            if session is not None:
                session.add(step)
        return None

    aobserve = _in_thread(observe)

    def reverted(self, decision: Decision, problem: str = "") -> Decision:
        """See `Engine.reverted`. Raises NoDaemon."""
        answer = self._daemon.post("/v1/reverted", {"decision": decision_to_wire(decision), "problem": problem})
        try:
            return replace(decision, reverted=str(answer["reverted"]))
        except (KeyError, TypeError):
            raise NoDaemon("the answer has no `reverted`", place=self._daemon.url) from None

    def is_answered(self, approval: Approval) -> bool:
        """See `Engine.is_answered`. False if the daemon does not answer."""
        try:
            answer = self._daemon.post("/v1/answered", {"id": approval.name})
        except NoDaemon as error:
            _log.info("the daemon cannot report whether a person has answered: %s", error)
            return False
        return isinstance(answer, dict) and answer.get("answered") is True

    def questions(self) -> list[dict[str, Any]]:
        """The questions that wait for a person. Raises NoDaemon."""
        answer = self._daemon.get("/v1/approvals")
        return list(answer["questions"])

    def answer(self, name: str, word: str, by: str, note: str = "") -> dict[str, Any]:
        """See `Engine.answer`. Needs the daemon's token. Raises NoDaemon."""
        must_be_outside()
        return self._answer({"id": name, "answer": word, "by": by, "note": note})

    def relay(self, name: str, word: str, host: str, note: str = "") -> dict[str, Any]:
        """See `Engine.relay`. Raises NoDaemon."""
        return self._answer({"id": name, "answer": word, "by": f"the user of {host}", "note": note, "via": host})

    def _answer(self, value: dict[str, Any]) -> dict[str, Any]:
        self._daemon.sign_in()
        answer: dict[str, Any] = self._daemon.post("/v1/approvals", value)
        return answer

    def resumed(self, name: str, host: str) -> None:
        """See `Engine.resumed`. Raises NoDaemon."""
        self._daemon.sign_in()
        self._daemon.post("/v1/approvals", {"id": name, "via": host, "resumed": True})

    def health(self) -> dict[str, Any]:
        """The daemon's health report. Raises NoDaemon."""
        report: dict[str, Any] = self._daemon.get("/health")
        return report

    def status(self, host: str = "", policy: str | None = None) -> dict[str, Any]:
        """The daemon's state; see `service.status.status_of`. `policy` of the answer is the one that holds for hooks of
        `host` whose command names the file `policy`. Raises NoDaemon; BadInput if that file is no policy."""
        headers = {"Supervisor-Host": host} if host else {}
        headers |= {"Supervisor-Policy-File": quote(os.fsencode(policy))} if policy else {}
        report: dict[str, Any] = self._daemon.get("/v1/status", headers)
        return report

    def reload(self) -> list[dict[str, Any]]:
        """Lets the daemon read its policies again, and returns the state of each. Raises NoDaemon."""
        return list(self._daemon.post("/v1/reload", {})["policies"])

    def close(self) -> None:
        """Closes the idle connections."""
        self._daemon.close()

    def _undecided(self, action: Action, session: Session | None, problem: str, started: float) -> Decision:
        verdict = self._on_failure
        _log.error("%s could not be judged (%s), so it counts as %s", action.tool, problem, verdict.label)
        fields = (verdict, action, (), "", verdict is Verdict.FLAG, (), session.id if session else None)
        return Decision(uuid.uuid4().hex, *fields, unjudged=problem, elapsed_ms=(time.perf_counter() - started) * 1000)

    def _daemon_policy(self) -> _DaemonPolicy:
        """The declarations of the daemon's policy, fetched again when the daemon has loaded another one. Empty if the
        daemon does not answer: then the decision fails anyway."""
        known = self._known
        if known is None or known.policy != self._daemon.policy:
            try:
                answer = self._daemon.get("/v1/tools")
            except NoDaemon:
                return _DaemonPolicy("", {}, frozenset())
            tools = {name: ToolShape(each["kind"], each["fields"]) for name, each in answer["tools"].items()}
            known = self._known = _DaemonPolicy(answer["policy"], tools, frozenset(answer["judged_after"]))
        return known


@dataclass(frozen=True, slots=True)
class _DaemonPolicy:
    """A policy's digest, the tools that it declares, and the kinds of action whose outcomes are judged."""

    policy: str
    tools: Mapping[str, ToolShape]
    judged_after: frozenset[str]


def _scene(session: Session | None) -> Context:
    """A session's context without its history, which the daemon has."""
    return Context(session.task, (), session.facts, session.agent) if session else Context()


def _outcome(session: Session | None, step: Step) -> dict[str, Any]:
    action = {"tool": step.tool, "args": step.args, "kind": step.kind, "fields": {}}
    return {"session": session.id if session else None, "action": action, "output": step.output, "failed": step.failed}
