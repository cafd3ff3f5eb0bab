"""Waits for a person's answer by polling, so that the daemon and the answering program may restart meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import anyio

from supervisor.decision.decision import Decision

if TYPE_CHECKING:
    from supervisor.engine.protocol import Engine

_SHORTEST, _LONGEST = 0.05, 1.0  # seconds between two polls; each pause is longer than the one before
_LENGTHENS = 1.5


def wait_for_answer(engine: Engine, decision: Decision, most: float = float("inf")) -> bool:
    """Waits as long as the policy says, at most `most` seconds. Returns whether to propose the action again: a person
    has answered, or the time for an answer is over."""
    for pause in _pauses(decision, most):
        if _is_answered(engine, decision):
            return True
        time.sleep(pause)
    return _is_over(engine, decision)


async def await_answer(engine: Engine, decision: Decision, most: float = float("inf")) -> bool:
    """`wait_for_answer`, from a coroutine."""
    for pause in _pauses(decision, most):
        if await anyio.to_thread.run_sync(_is_answered, engine, decision):
            return True
        await anyio.sleep(pause)
    return await anyio.to_thread.run_sync(_is_over, engine, decision)


def _pauses(decision: Decision, most: float) -> Iterator[float]:
    if not decision.is_asked or decision.approval is None:
        return
    pause, deadline = _SHORTEST, time.monotonic() + min(decision.approval.seconds_left(), most)
    while (left := deadline - time.monotonic()) > 0:
        yield min(pause, left)
        pause = min(pause * _LENGTHENS, _LONGEST)


def _is_over(engine: Engine, decision: Decision) -> bool:
    approval = decision.approval
    if approval is None or not decision.is_asked or approval.until is None:
        return False
    return not approval.seconds_left() or _is_answered(engine, decision)


def _is_answered(engine: Engine, decision: Decision) -> bool:
    return decision.approval is not None and engine.is_answered(decision.approval)
