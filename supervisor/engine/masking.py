"""What came of an action: it joins its session's history, and becomes the scene for those who judge after it ran."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from supervisor.action import Action, Context, Step
from supervisor.evidence.secrets import Masker
from supervisor.history import History
from supervisor.intake.json_values import plain


def step_of(action: Action, output: Any, *, failed: bool = False) -> Step:
    """An action that ran, with what its tool returned or raised."""
    return Step(action.tool, action.args, plain(output), action.kind, failed)


def masked_past(context: Context, masker: Masker) -> tuple[History, Step | None]:
    """The history of a context without secrets, and the action itself where it has run. What stands in a `History`
    has been masked."""
    history, ran = context.history, context.ran
    if isinstance(history, History):
        return history, ran if ran is None or history.goes_on_with(ran) else masked([ran], masker)[0]
    steps = masked([*history, ran] if ran else history, masker) if history or ran else []
    return (History(steps[:-1]), steps[-1]) if ran else (History(steps), None)


def masked(steps: Sequence[Step], masker: Masker) -> list[Step]:
    """What is past is masked whatever it holds: all of it together, so that its length bounds no more than one."""
    told: list[Any] = masker.mask_output([[step.tool, step.args, step.output] for step in steps])
    pairs = zip(steps, told, strict=True)
    return [Step(tool, args, output, step.kind, step.failed) for step, (tool, args, output) in pairs]
