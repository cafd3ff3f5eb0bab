"""What an agent tells of its spending: each reading goes to the ledger, and a cap that is reached interrupts it."""

from __future__ import annotations

import logging
import math
import time

import anyio
from anyio import to_thread

from supervisor.runtime.drivers.agents.channel import NoReply
from supervisor.runtime.drivers.agents.quota import limited
from supervisor.runtime.drivers.agents.talk import Dialect, Talk
from supervisor.runtime.drivers.driver import Job
from supervisor.runtime.tasks.outcome import Outcome
from supervisor.runtime.tasks.usage import Usage

_log = logging.getLogger(__name__)
_INTERRUPTED = 15.0  # seconds for an agent to end its turn when it is asked to
_WAITS = 30.0  # seconds for an agent to end its turn by itself after its provider has said that it gives no more
_LOOK = 0.5  # seconds between two looks at that


class Accounting:
    """Counts for one attempt what its agent tells. Where the gateway counts, the agent is not listened to."""

    def __init__(self, job: Job, talk: Talk, dialect: Dialect) -> None:
        self._job, self._talk, self._dialect = job, talk, dialect
        self._told, self._readings = anyio.create_memory_object_stream[Usage](math.inf)
        self._noted = self._counted = 0
        self._progress = anyio.Event()
        self._last: Usage = {}
        self._reached: Outcome | None = None
        self._is_stopped = False
        talk.spends = self._note

    def _note(self, usage: Usage) -> None:
        """Takes in what the attempt has spent so far."""
        if self._dialect.provider:
            self._last = usage
            self._noted += 1
            self._told.send_nowait(usage)

    async def run(self) -> None:
        """Counts until it is cancelled, or a cap is reached. Then the agent has to end its turn, or is ended."""
        async for usage in self._readings:
            self._reached = await to_thread.run_sync(self._job.spend, self._dialect.provider, usage)
            if self._reached is not None:
                await self._ask_to_end()
                self._is_stopped = True
            self._counted += 1
            self._progress.set()
            self._progress = anyio.Event()
            if self._reached is not None:
                await anyio.sleep(_INTERRUPTED)
                self._job.control.stop(self._reached)
                return

    async def settled(self) -> str:
        """Waits until everything that was told is counted, and the agent is interrupted if need be. Returns why it may
        not go on; empty if it may."""
        awaited = self._noted
        while self._counted < awaited and not self._is_stopped:
            await self._progress.wait()
        return self._reached.reason if self._reached else ""

    async def leave_for_quota(self) -> None:
        """Ends an agent that waits for its quota: no process has to wait. It is gone on with when the quota is back."""
        waited = 0.0
        while waited < _WAITS:
            await anyio.sleep(_LOOK)
            waited = 0.0 if self._talk.quota_until is None else waited + _LOOK
        await self._ask_to_end()
        await anyio.sleep(_INTERRUPTED)
        self._job.control.stop(limited("it waits for its quota", self._talk.quota_until or 0.0, time.time()))

    async def close(self) -> None:
        """Counts the last reading, whatever has become of the agent."""
        self._told.close()
        self._readings.close()
        if self._last:
            await to_thread.run_sync(self._job.spend, self._dialect.provider, self._last)

    async def _ask_to_end(self) -> None:
        try:
            with anyio.move_on_after(_INTERRUPTED):
                await self._dialect.interrupt()
        except NoReply as error:
            _log.warning("an agent cannot be interrupted, and is ended: %s", error)
