"""Tasks of the runtime: which there are, what became of one, who runs them, and the questions for a person."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from supervisor.errors import BadInput
from supervisor.runtime.drivers.known import STEERABLE
from supervisor.runtime.store.database import NoRuntime
from supervisor.runtime.tasks.states import TaskState
from supervisor.service.console.calls import Call
from supervisor.service.console.live import streamed
from supervisor.service.console.pages import render

_log = logging.getLogger(__name__)
_SHOWN = 200  # tasks
_TAIL = 20_000  # characters of a log
_TOLD = ("answered", "cancelled", "queued", "told")


def tasks(call: Call) -> Response:
    """The tasks that were changed last, and the executors that are alive."""
    return call.page("tasks.html", **_overview(call))


def stream(call: Call) -> Response:
    """The parts of that page, whenever one of them is another."""
    return streamed(call, _pieces(call, "_tasks.html", lambda: _overview(call)))


def task(call: Call) -> Response:
    """One task: its question, its attempts, and the end of its log."""
    told = call.query.get("told", "")
    return call.page("task.html", told=told if told in _TOLD else "", **_whole(call))


def stream_of_task(call: Call) -> Response:
    """The parts of that page, whenever one of them is another."""
    _whole(call)
    return streamed(call, _pieces(call, "_task.html", lambda: _whole(call)))


def questions(call: Call) -> Response:
    """All that waits for a person, oldest first."""
    return call.page("questions.html", questions=call.desk.board.questions())


def answer(call: Call) -> Response:
    """Records an answer to the question that was shown; another one is not answered by it."""
    id = call.path["id"]
    call.desk.board.answer(id, call.text("question"), call.text("answer"), call.visit.by, call.text("note"))
    return call.to(f"/tasks/{id}?told=answered")


def cancel(call: Call) -> Response:
    """Cancels a task with all that it has added."""
    call.desk.board.cancel(call.path["id"])
    return call.to(f"/tasks/{call.path['id']}?told=cancelled")


def retry(call: Call) -> Response:
    """Takes a task that is over back to the queue."""
    call.desk.board.retry(call.path["id"])
    return call.to(f"/tasks/{call.path['id']}?told=queued")


def steer(call: Call) -> Response:
    """Says something to the agent of a task."""
    call.desk.board.steer(call.path["id"], call.text("text"), call.visit.by)
    return call.to(f"/tasks/{call.path['id']}?told=told")


def _overview(call: Call) -> dict[str, Any]:
    board, state = call.desk.board, call.query.get("state", "")
    if state and state not in set(TaskState):
        raise BadInput("is no state", place="state")
    states = [TaskState(state)] if state else []
    executors = [{**each, "silent": int(each["silent"])} for each in board.executors()]
    return {
        "tasks": board.tasks(states, most=_SHOWN),
        "counts": board.counts(),
        "executors": executors,
        "state": state,
        "most": _SHOWN,
    }


def _whole(call: Call) -> dict[str, Any]:
    board = call.desk.board
    found = board.task(call.path["id"])
    try:
        number, log = board.log(found["id"])
    except BadInput as error:
        number, log = 0, str(error) if found["attempts"] else ""
    asked = [each for each in found["questions"] if each["answered"] is None]
    return {
        "task": found,
        "question": asked[0] if asked else None,
        "number": number,
        "log": log[-_TAIL:],
        "cut": len(log) > _TAIL,
        "can_steer": found["state"] == TaskState.RUNNING and found["driver"] in STEERABLE,
    }


def _pieces(call: Call, template: str, values: Callable[[], dict[str, Any]]) -> Callable[[], list[str]]:
    """What a stream looks at: the parts of a page that change, if they have. A database that does not answer for a
    while is looked at again."""
    shown = [""]

    def look() -> list[str]:
        try:
            drawn = render(template, visit=call.visit, **values())
        except NoRuntime as error:
            _log.warning("%s", error)
            return []
        if drawn == shown[0]:
            return []
        shown[0] = drawn
        return [drawn]

    return look
