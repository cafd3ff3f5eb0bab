"""Databases of the runtime: one in SQLite for each test, one PostgreSQL for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.runtime.store.database import Store


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, in either."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'runtime.db'}"
    made: str = request.getfixturevalue("postgres_url")
    return made


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store(url)
    yield made
    made.close()
