"""Doors that answer from a taxonomy case, so that a case needs no network and no deployment."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from supervisor.action import Answer, Page
from supervisor.catalog.failure_mode import World
from supervisor.catalog.past import remembered
from supervisor.doors.plain import plain
from supervisor.errors import DoorFailed
from supervisor.memory import memory_to_json


@dataclass(frozen=True, slots=True)
class CaseWorld:
    """The doors of one case. Each query runs on a fresh SQLite database, filled by the case's script."""

    world: World

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        if self.world.database is None:
            raise DoorFailed("no database is configured", code="no_database")
        try:
            with closing(sqlite3.connect(":memory:")) as database:
                database.executescript(self.world.database)
                database.execute("PRAGMA query_only = ON")
                database.row_factory = sqlite3.Row
                rows: list[dict[str, Any]] = plain([dict(row) for row in database.execute(sql, parameters)])
                return rows
        except sqlite3.Error as error:
            raise DoorFailed(f"the database refused the query: {error}", code="database_error") from None

    async def fetch(self, url: str) -> Page:
        body = self.world.pages.get(url)
        if body is None:
            raise DoorFailed(f"{url} cannot be reached", code="http_unreachable")
        return Page(url, body, "") if isinstance(body, int) else Page(url, 200, body)

    async def ask(self, question: str, material: Mapping[str, str]) -> Answer:
        if self.world.answer is None:
            raise DoorFailed("no model is configured", code="no_model")
        return Answer(yes=self.world.answer == "yes", confidence=1.0)

    async def recall(self) -> dict[str, Any]:
        if self.world.memory is None:
            raise DoorFailed("nothing is remembered of this agent", code="no_memory")
        return memory_to_json(remembered(self.world.memory, self.world.now))

    @property
    def now(self) -> datetime:
        return self.world.now
