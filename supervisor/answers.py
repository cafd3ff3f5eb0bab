"""Waiting until a person has answered: by looking, so that a daemon or an answerer may come and go meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import anyio

from supervisor.decision.decision import Decision

if TYPE_CHECKING:
    from supervisor.engine import Supervisor
    from supervisor.remote import Remote

_SHORTEST, _LONGEST = 0.05, 1.0  # seconds between two looks; each is longer than the one before
_LENGTHENS = 1.5


def wait_for_answer(supervisor: Supervisor | Remote, decision: Decision, most: float = float("inf")) -> bool:
    """Waits as long as the policy says, and `most` seconds; whether the action is worth being proposed again, because
    of an answer, or because nobody is waited for any more."""
    for pause in _pauses(decision, most):
        if _is_answered(supervisor, decision):
            return True
        time.sleep(pause)
    return _is_over(supervisor, decision)


async def await_answer(supervisor: Supervisor | Remote, decision: Decision, most: float = float("inf")) -> bool:
    """`wait_for_answer`, from a coroutine."""
    for pause in _pauses(decision, most):
        if await anyio.to_thread.run_sync(_is_answered, supervisor, decision):
            return True
        await anyio.sleep(pause)
    return await anyio.to_thread.run_sync(_is_over, supervisor, decision)


def _pauses(decision: Decision, most: float) -> Iterator[float]:
    if not decision.is_asked or decision.approval is None:
        return
    pause, deadline = _SHORTEST, time.monotonic() + min(decision.approval.seconds_left(), most)
    while (left := deadline - time.monotonic()) > 0:
        yield min(pause, left)
        pause = min(pause * _LENGTHENS, _LONGEST)


def _is_over(supervisor: Supervisor | Remote, decision: Decision) -> bool:
    approval = decision.approval
    if approval is None or not decision.is_asked or approval.until is None:
        return False
    return not approval.seconds_left() or _is_answered(supervisor, decision)


def _is_answered(supervisor: Supervisor | Remote, decision: Decision) -> bool:
    return decision.approval is not None and supervisor.is_answered(decision.approval)
