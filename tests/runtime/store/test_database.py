"""The database of the runtime opens, is its owner's alone, and says what is wrong."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from supervisor.runtime.store.database import NoRuntime, Store, resolved
from supervisor.runtime.store.schema import metadata


def test_the_migrations_make_the_tables(store: Store) -> None:
    with store.reading() as connection:
        ours = MigrationContext.configure(connection, opts={"version_table": Store.version_table})
        assert compare_metadata(ours, metadata) == []


def test_it_opens_twice(url: str) -> None:
    for _ in range(2):
        Store(url).close()


def test_a_file_is_its_owners_alone_and_survives_a_power_cut(tmp_path: Path) -> None:
    file = tmp_path / "runtime.db"
    store = Store(f"sqlite:///{file}")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with store.reading() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2
    store.close()


def test_postgres_ends_a_transaction_whose_process_is_frozen(postgres_url: str) -> None:
    store = Store(postgres_url)
    with store.reading() as connection:
        assert connection.scalar(text("SHOW idle_in_transaction_session_timeout")) == "5s"
    store.close()


@pytest.mark.parametrize(
    ("url", "code"),
    [("nonsense", "bad_url"), ("mysql+nothing://a/b", "bad_url"), ("sqlite:////proc/no/a.db", "no_runtime")],
)
def test_a_database_that_cannot_be_opened_is_told(url: str, code: str) -> None:
    with pytest.raises(NoRuntime) as told:
        Store(url)
    assert told.value.code == code


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "alembic", None)
    with pytest.raises(
        NoRuntime, match=r"the runtime needs Alembic: pip install 'supervisor-guard\[runtime\]'"
    ) as told:
        Store(f"sqlite:///{tmp_path / 'a.db'}")
    assert told.value.code == "missing_extra"


def test_the_usual_place_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resolved("sqlite:///~/state/runtime.db") == f"sqlite:///{tmp_path}/state/runtime.db"
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert resolved("postgresql://host/db") == "postgresql://host/db"
