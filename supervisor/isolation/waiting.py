"""How a decision waits: aside from an event loop, or right where it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

import anyio
from anyio.lowlevel import checkpoint

from supervisor.evidence.reading.slices import aside
from supervisor.isolation.inquiry import Inquiry

_PATIENCE = 0.002  # seconds that a loop looks for an answer in every round, which is faster than to be woken by it
_FOREVER = 3600.0  # seconds; an inquiry has a deadline of its own
T = TypeVar("T")


class Waiting(Protocol):
    """What a decision does while it cannot go on."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Does work that takes long."""

    async def finish(self, inquiry: Inquiry) -> None:
        """Waits until an inquiry is done."""


class Aside:
    """In a thread, so that an event loop is not held up."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        return await aside(work, *args)

    async def finish(self, inquiry: Inquiry) -> None:
        until = time.monotonic() + _PATIENCE
        while not inquiry.advance(0) and time.monotonic() < until:
            await checkpoint()
        if not inquiry.is_done:
            own = anyio.CapacityLimiter(1)  # the loop's may be used up by threads that wait for this very decision
            await anyio.to_thread.run_sync(inquiry.advance, _FOREVER, limiter=own)


class Here:
    """In this thread, which has no event loop. Nothing here is ever suspended."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        return work(*args)

    async def finish(self, inquiry: Inquiry) -> None:
        inquiry.advance(_FOREVER)


ASIDE, HERE = Aside(), Here()
