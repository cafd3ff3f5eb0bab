"""What programs can ask for: each route with what it takes, what it answers, and the function that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from supervisor.errors import BadInput
from supervisor.runtime.tasks.states import TaskState
from supervisor.service.tasks import bodies
from supervisor.service.tasks.board import Board
from supervisor.suggestions import choices

_MOST = 1_000  # tasks in a list


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose caller may make it. `query` has each parameter with all its values; `body` is checked."""

    board: Board
    path: Mapping[str, str]
    query: Mapping[str, list[str]]
    body: Any

    def number(self, name: str, most: int) -> int | None:
        """A number of the query, from 1 to `most`. Raises BadInput."""
        (text, *more) = self.query.get(name, [""])
        if text == "" and not more:
            return None
        if more or not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
            raise BadInput(f"is a number from 1 to {most:,}", place=name)
        return int(text)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the query: its name, its meaning and its JSON schema."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """A route. `refusals` are the statuses of errors beside those that any route may answer. `for_people`: it needs the
    token of people."""

    name: str
    method: str
    path: str
    summary: str
    handle: Callable[[Asked], Any]
    answer: type[BaseModel]
    body: type[BaseModel] | None = None
    query: tuple[Parameter, ...] = ()
    refusals: tuple[int, ...] = ()
    for_people: bool = False


def _list(asked: Asked) -> dict[str, Any]:
    states = asked.query.get("state", [])
    for each in states:
        if each not in set(TaskState):
            raise BadInput(f"is none{choices(each, list(TaskState))}", place="state")
    pools = asked.query.get("pool", [])
    if len(pools) > 1 or "\0" in "".join(pools):
        raise BadInput("is one name", place="pool")
    most = asked.number("limit", _MOST) or _MOST
    found = asked.board.tasks([TaskState(each) for each in states], pools[0] if pools else None, most)
    return {"tasks": found, "counts": asked.board.counts()}


def _add(asked: Asked) -> dict[str, Any]:
    added = asked.board.add(asked.body.spec())
    return {"id": added.id, "is_new": added.is_new}


def _log(asked: Asked) -> dict[str, Any]:
    number, text = asked.board.log(asked.path["id"], asked.number("attempt", 10**9 - 1))
    return {"attempt": number, "text": text}


def _retry(asked: Asked) -> dict[str, Any]:
    asked.board.retry(asked.path["id"])
    return asked.board.task(asked.path["id"])


def _answer(asked: Asked) -> dict[str, Any]:
    given: bodies.NewAnswer = asked.body
    asked.board.answer(asked.path["id"], given.question, given.answer, given.by, given.note)
    return asked.board.task(asked.path["id"])


def _steer(asked: Asked) -> dict[str, Any]:
    said: bodies.NewMessage = asked.body
    asked.board.steer(asked.path["id"], said.text, said.by)
    return asked.board.task(asked.path["id"])


_STATES = {"type": "array", "items": {"enum": list(map(str, TaskState))}}
_ONE = {"type": "string", "pattern": r"^[^\x00]*$"}
_FILTERS = (
    Parameter("state", "Only tasks in this state; several may be named.", _STATES),
    Parameter("pool", "Only tasks of this pool.", _ONE),
    Parameter("limit", "How many at most.", {"type": "integer", "minimum": 1, "maximum": _MOST}),
)
_ATTEMPT = (Parameter("attempt", "By default the last.", {"type": "integer", "minimum": 1, "maximum": 10**9 - 1}),)

OPERATIONS = (
    Operation("list_tasks", "GET", "/v1/tasks", "List tasks.", _list, bodies.TaskList, query=_FILTERS),
    Operation(
        "add_task", "POST", "/v1/tasks", "Add a task.", _add, bodies.Added, body=bodies.NewTask, refusals=(404, 409)
    ),
    Operation(
        "show_task",
        "GET",
        "/v1/tasks/{id}",
        "A task with its attempts and questions.",
        lambda asked: asked.board.task(asked.path["id"]),
        bodies.Task,
        refusals=(404,),
    ),
    Operation(
        "task_log",
        "GET",
        "/v1/tasks/{id}/log",
        "What an attempt has printed.",
        _log,
        bodies.Log,
        query=_ATTEMPT,
        refusals=(404,),
    ),
    Operation(
        "cancel_task",
        "POST",
        "/v1/tasks/{id}/cancel",
        "Cancel a task with all that it has added.",
        lambda asked: {"cancelled": asked.board.cancel(asked.path["id"])},
        bodies.Cancelled,
        refusals=(404,),
    ),
    Operation(
        "retry_task",
        "POST",
        "/v1/tasks/{id}/retry",
        "Take a task that has failed, or was cancelled, back to the queue.",
        _retry,
        bodies.Task,
        refusals=(404, 409),
    ),
    Operation(
        "answer_task",
        "POST",
        "/v1/tasks/{id}/answer",
        "Answer the question of a task, in a person's name.",
        _answer,
        bodies.Task,
        body=bodies.NewAnswer,
        refusals=(403, 404, 409),
        for_people=True,
    ),
    Operation(
        "steer_task",
        "POST",
        "/v1/tasks/{id}/steer",
        "Say something to the agent of a task that runs, in a person's name.",
        _steer,
        bodies.Task,
        body=bodies.NewMessage,
        refusals=(403, 404, 409),
        for_people=True,
    ),
    Operation(
        "list_questions",
        "GET",
        "/v1/questions",
        "The questions that wait for a person.",
        lambda asked: {"questions": asked.board.questions()},
        bodies.Questions,
    ),
    Operation(
        "list_executors",
        "GET",
        "/v1/executors",
        "The executors that are alive, with the attempts that they hold.",
        lambda asked: {"executors": asked.board.executors()},
        bodies.Executors,
    ),
)
