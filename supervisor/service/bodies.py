"""The JSON of requests and answers."""

from __future__ import annotations

from typing import Any

import orjson

from supervisor.engine.offload import IN_THREAD
from supervisor.errors import BadInput
from supervisor.intake.documents import read_json
from supervisor.intake.parsing import MAX_REQUEST
from supervisor.service.http import Request, Response

_SMALL = 64 * 1024  # bytes of JSON that are parsed on the event loop


async def read_object(request: Request) -> dict[str, Any]:
    """The object in the body; a large body is parsed in a thread."""
    if len(request.body) <= _SMALL:
        value = read_json(request.body, limit=MAX_REQUEST)
    else:
        value = await IN_THREAD.run(_read_large, request.body)
    if not isinstance(value, dict):
        raise BadInput("an object is needed")
    return value


def _read_large(body: bytes) -> Any:
    return read_json(body, limit=MAX_REQUEST)


def json_response(value: Any, status: int = 200) -> Response:
    """A value as an answer."""
    return Response(status, orjson.dumps(value))
