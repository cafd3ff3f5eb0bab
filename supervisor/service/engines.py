"""The engine in force. A reload puts another in its place, and no decision is dropped on the way."""

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
    """An engine, and the digest that names its policy to clients."""

    supervisor: Supervisor
    policy: str
    users: int = 0

    @classmethod
    def of(cls, supervisor: Supervisor) -> ActiveEngine:
        return cls(supervisor, supervisor.policy.digest())


class Engines:
    """Lends the engine in force. One that a reload has replaced is closed when its last decision is made."""

    def __init__(self, open_engine: Callable[[], Supervisor]) -> None:
        """Opens the first one; what it raises, this raises."""
        self._open = open_engine
        self._current = ActiveEngine.of(open_engine())
        self.opened = datetime.now(UTC)
        self.reloads = 0
        self.failed_reloads = 0
        self.problem = ""  # why the last reload has kept the old engine

    @contextlib.contextmanager
    def lease(self) -> Iterator[ActiveEngine]:
        """The engine in force, which stays open for as long as it is leased, whatever is loaded meanwhile."""
        mine = self._current
        mine.users += 1
        try:
            yield mine
        finally:
            mine.users -= 1
            if mine is not self._current and not mine.users:
                asyncio.get_running_loop().run_in_executor(None, mine.supervisor.close)  # it waits for its workers

    async def reload(self) -> bool:
        """Reads policy, taxonomy and specialists anew. Where anything in them is wrong, the old engine stays."""
        try:
            fresh = await asyncio.to_thread(self._open)
        except Exception as error:  # noqa: BLE001 - a deployment's own specialist may raise anything when it is imported
            self.failed_reloads += 1
            self.problem = f"{type(error).__name__}: {error}"
            _log.error("the reload failed, what was in force stays in force: %s", self.problem)
            return False
        old, self._current = self._current, ActiveEngine.of(fresh)
        self.reloads, self.problem, self.opened = self.reloads + 1, "", datetime.now(UTC)
        _log.warning("reloaded: %d failure modes are in force", len(fresh.catalog.entries))
        if not old.users:
            await asyncio.to_thread(old.supervisor.close)
        return True

    def close(self) -> None:
        """Closes the engine in force."""
        self._current.supervisor.close()
