"""The doors of a deployment: its clock, database, web and model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from supervisor.action import Answer, Page
from supervisor.doors.database import Database
from supervisor.doors.http import Http
from supervisor.doors.model import Model
from supervisor.errors import DoorFailed
from supervisor.policy.doors import DatabaseDoor, HttpDoor, ModelDoor


@dataclass(frozen=True, slots=True)
class LiveDoors:
    """All doors at one moment: `at` sets the time that all specialists of a decision get."""

    database: Database
    http: Http
    model: Model
    now: datetime
    memory: Callable[[], dict[str, Any]] | None = None

    @classmethod
    def of(cls, database: DatabaseDoor, http: HttpDoor, model: ModelDoor) -> LiveDoors:
        """The doors of a policy. Nothing is opened before it is used."""
        return cls(Database(database), Http(http), Model(model), datetime.now(UTC))

    def at(self, now: datetime, memory: Callable[[], dict[str, Any]] | None = None) -> LiveDoors:
        """The same doors at the time `now`. `memory` returns what is remembered of the agent that is judged."""
        return replace(self, now=now, memory=memory)

    def start(self) -> None:
        """Imports what the first call would import: no other task runs while Python loads a module."""
        from supervisor.doors.exchange import tls

        tls()
        if self.database.door.url is not None:
            with suppress(DoorFailed):  # each query reports it
                self.database.open()

    def check(self, door: str) -> None:
        """Raises DoorFailed if this door is not configured, as a call does."""
        if door == "query":
            self.database.check()
        elif door == "ask":
            self.model.check()

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        return await self.database.query(sql, parameters)

    async def fetch(self, url: str) -> Page:
        return await self.http.fetch(url)

    async def ask(self, question: str, material: Mapping[str, str]) -> Answer:
        return await self.model.ask(question, material)

    async def recall(self) -> dict[str, Any]:
        if self.memory is None:
            raise DoorFailed("nothing is remembered of this agent", code="no_memory")
        return self.memory()

    def close(self) -> None:
        """Closes the database's connections, the only ones that stay open between calls."""
        self.database.close()
