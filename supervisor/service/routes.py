"""The daemon's routes."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import anyio

from supervisor.adapters.hooks import HOSTS, Reply, answer, unusable
from supervisor.adapters.hooks.declined import note_let_through, record_declined
from supervisor.adapters.hooks.host import text
from supervisor.decision.decision import Decision
from supervisor.engine.approval_wait import await_answer
from supervisor.engine.offload import IN_THREAD
from supervisor.engine.remote.transport import POLICY_HEADER
from supervisor.engine.remote.wire import decision_from_wire, decision_to_wire
from supervisor.engine.session import Session
from supervisor.errors import BadInput, BadPolicy, BadTaxonomy, SupervisorError
from supervisor.intake.kinds import KINDS
from supervisor.intake.parsing import action_of, context_from
from supervisor.service.bodies import json_response, read_object
from supervisor.service.engines import Engines, Lease
from supervisor.service.http import TEXT, Request, Response
from supervisor.service.metrics import TYPE, Metrics
from supervisor.service.policies import HEADER, HOST_HEADER, Choice, Policies
from supervisor.service.sessions import Sessions, decide_line, line_of, name_of
from supervisor.service.status import Process, policy_state, status_of, with_problem
from supervisor.version import VERSION

_log = logging.getLogger(__name__)
_AT_ONCE = 32  # decisions at once; further ones wait in order
_ANSWERING = 15.0  # seconds that a hook waits for a person: its client gives up after 20
_ANSWER = "POST /v1/approvals"  # needs the token even from the same user, whose agents could answer otherwise
_Handler = Callable[["Routes", Lease, Request], Awaitable[Response]]


class Routes:
    """Answers requests with the active engine, and keeps sessions across reloads."""

    def __init__(
        self, engines: Engines, choice: Choice, process: Process, token: str | None, sessions: Sessions
    ) -> None:
        self._engines, self._choice, self._token = engines, choice, token
        self._metrics = Metrics()
        self._turn = anyio.Semaphore(_AT_ONCE)
        self._process, self._started = process, time.time()
        self.sessions, self.connections = sessions, 0
        self.ending = asyncio.Event()  # nobody waits for a person from then on

    async def answer(self, request: Request, *, trusted: bool) -> Response:
        """The answer. Every error is an answer too; no request ends the daemon."""
        route = f"{request.method} {request.path}"
        handler = _ROUTES.get(route)
        if handler is None:
            known = any(each.endswith(f" {request.path}") for each in _ROUTES)
            response = Response(405 if known else 404, b"no such route\n", TEXT)
        elif (not trusted or route == _ANSWER) and route != "GET /health" and not self._may(request):
            response = Response(401, b"a token is needed\n", TEXT, {"WWW-Authenticate": "Bearer"})
        else:
            response = await self._answer(handler, request, trusted=trusted)
        self._metrics.answered(route if handler else "none", response.status)
        return response

    async def _answer(self, handler: _Handler, request: Request, *, trusted: bool) -> Response:
        try:
            files = self._policies(request, trusted=trusted)
            lease_of = self._engines.lease_known if handler in _ABOUT_ITSELF else self._engines.lease
            async with lease_of(files) as lease:
                response = await handler(self, lease, request)
                return replace(response, headers={**response.headers, POLICY_HEADER: lease.policy})
        except (BadPolicy, BadTaxonomy) as error:
            return await self._unusable(request, error)
        except SupervisorError as error:
            return json_response({"error": str(error), "code": error.code}, 400 if isinstance(error, BadInput) else 500)
        except Exception as error:  # noqa: BLE001 - one request must not end the daemon
            _log.exception("%s %s", request.method, request.path)
            return json_response({"error": f"{type(error).__name__}: {error}", "code": "internal"}, 500)

    async def _unusable(self, request: Request, error: SupervisorError) -> Response:
        """The answer to a request under a policy that cannot be used."""
        host = HOSTS.get(request.path.removeprefix("/hook/"))
        try:
            reply = unusable(host, host.read(await read_object(request)), error) if host else None
        except BadInput as unread:
            return json_response({"error": str(unread), "code": unread.code}, 400)
        if reply is None:
            return json_response({"error": str(error), "code": error.code}, 500)
        response = _reply(reply)
        return replace(response, headers={**response.headers, POLICY_HEADER: "none"})

    def _policies(self, request: Request, *, trusted: bool) -> Policies:
        """The policies for a request. Only clients of the socket may name one: the file is read as this user."""
        named = request.headers.get(HEADER)
        if named is not None and not trusted:
            raise BadInput("a policy can only be named over the Unix socket", place=HEADER)
        host = request.path.removeprefix("/hook/") if request.path.startswith("/hook/") else ""
        return self._choice.of(host or request.headers.get(HOST_HEADER, ""), named)

    def _may(self, request: Request) -> bool:
        given = request.headers.get("authorization", "")
        return self._token is not None and hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode())

    async def _decide(self, lease: Lease, request: Request) -> Response:
        """Decides on an action that a guard in another process has built."""
        value = await read_object(request)
        action, context = action_of(value.get("action")), context_from(value.get("context"))
        session = None
        if value.get("session") is not None:
            session = self.sessions.named(value["session"])
            if missed := _missed(session, value):
                return missed
            context = session.joined(context)
        async with self._turn:
            decision = await lease.supervisor.decide(action, context, session)
        self._metrics.decided(decision)
        return json_response(decision_to_wire(decision))

    async def _check(self, lease: Lease, request: Request) -> Response:
        """Decides on a line of `supervisor check --jsonl`."""
        value = await read_object(request)
        async with self._turn:
            decision = await decide_line(lease.supervisor, value, self.sessions, len(request.body))
        self._metrics.decided(decision)
        return json_response(line_of(value, decision))

    async def _observe(self, lease: Lease, request: Request) -> Response:
        """Remembers and judges the outcome of an action that ran."""
        value = await read_object(request)
        action, output, failed = action_of(value.get("action")), value.get("output"), value.get("failed") is True
        name = value.get("session")
        session = None if name is None else self.sessions.named(name, len(request.body))
        if session is not None and "place" in value:  # a missed step, which several clients may send at once
            about = {"failed": failed, "place": value["place"]}
            await IN_THREAD.run(partial(lease.supervisor.remember, session, action, output, **about))
            return json_response({"steps": len(session.context().history)})
        if session is not None and (missed := _missed(session, value)):
            return missed
        known = context_from(value.get("context"))
        context = session.joined(known) if session else replace(known, session=None)
        async with self._turn:
            decision = await lease.supervisor.aobserve(session, action, output, failed=failed, context=context)
        steps = {"steps": len(session.context().history)} if session else {}
        if decision is None:
            return json_response(steps)
        self._metrics.decided(decision)
        return json_response(steps | {"decision": decision_to_wire(decision)})

    async def _reverted(self, lease: Lease, request: Request) -> Response:
        """Records the result of undoing an action, which a guard in another process has done."""
        value = await read_object(request)
        try:
            decision, problem = decision_from_wire(value["decision"]), str(value["problem"])
        except (KeyError, TypeError, ValueError):
            raise BadInput("a decision and a problem are needed") from None
        ended = await IN_THREAD.run(lease.supervisor.reverted, decision, problem)
        return json_response({"reverted": ended.reverted})

    async def _hook(self, lease: Lease, request: Request) -> Response:
        """Answers an event of a command-line agent, in the host's own format."""
        host = HOSTS[request.path.rpartition("/")[2]]
        event = host.read(await read_object(request))
        size = len(request.body) if event.moment == "after" else 0
        name = name_of(host.name, event.session, lease.ruling.files.project)
        session = self.sessions.named(name, size) if event.session else Session()
        proposed = datetime.now(UTC)
        await record_declined(host, event, lease.supervisor, session)
        for patience in (_ANSWERING, 0):
            async with self._turn:
                decision, reply = await answer(host, event, lease.supervisor, session)
            if decision is not None:
                self._metrics.decided(decision)
            if not (decision and reply.refused and await self._answer_to(lease, decision, patience)):
                break
        note_let_through(host, event, decision, session, proposed)
        return _reply(with_problem(reply, lease.ruling))

    async def _answer_to(self, lease: Lease, decision: Decision, patience: float) -> bool:
        """Waits for a person's answer, if one is asked; not any longer when the daemon is about to end."""
        if not decision.is_asked:
            return False
        answer = asyncio.create_task(await_answer(lease.supervisor, decision, patience))
        ending = asyncio.create_task(self.ending.wait())
        try:
            await asyncio.wait((answer, ending), return_when=asyncio.FIRST_COMPLETED)
            return answer.done() and answer.result()
        finally:
            answer.cancel()
            ending.cancel()

    async def _questions(self, lease: Lease, request: Request) -> Response:
        """The questions that wait for a person."""
        waiting = await IN_THREAD.run(lease.supervisor.queue.waiting)
        return json_response({"questions": [each.to_json() for each in waiting]})

    async def _answered(self, lease: Lease, request: Request) -> Response:
        """Whether a question has an answer."""
        name = text(await read_object(request), "id")
        return json_response({"answered": await IN_THREAD.run(lease.supervisor.queue.has_answer, name)})

    async def _reply(self, lease: Lease, request: Request) -> Response:
        """Stores a person's answer."""
        value = await read_object(request)
        name, word, by, note, via = (text(value, key) for key in ("id", "answer", "by", "note", "via"))
        if value.get("resumed") is True:
            await IN_THREAD.run(lease.supervisor.queue.resumed, name, via)
            return json_response({"resumed": True})
        answer = await IN_THREAD.run(lease.supervisor.queue.answer, name, word, by, via or "daemon", note)
        return json_response(answer.to_json())

    async def _tools(self, lease: Lease, request: Request) -> Response:
        """The tools that the policy declares, which a guard needs to build its actions."""
        tools = {
            name: {"kind": shape.kind, "fields": dict(shape.fields)}
            for name, shape in lease.supervisor.policy.tools.items()
        }
        judged_after = [kind for kind in KINDS if lease.supervisor.catalog.names_of(kind, "after")]
        return json_response({"policy": lease.policy, "tools": tools, "judged_after": judged_after})

    async def _health(self, lease: Lease, request: Request) -> Response:
        """The daemon's state, policy and version. It has no secrets: every user of this machine may read it."""
        problem = lease.ruling.problem or "".join(self._engines.problems[:1])
        state = {
            "status": "stale" if problem else "ok",
            "version": VERSION,
            "policy": lease.policy,
            "failure_modes": len(lease.supervisor.catalog.entries),
            "loaded": lease.ruling.opened.isoformat(timespec="seconds"),
            "records": lease.supervisor.recording(),
        }
        return json_response(state | ({"problem": "the last reload failed; the log says why"} if problem else {}))

    async def _status(self, lease: Lease, request: Request) -> Response:
        """Everything about the daemon that its owner may want to know; see `status.status_of`."""
        return json_response(await IN_THREAD.run(self._state, lease))

    def _state(self, lease: Lease) -> dict[str, Any]:
        own = {"sessions": len(self.sessions), "decisions": self._metrics.total}
        return status_of(self._engines, lease, self._process) | own

    async def _reload(self, lease: Lease, request: Request) -> Response:
        """Reads every policy again, and reports which have changed."""
        before = {ruling.files: ruling.active.policy for ruling in self._engines}
        rulings = await self._engines.reload()
        changed = [policy_state(each) | {"before": before.get(each.files)} for each in rulings]
        return json_response({"policies": changed})

    async def _prometheus(self, lease: Lease, request: Request) -> Response:
        """The metrics."""
        engines = self._engines
        gauges = {
            "start_time_seconds": ("When the daemon was started.", self._started),
            "failure_modes": ("Failure modes in force.", len(lease.supervisor.catalog.entries)),
            "sessions": ("Sessions remembered.", len(self.sessions)),
            "connections": ("Connections open.", self.connections),
            "reloads": ("Reloads since the start.", engines.reloads),
            "failed_reloads": ("Reloads that kept the old engine.", engines.failed_reloads),
            "policies": ("Policies in use.", len(list(engines))),
            "reload_is_stale": ("1 if the last reload of any policy failed.", bool(engines.problems)),
        }
        return Response(200, self._metrics.text(gauges), TYPE)


_ROUTES: dict[str, _Handler] = {
    "POST /v1/decide": Routes._decide,
    "POST /v1/check": Routes._check,
    "POST /v1/observe": Routes._observe,
    "POST /v1/reverted": Routes._reverted,
    "GET /v1/tools": Routes._tools,
    "GET /v1/approvals": Routes._questions,
    "POST /v1/answered": Routes._answered,
    _ANSWER: Routes._reply,
    "GET /v1/status": Routes._status,
    "POST /v1/reload": Routes._reload,
    "GET /health": Routes._health,
    "GET /metrics": Routes._prometheus,
    **{f"POST /hook/{name}": Routes._hook for name in HOSTS},
}


_ABOUT_ITSELF = (Routes._status, Routes._reload, Routes._health, Routes._prometheus)  # they judge nothing


def _missed(session: Session, value: dict[str, Any]) -> Response | None:
    """The number of known steps if the guard has sent more than that, else None. The guard then sends the missing
    ones, and asks again."""
    known, steps = len(session.context().history), value.get("steps")
    return json_response({"known_steps": known}) if isinstance(steps, int) and steps > known else None


def _reply(reply: Reply) -> Response:
    """A reply for the hook's client: 200 is stdout and exit code 0, 403 is stderr and exit code 2."""
    return Response(
        403 if reply.refused else 200, reply.text.encode(), TEXT, {"Supervisor-Echo": "1"} if reply.echo else {}
    )
