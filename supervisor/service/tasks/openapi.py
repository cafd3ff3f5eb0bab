"""The OpenAPI document, made of the same table as the routes."""

from __future__ import annotations

import functools
import re
from typing import Any

from pydantic.json_schema import models_json_schema

from supervisor.service.tasks.bodies import TASK_ID, Problem
from supervisor.service.tasks.routes import OPERATIONS, Operation
from supervisor.version import VERSION

_ABOUT = """Tasks of the runtime. Times are seconds since 1970. Secrets in commands, questions and logs are masked.

Every route needs a token, as `Authorization: Bearer TOKEN`; answers need that of people.

`GET /v1/events` is a WebSocket with the same token. Its first message is
`{"type": "tasks", "tasks": [...], "counts": {...}}`, the tasks that are not over. Each later one is
`{"type": "task", "task": {...}}`, a task that stands otherwise than before, as in a list.
`?task=ID` follows one task."""
_REASONS = {
    400: "The request is not as this document says.",
    401: "A token is needed.",
    403: "Only a person's token answers questions.",
    404: "There is no such task, attempt or log.",
    409: "The task is in another state.",
    413: "The body is too large.",
    415: "The body is no JSON.",
    503: "The database does not answer.",
}
_PEOPLE, _PROGRAMS = "people", "programs"


@functools.cache
def document() -> dict[str, Any]:
    """The document, as OpenAPI 3.1 has it."""
    used = [each.answer for each in OPERATIONS] + [each.body for each in OPERATIONS if each.body] + [Problem]
    modes = [
        (model, "validation" if model in {each.body for each in OPERATIONS} else "serialization") for model in used
    ]
    _, schemas = models_json_schema(modes, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    paths: dict[str, dict[str, Any]] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Supervisor: tasks", "version": VERSION, "description": _ABOUT, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {
                _PEOPLE: {"type": "http", "scheme": "bearer", "description": "The token that opens the console."},
                _PROGRAMS: {"type": "http", "scheme": "bearer", "description": "The token of programs."},
            },
        },
    }


def _operation(each: Operation) -> dict[str, Any]:
    statuses = sorted({400, 401, 503, *each.refusals, *((413, 415) if each.body else ())})
    responses = {
        "200": _json(each.answer.__name__, "Done."),
        **{str(no): _json("Problem", _REASONS[no]) for no in statuses},
    }
    told: dict[str, Any] = {
        "operationId": each.name,
        "summary": each.summary,
        "security": [{_PEOPLE: []}] if each.for_people else [{_PEOPLE: []}, {_PROGRAMS: []}],
        "parameters": [_path(name) for name in re.findall(r"\{(\w+)\}", each.path)],
        "responses": responses,
    }
    told["parameters"] += [
        {"name": one.name, "in": "query", "description": one.description, "schema": dict(one.schema)}
        for one in each.query
    ]
    if each.body is not None:
        schema = {"$ref": f"#/components/schemas/{each.body.__name__}"}
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return told


def _path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": TASK_ID}}


def _json(model: str, description: str) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{model}"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}
