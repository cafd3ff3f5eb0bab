"""How a decision waits: in a thread beside an event loop, or inline, where only the doors need a loop.

anyio is imported at its first use: a caller without an event loop never needs it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from supervisor.engine.workers.job import Job

_PATIENCE = 0.002  # seconds in which the loop polls for the answer: that is faster than a thread's wake-up
_FOREVER = 3600.0  # seconds; the job has its own deadline
T = TypeVar("T")


class Waiting(Protocol):
    """A way to wait for slow work."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Runs slow work and returns its result."""

    async def finish(self, job: Job) -> None:
        """Waits until a job is done."""

    async def in_loop(self, work: Callable[[], Awaitable[None]]) -> None:
        """Awaits work that needs an event loop, and waits IN_THREAD."""


class InThread:
    """In a thread, so that the event loop is not blocked."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        from supervisor.evidence.reading.slices import run_in_thread

        return await run_in_thread(work, *args)

    async def finish(self, job: Job) -> None:
        from anyio import CapacityLimiter, to_thread
        from anyio.lowlevel import checkpoint

        until = time.monotonic() + _PATIENCE
        while not job.advance(0) and time.monotonic() < until:
            await checkpoint()
        if not job.is_done:
            own = CapacityLimiter(1)  # threads that wait for this decision may use up the loop's limiter
            await to_thread.run_sync(job.advance, _FOREVER, limiter=own)

    async def in_loop(self, work: Callable[[], Awaitable[None]]) -> None:
        await work()


class Inline:
    """In this thread, which has no event loop. Its coroutines never suspend. What needs a loop runs in a portal's,
    which `portal` opens."""

    def __init__(self, portal: Callable[[], BlockingPortal]) -> None:
        self._portal = portal

    async def run(self, work: Callable[..., T], *args: object) -> T:
        return work(*args)

    async def finish(self, job: Job) -> None:
        job.advance(_FOREVER)

    async def in_loop(self, work: Callable[[], Awaitable[None]]) -> None:
        self._portal().call(work)


IN_THREAD = InThread()
