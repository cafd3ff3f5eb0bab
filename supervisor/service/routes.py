"""The daemon's routes."""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import orjson

from supervisor.adapters.hooks import HOSTS, Reply, answer
from supervisor.adapters.hooks.host import text
from supervisor.engine.approval_wait import await_answer
from supervisor.engine.offload import IN_THREAD
from supervisor.engine.remote.transport import POLICY_HEADER
from supervisor.engine.remote.wire import decision_from_wire, decision_to_wire
from supervisor.engine.session import Session
from supervisor.errors import BadInput, SupervisorError
from supervisor.intake.documents import read_json
from supervisor.intake.kinds import KINDS
from supervisor.intake.parsing import MAX_REQUEST, action_of, context_from
from supervisor.service.engines import ActiveEngine, Engines
from supervisor.service.http import TEXT, Request, Response
from supervisor.service.metrics import TYPE, Metrics
from supervisor.service.sessions import Sessions, decide_line, line_of
from supervisor.version import VERSION

_log = logging.getLogger(__name__)
_AT_ONCE = 32  # decisions at once; further ones wait in order
_ANSWERING = 15.0  # seconds that a hook waits for a person: its client gives up after 20
_SMALL = 64 * 1024  # bytes of JSON that are parsed on the event loop
_ANSWER = "POST /v1/approvals"  # needs the token even from the same user, whose agents could answer otherwise
_Handler = Callable[["Routes", ActiveEngine, Request], Awaitable[Response]]


class Routes:
    """Answers requests with the active engine, and keeps sessions across reloads."""

    def __init__(self, engines: Engines, token: str | None) -> None:
        self._engines, self._token = engines, token
        self._sessions, self._metrics = Sessions(), Metrics()
        self._turn = anyio.Semaphore(_AT_ONCE)
        self._waiting = 0
        self._started = time.time()
        self.connections = 0

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
            response = await self._answer(handler, request)
        self._metrics.answered(route if handler else "none", response.status)
        return response

    async def _answer(self, handler: _Handler, request: Request) -> Response:
        try:
            with self._engines.lease() as ruling:
                response = await handler(self, ruling, request)
                return replace(response, headers={**response.headers, POLICY_HEADER: ruling.policy})
        except SupervisorError as error:
            return _json({"error": str(error), "code": error.code}, 400 if isinstance(error, BadInput) else 500)
        except Exception as error:  # noqa: BLE001 - one request must not end the daemon
            _log.exception("%s %s", request.method, request.path)
            return _json({"error": f"{type(error).__name__}: {error}", "code": "internal"}, 500)

    def _may(self, request: Request) -> bool:
        given = request.headers.get("authorization", "")
        return self._token is not None and hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode())

    async def _decide(self, ruling: ActiveEngine, request: Request) -> Response:
        """Decides on an action that a guard in another process has built."""
        value = await _read(request)
        action, context = action_of(value.get("action")), context_from(value.get("context"))
        session = None
        if value.get("session") is not None:
            session = self._sessions.named(value["session"])
            if missed := _missed(session, value):
                return missed
            context = session.joined(context)
        async with self._turn:
            decision = await ruling.supervisor.decide(action, context, session)
        self._metrics.decided(decision)
        return _json(decision_to_wire(decision))

    async def _check(self, ruling: ActiveEngine, request: Request) -> Response:
        """Decides on a line of `supervisor check --jsonl`."""
        value = await _read(request)
        async with self._turn:
            decision = await decide_line(ruling.supervisor, value, self._sessions, len(request.body))
        self._metrics.decided(decision)
        return _json(line_of(value, decision))

    async def _observe(self, ruling: ActiveEngine, request: Request) -> Response:
        """Remembers and judges the outcome of an action that ran."""
        value = await _read(request)
        action, output, failed = action_of(value.get("action")), value.get("output"), value.get("failed") is True
        name = value.get("session")
        session = None if name is None else self._sessions.named(name, len(request.body))
        if session is not None and "place" in value:  # a missed step, which several clients may send at once
            about = {"failed": failed, "place": value["place"]}
            await IN_THREAD.run(partial(ruling.supervisor.remember, session, action, output, **about))
            return _json({"steps": len(session.context().history)})
        if session is not None and (missed := _missed(session, value)):
            return missed
        known = context_from(value.get("context"))
        context = session.joined(known) if session else replace(known, session=None)
        async with self._turn:
            decision = await ruling.supervisor.aobserve(session, action, output, failed=failed, context=context)
        steps = {"steps": len(session.context().history)} if session else {}
        if decision is None:
            return _json(steps)
        self._metrics.decided(decision)
        return _json(steps | {"decision": decision_to_wire(decision)})

    async def _reverted(self, ruling: ActiveEngine, request: Request) -> Response:
        """Records the result of undoing an action, which a guard in another process has done."""
        value = await _read(request)
        try:
            decision, problem = decision_from_wire(value["decision"]), str(value["problem"])
        except (KeyError, TypeError, ValueError):
            raise BadInput("a decision and a problem are needed") from None
        ended = await IN_THREAD.run(ruling.supervisor.reverted, decision, problem)
        return _json({"reverted": ended.reverted})

    async def _hook(self, ruling: ActiveEngine, request: Request) -> Response:
        """Answers an event of a command-line agent, in the host's own format."""
        host = HOSTS[request.path.rpartition("/")[2]]
        event = host.read(await _read(request))
        size = len(request.body) if event.moment == "after" else 0
        session = self._sessions.named(f"{host.name}:{event.session}", size) if event.session else Session()
        for patience in (_ANSWERING, 0):
            async with self._turn:
                decision, reply = await answer(host, event, ruling.supervisor, session)
            if decision is not None:
                self._metrics.decided(decision)
            if not (decision and reply.refused and await await_answer(ruling.supervisor, decision, patience)):
                break
        return _reply(reply)

    async def _questions(self, ruling: ActiveEngine, request: Request) -> Response:
        """The questions that wait for a person."""
        waiting = await IN_THREAD.run(ruling.supervisor.queue.waiting)
        return _json({"questions": [each.to_json() for each in waiting]})

    async def _answered(self, ruling: ActiveEngine, request: Request) -> Response:
        """Whether a question has an answer."""
        name = text(await _read(request), "id")
        return _json({"answered": await IN_THREAD.run(ruling.supervisor.queue.has_answer, name)})

    async def _reply(self, ruling: ActiveEngine, request: Request) -> Response:
        """Stores a person's answer."""
        value = await _read(request)
        name, word, by, note, via = (text(value, key) for key in ("id", "answer", "by", "note", "via"))
        if value.get("resumed") is True:
            await IN_THREAD.run(ruling.supervisor.queue.resumed, name, via)
            return _json({"resumed": True})
        answer = await IN_THREAD.run(ruling.supervisor.queue.answer, name, word, by, via or "daemon", note)
        return _json(answer.to_json())

    async def _tools(self, ruling: ActiveEngine, request: Request) -> Response:
        """The tools that the policy declares, which a guard needs to build its actions."""
        tools = {
            name: {"kind": shape.kind, "fields": dict(shape.fields)}
            for name, shape in ruling.supervisor.policy.tools.items()
        }
        judged_after = [kind for kind in KINDS if ruling.supervisor.catalog.names_of(kind, "after")]
        return _json({"policy": ruling.policy, "tools": tools, "judged_after": judged_after})

    async def _health(self, ruling: ActiveEngine, request: Request) -> Response:
        """The daemon's state, policy and version. It has no secrets: every user of this machine may read it."""
        problem = self._engines.problem
        state = {
            "status": "stale" if problem else "ok",
            "version": VERSION,
            "policy": ruling.policy,
            "failure_modes": len(ruling.supervisor.catalog.entries),
            "loaded": self._engines.opened.isoformat(timespec="seconds"),
            "records": ruling.supervisor.recording(),
        }
        return _json(state | ({"problem": "the last reload failed; the log says why"} if problem else {}))

    async def _prometheus(self, ruling: ActiveEngine, request: Request) -> Response:
        """The metrics."""
        engines = self._engines
        gauges = {
            "start_time_seconds": ("When the daemon was started.", self._started),
            "failure_modes": ("Failure modes in force.", len(ruling.supervisor.catalog.entries)),
            "sessions": ("Sessions remembered.", len(self._sessions)),
            "connections": ("Connections open.", self.connections),
            "reloads": ("Reloads since the start.", engines.reloads),
            "failed_reloads": ("Reloads that kept the old engine.", engines.failed_reloads),
            "reload_is_stale": ("1 if the last reload failed.", bool(engines.problem)),
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
    "GET /health": Routes._health,
    "GET /metrics": Routes._prometheus,
    **{f"POST /hook/{name}": Routes._hook for name in HOSTS},
}


async def _read(request: Request) -> dict[str, Any]:
    """The object in the body; a large body is parsed in a thread."""
    if len(request.body) <= _SMALL:
        value = read_json(request.body, limit=MAX_REQUEST)
    else:
        value = await IN_THREAD.run(_read_large, request.body)
    if not isinstance(value, dict):
        raise BadInput("an object is needed")
    return value


def _missed(session: Session, value: dict[str, Any]) -> Response | None:
    """The number of known steps if the guard has sent more than that, else None. The guard then sends the missing
    ones, and asks again."""
    known, steps = len(session.context().history), value.get("steps")
    return _json({"known_steps": known}) if isinstance(steps, int) and steps > known else None


def _read_large(body: bytes) -> Any:
    return read_json(body, limit=MAX_REQUEST)


def _json(value: Any, status: int = 200) -> Response:
    return Response(status, orjson.dumps(value))


def _reply(reply: Reply) -> Response:
    """A reply for the hook's client: 200 is stdout and exit code 0, 403 is stderr and exit code 2."""
    return Response(
        403 if reply.refused else 200, reply.text.encode(), TEXT, {"Supervisor-Echo": "1"} if reply.echo else {}
    )
