"""Indexes: one in SQLite for each test, one PostgreSQL for all (`tests/conftest.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.feedback.store import Store
from tests.feedback.journals import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty index, in either database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'index.db'}"
    made: str = request.getfixturevalue("postgres_url")
    return made


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store(url)
    yield made
    made.close()


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Store]:
    made = Store(f"sqlite:///{tmp_path / 'index.db'}")
    yield made
    made.close()
