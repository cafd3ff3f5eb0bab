"""One request of a person who has signed in, and how handlers are called with it."""

from __future__ import annotations

import hmac
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from supervisor.errors import BadInput, MayNotAnswer, SupervisorError
from supervisor.records.questions import NotAsked
from supervisor.runtime.store.database import NoRuntime
from supervisor.service.console.desk import Desk, HeldByAnother, NotThere
from supervisor.service.console.pages import render
from supervisor.service.console.visits import Visit, Visits

if TYPE_CHECKING:
    from starlette.requests import Request

_log = logging.getLogger(__name__)
COOKIE = "supervisor_console"
_MOST_BYTES = 256 * 1024  # of a form
_MOST_FIELDS = 500
_STATUS: tuple[tuple[type[SupervisorError], int], ...] = (
    (MayNotAnswer, 403),
    (NotThere, 404),
    (HeldByAnother, 409),
    (NotAsked, 409),
    (BadInput, 400),
    (NoRuntime, 503),
)
_NOT_THERE = frozenset({"no_task", "no_attempt", "no_log"})
_OTHERWISE = frozenset({"not_over", "key_in_use", "no_question", "no_steer", "not_running"})
Form = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Call:
    """What a handler is given. `form` is empty for requests that change nothing."""

    desk: Desk
    visit: Visit
    path: Mapping[str, Any]
    query: Mapping[str, str]
    form: Form

    def text(self, name: str) -> str:
        """A field of the form, without blanks around it; "" if it is not there."""
        return self.form.get(name, [""])[0].strip()

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page."""
        return HTMLResponse(render(template, visit=self.visit, problem=self.desk.problem, **values), status)

    def to(self, path: str) -> Response:
        """Goes on with another page of this visit. 303: the browser gets it, whatever it has sent here."""
        return RedirectResponse(self.visit.base + path, 303)


Handler = Callable[[Call], Response] | Callable[[Call], Awaitable[Response]]


def signed_in(desk: Desk, visits: Visits, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a handler, for people who have signed in. Every post needs the CSRF token of the visit."""

    async def endpoint(request: Request) -> Response:
        visit = visits.of(request.path_params["room"], request.cookies.get(COOKIE, ""))
        if visit is None:
            return RedirectResponse("/", 303) if request.method != "POST" else _refused(401, "sign in first")
        form: Form = {}
        if request.method == "POST":
            try:
                form = await form_of(request)
            except BadInput as error:
                return _refused(413, error.message)
            given = form.get("csrf", [""])[0]
            if not hmac.compare_digest(given.encode(), visit.csrf.encode()):
                return _refused(403, "this form is not of this visit; open the page again")
        call = Call(desk, visit, request.path_params, request.query_params, form)
        response = await _answered(handler, call)
        if request.method == "GET" and "hx-request" in request.headers:
            response.headers["HX-Replace-Url"] = request.url.path  # a script has followed a redirect to here
        return response

    return endpoint


async def _answered(handler: Handler, call: Call) -> Response:
    try:
        if inspect.iscoroutinefunction(handler):
            response: Response = await handler(call)
            return response
        return await run_in_threadpool(handler, call)  # type: ignore[arg-type]
    except SupervisorError as error:
        status = _status(error)
        if status >= 500:
            _log.error("%s", error)
        return call.page("error.html", status, error=error)


def _status(error: SupervisorError) -> int:
    if error.code in _NOT_THERE:
        return 404
    if error.code in _OTHERWISE:
        return 409
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def _refused(status: int, why: str) -> Response:
    return HTMLResponse(render("refused.html", why=why), status)


async def form_of(request: Request) -> Form:
    """The fields of a form. Raises BadInput if it is too large or none."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise BadInput(f"a form has at most {_MOST_BYTES:,} bytes")
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise BadInput(f"no form: {error}") from None
