"""Steps of a history with their secrets masked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from supervisor.action import Action, Context, Step
from supervisor.history import History
from supervisor.intake.json_values import plain

if TYPE_CHECKING:
    from supervisor.evidence.secrets import Masker


def step_of(action: Action, output: Any, *, failed: bool = False) -> Step:
    """The step of an action that ran, with what its tool returned or raised."""
    return Step(action.tool, action.args, plain(output), action.kind, failed)


def masked_past(context: Context, masker: Masker) -> tuple[History, Step | None]:
    """The history of a context without secrets, and the action's own step if it has run. A `History` is masked
    already."""
    history, ran = context.history, context.ran
    if isinstance(history, History):
        return history, ran if ran is None or history.goes_on_with(ran) else masked([ran], masker)[0]
    steps = masked([*history, ran] if ran else history, masker) if history or ran else []
    return (History(steps[:-1]), steps[-1]) if ran else (History(steps), None)


def masked(steps: Sequence[Step], masker: Masker) -> list[Step]:
    """The steps without secrets. They are masked in one call, so that one limit bounds all of them together."""
    values: list[Any] = masker.mask_output([[step.tool, step.args, step.output] for step in steps])
    pairs = zip(steps, values, strict=True)
    return [Step(tool, args, output, step.kind, step.failed) for step, (tool, args, output) in pairs]
