"""Asking the specialists: those that only look, and those that wait for the outside, side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import anyio

from supervisor.action import Action, Context
from supervisor.errors import DoorFailed, Unreadable
from supervisor.specialist import Specialist
from supervisor.verdict import Cause, Finding, Opinion, Refusal

Budget = Callable[[Specialist], float]
ContextOf = Callable[[Specialist], Context]


async def ask_all(
    specialists: Sequence[Specialist], action: Action, context_of: ContextOf, budget: Budget
) -> list[Opinion]:
    """One opinion a specialist, in the order given.

    `context_of` gives each specialist its context (with doors of its own where it may use them), `budget` its deadline
    in seconds. Nothing that a specialist does or raises reaches the caller: it becomes a refusal.
    """
    opinions: list[Opinion] = [_UNASKED] * len(specialists)
    waiting = [index for index, specialist in enumerate(specialists) if specialist.uses_doors]
    looking = [index for index, specialist in enumerate(specialists) if not specialist.uses_doors]

    async def wait_for(index: int) -> None:
        specialist = specialists[index]
        opinions[index] = await ask_through_doors(specialist, action, context_of(specialist), budget(specialist))

    def look() -> None:
        for index in looking:
            specialist = specialists[index]
            opinions[index] = ask(specialist, action, context_of(specialist), budget(specialist))

    if not waiting:
        look()
        return opinions
    async with anyio.create_task_group() as lane:
        for index in waiting:
            lane.start_soon(wait_for, index)
        if looking:  # in a thread, so that an answer is not late only because this one was busy looking
            own = anyio.CapacityLimiter(1)  # the loop's may be used up by threads that wait for this very decision
            lane.start_soon(partial(anyio.to_thread.run_sync, look, limiter=own))
    return opinions


def ask(specialist: Specialist, action: Action, context: Context, budget: float) -> Opinion:
    """Asks a specialist that only looks. Its engines bound the time; a vote that comes late does not count."""
    started = time.perf_counter()
    try:
        opinion = specialist.judge(action, context)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a specialist raises is a refusal, an exit as well
        return refusal_for(error)
    late = time.perf_counter() - started
    if late > budget:
        return Refusal(f"answered after its deadline of {budget * 1000:g} ms", Cause.INPUT, timed_out=True)
    return _checked(opinion)


async def ask_through_doors(specialist: Specialist, action: Action, context: Context, budget: float) -> Opinion:
    """Asks a specialist that waits for the outside, until its deadline."""
    opinion: Any = None
    with anyio.move_on_after(budget) as deadline:
        try:
            opinion = await specialist.judge(action, context)  # type: ignore[misc]
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a specialist raises is a refusal
            opinion = refusal_for(error)
    if deadline.cancelled_caught or anyio.current_time() > deadline.deadline:
        late = f"no answer within its deadline of {budget * 1000:g} ms"
        return Refusal(late, Cause.INFRASTRUCTURE, timed_out=True)
    return _checked(opinion)


def refusal_for(error: BaseException) -> Refusal:
    """The refusal that an exception amounts to."""
    if isinstance(error, DoorFailed):
        return Refusal(str(error), Cause.INFRASTRUCTURE)
    if isinstance(error, Unreadable):
        return Refusal(str(error), Cause.INPUT)
    if isinstance(error, RecursionError):
        return Refusal("nested too deeply", Cause.INPUT)
    return Refusal(f"crashed with {type(error).__name__}: {error}"[:500], Cause.INPUT)


def _checked(opinion: Any) -> Opinion:
    if isinstance(opinion, (Finding, Refusal)):
        return opinion
    return Refusal(f"answered with {type(opinion).__name__}, which is no opinion", Cause.INFRASTRUCTURE)


_UNASKED = Refusal("not asked", Cause.INFRASTRUCTURE)
