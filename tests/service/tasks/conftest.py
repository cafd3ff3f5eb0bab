"""The API over a database of a test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.runtime.store.database import Store
from tests.runtime.conftest import store
from tests.service.tasks.programs import Api

__all__ = ["store"]  # a fixture


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, in SQLite unless a test asks for the other."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{tmp_path / 'runtime.db'}"
    made: str = request.getfixturevalue("postgres_url")
    return made


@pytest.fixture
def api(store: Store, tmp_path: Path) -> Iterator[Api]:
    with Api(store, tmp_path) as made:
        yield made
