"""Specialists that wait for the outside, and do not come back."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from supervisor.specialist import ok

LINGERS = 20  # seconds


async def never_answer(_: Any) -> Any:
    await asyncio.Event().wait()


async def ignore_cancellation(_: Any) -> Any:
    """For a while: nothing but the end of the loop ends a coroutine that never lets itself be cancelled."""
    for _each in range(3):
        with contextlib.suppress(BaseException):
            await asyncio.sleep(LINGERS)
    return ok()


async def cancel_itself(_: Any) -> Any:
    task = asyncio.current_task()
    if task:
        task.cancel()
    await asyncio.sleep(0)
    return ok()


async def raise_cancelled(_: Any) -> Any:
    raise asyncio.CancelledError


async def raise_exit(_: Any) -> Any:
    raise SystemExit(3)


async def raise_generator_exit(_: Any) -> Any:
    raise GeneratorExit


async def leave_a_task(_: Any) -> Any:
    asyncio.get_running_loop().call_later(LINGERS, print)
    return ok()


async def fetch_a_hundred(context: Any) -> Any:
    await asyncio.gather(*(context.fetch("http://127.0.0.1:1/") for _each in range(100)), return_exceptions=True)
    return ok()


async def ask_for_nonsense(context: Any) -> Any:
    return await context.query("SELECT \0; DROP TABLE refunds; \ud800", nonsense=object())


async def answer_a_coroutine_function(_: Any) -> Any:
    return never_answer


async def answer_nan(_: Any) -> Any:
    return float("nan")
