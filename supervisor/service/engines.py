"""The active engine. A reload replaces it without dropping a decision."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from supervisor.engine.supervisor import Supervisor

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class ActiveEngine:
    """An engine, and its policy's digest for clients."""

    supervisor: Supervisor
    policy: str
    users: int = 0

    @classmethod
    def of(cls, supervisor: Supervisor) -> ActiveEngine:
        return cls(supervisor, supervisor.policy.digest())


class Engines:
    """Leases the active engine. A replaced engine is closed after its last decision."""

    def __init__(self, open_engine: Callable[[], Supervisor]) -> None:
        """Opens the first engine. Raises what `open_engine` raises."""
        self._open = open_engine
        self._current = ActiveEngine.of(open_engine())
        self.opened = datetime.now(UTC)
        self.reloads = 0
        self.failed_reloads = 0
        self.problem = ""  # why the last reload failed

    @contextlib.contextmanager
    def lease(self) -> Iterator[ActiveEngine]:
        """The active engine. It stays open while it is leased, even if a reload replaces it."""
        mine = self._current
        mine.users += 1
        try:
            yield mine
        finally:
            mine.users -= 1
            if mine is not self._current and not mine.users:
                asyncio.get_running_loop().run_in_executor(None, mine.supervisor.close)  # closing waits for the workers

    async def reload(self) -> bool:
        """Reads policy, taxonomy and specialists again. If any of them is invalid, the old engine stays."""
        try:
            fresh = await asyncio.to_thread(self._open)
        except Exception as error:  # noqa: BLE001 - a deployment's own specialist may raise anything at its import
            self.failed_reloads += 1
            self.problem = f"{type(error).__name__}: {error}"
            _log.error("the reload failed, the old engine stays in force: %s", self.problem)
            return False
        old, self._current = self._current, ActiveEngine.of(fresh)
        self.reloads, self.problem, self.opened = self.reloads + 1, "", datetime.now(UTC)
        _log.warning("reloaded: %d failure modes are in force", len(fresh.catalog.entries))
        if not old.users:
            await asyncio.to_thread(old.supervisor.close)
        return True

    def close(self) -> None:
        """Closes the active engine."""
        self._current.supervisor.close()
