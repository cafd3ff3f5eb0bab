"""The actions that wait for a person's approval."""

from __future__ import annotations

from starlette.responses import Response

from supervisor.errors import BadInput
from supervisor.service.console.calls import Call

_WORDS = ("approved", "denied")


def waiting(call: Call) -> Response:
    """All that wait, oldest first."""
    questions = [each.to_json() for each in call.desk.approvals.waiting()]
    return call.page("approvals.html", questions=questions, told=call.query.get("told", ""))


def answer(call: Call) -> Response:
    """Records an answer. The first one counts: a second one is told so."""
    word = call.text("answer")
    if word not in _WORDS:
        raise BadInput("neither approved nor denied")
    call.desk.answer(call.path["name"], word, call.visit.by, call.text("note"))
    return call.to(f"/approvals?told={word}")
