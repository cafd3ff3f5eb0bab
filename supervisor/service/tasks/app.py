"""The API as an application: who may ask, and which routes there are."""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketState

from supervisor.errors import BadInput, MayNotAnswer, SupervisorError
from supervisor.intake.documents import place_in
from supervisor.runtime.store.database import NoRuntime
from supervisor.service.gate import Gate
from supervisor.service.tasks.board import Board
from supervisor.service.tasks.bodies import TASK_ID
from supervisor.service.tasks.events import tell
from supervisor.service.tasks.openapi import document
from supervisor.service.tasks.routes import OPERATIONS, Asked, Operation

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

_log = logging.getLogger(__name__)
_MOST_BYTES = 1024 * 1024  # of a body
_MOST_STREAMS = 16  # at once
_BROKEN = 1011  # the code of a WebSocket whose server cannot go on
_NOT_THERE = frozenset({"no_task", "no_attempt", "no_log"})
_OTHERWISE = frozenset({"not_over", "key_in_use", "no_question", "task_over", "too_deep", "no_steer", "not_running"})


@dataclass(frozen=True, slots=True)
class Tokens:
    """What opens the API: `people` everything, `programs` all but answers to questions."""

    people: str
    programs: str


class _Refused(Exception):
    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


def app_of(board: Board, tokens: Tokens) -> Starlette:
    """The application of these tasks."""
    streams = [0]

    async def events(socket: WebSocket) -> None:
        try:
            _check(socket, tokens, for_people=False)
            if streams[0] >= _MOST_STREAMS:
                raise _Refused(503, "too_many", "too many clients follow events")
            streams[0] += 1
            try:
                await _follow(socket, board)
            finally:
                streams[0] -= 1
        except (_Refused, SupervisorError) as error:
            if socket.application_state is WebSocketState.CONNECTED:
                await socket.close(_BROKEN, error.code)
            else:
                await socket.send_denial_response(_problem(error))

    async def described(_: Request) -> Response:
        return _json(document())

    routes: list[Any] = [Route(each.path, _endpoint(board, tokens, each), methods=[each.method]) for each in OPERATIONS]
    routes += [Route("/v1/openapi.json", described, methods=["GET"]), WebSocketRoute("/v1/events", events)]
    return Starlette(routes=routes, middleware=[Middleware(Gate)], exception_handlers={HTTPException: _no_route})


async def _follow(socket: WebSocket, board: Board) -> None:
    task = socket.query_params.get("task")
    if task is not None:
        await run_in_threadpool(board.task, _id(task))
    await tell(socket, board, task)


async def _no_route(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    return _json({"code": "no_route", "message": "there is no such route"}, status, headers)


def _endpoint(board: Board, tokens: Tokens, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            _check(request, tokens, for_people=operation.for_people)
            body = await _body(request, operation.body) if operation.body else None
            path = {name: _id(text) for name, text in request.path_params.items()}
            query = {name: request.query_params.getlist(name) for name in request.query_params}
            answer = await run_in_threadpool(operation.handle, Asked(board, path, query, body))
        except (_Refused, SupervisorError) as error:
            return _problem(error)
        return _json(operation.answer.model_validate(answer).model_dump(mode="json"))

    return endpoint


def _check(connection: HTTPConnection, tokens: Tokens, *, for_people: bool) -> None:
    """Raises _Refused unless the token of a request allows it."""
    scheme, _, given = connection.headers.get("authorization", "").partition(" ")
    is_bearer = scheme.lower() == "bearer"
    if is_bearer and _is(given, tokens.people):
        return
    if not (is_bearer and _is(given, tokens.programs)):
        raise _Refused(401, "no_token", "a token is needed")
    if for_people:
        raise _Refused(
            403, MayNotAnswer.code, "only the token of people answers questions and speaks to agents, or the console"
        )


def _is(given: str, token: str) -> bool:
    return hmac.compare_digest(given.strip().encode(), token.encode())


def _id(text: str) -> str:
    if not re.fullmatch(TASK_ID, text) or len(text) != len(text.strip()):
        raise BadInput("is no task", place=text[:40], code="no_task")
    return text


async def _body(request: Request, model: type[BaseModel]) -> BaseModel:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise _Refused(415, "no_json", "a body is JSON, and says so: Content-Type: application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise _Refused(413, "too_large", f"a body has at most {_MOST_BYTES:,} bytes")
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise BadInput(first["msg"], place=place_in(first["loc"]) or "the body") from None


def _problem(error: _Refused | SupervisorError) -> Response:
    if isinstance(error, _Refused):
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
        return _json({"code": error.code, "message": error.message}, error.status, headers)
    status = _status(error)
    if status >= 500:
        _log.error("%s", error)
    return _json({"code": error.code, "message": str(error)}, status)


def _status(error: SupervisorError) -> int:
    if isinstance(error, MayNotAnswer):
        return 403
    if isinstance(error, BadInput):
        return 404 if error.code in _NOT_THERE else 409 if error.code in _OTHERWISE else 400
    return 503 if isinstance(error, NoRuntime) else 500


def _json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(value), status, headers, "application/json")
