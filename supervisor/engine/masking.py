"""Steps of a history with their secrets masked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from supervisor.action import Action, Step
from supervisor.intake.json_values import plain

if TYPE_CHECKING:
    from supervisor.evidence.secrets import Masker
    from supervisor.evidence.secrets.spans import Allowance


def step_of(action: Action, output: Any, *, failed: bool = False) -> Step:
    """The step of an action that ran, with what its tool returned or raised."""
    return Step(action.tool, action.args, plain(output), action.kind, failed)


def masked(steps: Sequence[Step], masker: Masker, allowance: Allowance | None = None) -> list[Step]:
    """The steps without secrets. They are masked in one call, so that one limit bounds all of them together.

    With an `allowance`, it bounds all calls that share it. Raises BadInput if it is used up.
    """
    told = [[step.tool, step.args, step.output] for step in steps]
    values: list[Any] = masker.mask_output(told) if allowance is None else masker.mask_within(told, allowance)
    pairs = zip(steps, values, strict=True)
    return [Step(tool, args, output, step.kind, step.failed) for step, (tool, args, output) in pairs]
