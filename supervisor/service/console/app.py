"""The console as an application: who may sign in, and which pages there are."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from supervisor.errors import BadInput
from supervisor.feedback.labelling import MAX_NOTE
from supervisor.service.console import approvals, live, measures, reviewing, sessions, tasks
from supervisor.service.console.calls import COOKIE, Call, Handler, form_of, signed_in
from supervisor.service.console.desk import Desk
from supervisor.service.console.pages import render
from supervisor.service.console.visits import Visits
from supervisor.service.gate import Gate

if TYPE_CHECKING:
    from starlette.requests import Request

_log = logging.getLogger(__name__)
_EVERY = 1.0  # seconds between two looks for new records
_SHARE = 0.1  # of the time, at most, that is spent on reading them
_Endpoint = Callable[["Request"], Awaitable[Response]]

_PAGES: dict[str, Handler] = {
    "GET /queue": reviewing.queue,
    "GET /record/{record}": lambda call: reviewing.decision_page(call, call.path["record"]),
    "POST /record/{record}/label": reviewing.label,
    "POST /record/{record}/skip": reviewing.skip,
    "GET /record/{record}/alike": reviewing.alike,
    "POST /alike": reviewing.label_alike,
    "POST /undo": reviewing.undo,
    "GET /sessions": sessions.sessions,
    "GET /session": sessions.session,
    "POST /verify": sessions.verification,
    "POST /record/{record}/replay": sessions.replay,
    "GET /taxonomy": measures.taxonomy,
    "GET /taxonomy/{name}": measures.specialist,
    "GET /approvals": approvals.waiting,
    "POST /approvals/{name}": approvals.answer,
    "GET /tasks": tasks.tasks,
    "GET /tasks/stream": tasks.stream,
    "GET /tasks/{id}": tasks.task,
    "GET /tasks/{id}/stream": tasks.stream_of_task,
    "POST /tasks/{id}/answer": tasks.answer,
    "POST /tasks/{id}/cancel": tasks.cancel,
    "POST /tasks/{id}/retry": tasks.retry,
    "POST /tasks/{id}/steer": tasks.steer,
    "GET /questions": tasks.questions,
    "GET /live": live.live,
    "GET /live/stream": live.stream,
}


def app_of(desk: Desk, token: str, suggested: str = "") -> Starlette:
    """The application. `token` opens it; `suggested` is a name that the form to sign in begins with."""
    visits = Visits()

    async def enter(request: Request) -> Response:
        if request.method != "POST":
            return HTMLResponse(render("sign_in.html", by=suggested, why=""))
        try:
            form = await form_of(request)
        except BadInput as error:
            return HTMLResponse(render("refused.html", why=error.message), 413)
        by = form.get("by", [""])[0].strip()
        if not hmac.compare_digest(form.get("token", [""])[0].strip().encode(), token.encode()):
            return HTMLResponse(render("sign_in.html", by=by, why="This is not the token."), 401)
        if not by or len(by) > MAX_NOTE or not by.isprintable():
            return HTMLResponse(render("sign_in.html", by=suggested, why="Who judges has a name."), 400)
        visit = visits.open(by)
        _log.warning("%s has signed in", by)
        response = RedirectResponse(f"{visit.base}/queue", 303)
        response.set_cookie(COOKIE, visit.cookie, path=visit.base, httponly=True, samesite="strict")
        return response

    async def leave(call: Call) -> Response:
        visits.close(call.visit)
        response = RedirectResponse("/", 303)
        response.delete_cookie(COOKIE, path=call.visit.base, httponly=True, samesite="strict")
        return response

    routes = [_route(name, signed_in(desk, visits, handler)) for name, handler in _PAGES.items()]
    routes.append(_route("POST /leave", signed_in(desk, visits, leave)))
    return Starlette(
        routes=[
            Route("/", enter, methods=["GET", "POST"]),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
            Mount("/r/{room}", routes=routes),
        ],
        middleware=[Middleware(Gate)],
        lifespan=lambda _: _following(desk),
    )


def _route(name: str, endpoint: _Endpoint) -> Route:
    method, _, path = name.partition(" ")
    return Route(path, endpoint, methods=[method])


@contextlib.asynccontextmanager
async def _following(desk: Desk) -> AsyncIterator[None]:
    """Adds new records to the index while the console runs."""

    async def follow() -> None:
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await run_in_threadpool(desk.refresh)
            await asyncio.sleep(max(_EVERY, (loop.time() - began) / _SHARE))

    following = asyncio.create_task(follow())
    try:
        yield
    finally:
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following
