"""How a decision waits: aside from an event loop, or right where it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

import anyio
from anyio.lowlevel import checkpoint

from supervisor.engine.workers.job import Job
from supervisor.evidence.reading.slices import aside

_PATIENCE = 0.002  # seconds that a loop looks for an answer in every round, which is faster than to be woken by it
_FOREVER = 3600.0  # seconds; a job has a deadline of its own
T = TypeVar("T")


class Waiting(Protocol):
    """What a decision does while it cannot go on."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Does work that takes long."""

    async def finish(self, job: Job) -> None:
        """Waits until a job is done."""


class Aside:
    """In a thread, so that an event loop is not held up."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        return await aside(work, *args)

    async def finish(self, job: Job) -> None:
        until = time.monotonic() + _PATIENCE
        while not job.advance(0) and time.monotonic() < until:
            await checkpoint()
        if not job.is_done:
            own = anyio.CapacityLimiter(1)  # the loop's may be used up by threads that wait for this very decision
            await anyio.to_thread.run_sync(job.advance, _FOREVER, limiter=own)


class Here:
    """In this thread, which has no event loop. Nothing here is ever suspended."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        return work(*args)

    async def finish(self, job: Job) -> None:
        job.advance(_FOREVER)


ASIDE, HERE = Aside(), Here()
