"""What all relations together find in a situation."""

from __future__ import annotations

from typing import Any

from supervisor.action import Action, Context, Step
from supervisor.evidence.situation.named.ambient import other_choice
from supervisor.evidence.situation.named.direction import copied_wrong_way
from supervisor.evidence.situation.named.neighbours import other_than_named
from supervisor.evidence.situation.named.others import other_record
from supervisor.evidence.situation.named.siblings import sibling_taken
from supervisor.evidence.situation.named.slots import other_value
from supervisor.evidence.situation.named.stages import other_stage
from supervisor.evidence.situation.shown.saving import deleted_unsaved
from supervisor.evidence.situation.shown.standing import contradicting_state
from supervisor.evidence.situation.stated.conditions import unmet_condition
from supervisor.evidence.situation.stated.limits import broken_limit
from supervisor.evidence.situation.stated.looked import changed_when_asked_to_look
from supervisor.evidence.situation.wider.extent import beyond_request

RULES = (
    broken_limit,
    changed_when_asked_to_look,
    contradicting_state,
    copied_wrong_way,
    deleted_unsaved,
    other_choice,
    other_record,
    other_stage,
    other_than_named,
    other_value,
    sibling_taken,
    unmet_condition,
)


def found(command: str, task: str, *shown: tuple[str, str]) -> list[Any]:
    history = [Step("bash", {"command": given}, output, "shell") for given, output in shown]
    context = Context(task=task, history=history, facts={"cwd": "/srv/work"})
    action = Action("bash", {"command": command}, "shell")
    alone = [result[1] for rule in RULES if (result := rule(action, context)) is not None]
    return [*alone, *beyond_request(action, context)]
