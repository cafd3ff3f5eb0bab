from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.queries import databases_named, is_live, queries
from supervisor.evidence.actions.statements import statements, tables_made_before
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.prose.questions import only_reads
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.sql import read
from supervisor.evidence.sql.migrations import locks
from supervisor.evidence.sql.words import has_phrase


def shell(command: str) -> Action:
    return Action("bash", {"command": command}, "shell")


def python(code: str) -> Action:
    return Action("python", {"code": code}, "python")


@pytest.mark.parametrize(
    ("action", "verbs"),
    [
        (shell("psql -c 'DROP TABLE a' && mysql -e 'DELETE FROM b'"), ["drop", "delete"]),
        (shell("psql <<'E'\n\\connect shop\nSELECT 1;\nTRUNCATE a\nE"), ["select", "truncate"]),
        (shell("python3 -c \"c.execute('DELETE FROM t')\""), ["delete"]),
        (shell("echo 'DROP TABLE a' | cat"), []),
        (shell("git log --grep='DROP TABLE'"), []),
        (python("q = 'DELETE FROM t'\ncursor.execute(q)"), ["delete"]),
        (python("db.execute(text('UPDATE t SET a = 1'))"), ["update"]),
        (python("c.execute('DELETE FROM t '\n  'WHERE a = 1')"), ["delete"]),
        (python("pd.read_sql('SELECT 1', engine)"), ["select"]),
        (python("runner.execute('ls -la')"), []),
        (python("print('DROP TABLE a')"), []),
        (python("q = a + b\ncursor.execute(q)"), []),
    ],
)
def test_sql_is_found_where_it_is_run(action: Action, verbs: list[str]) -> None:
    assert [each.verb for each in statements(action, Context())] == verbs


def test_what_is_filled_in_is_a_hole() -> None:
    (query,) = queries(python("c.execute(f'DROP TABLE {name}')"), Context())
    assert query.text == f"DROP TABLE {HOLE}"


@pytest.mark.parametrize(
    ("action", "throwaway"),
    [
        (python("import sqlite3\nsqlite3.connect(':memory:').execute('DROP TABLE t')"), True),
        (python("import sqlite3\nsqlite3.connect('/tmp/x.db').execute('DROP TABLE t')"), True),
        (python("import sqlite3\nsqlite3.connect('shop.db').execute('DROP TABLE t')"), False),
        (shell("psql -c 'DROP TABLE t'"), False),
    ],
)
def test_a_database_in_memory_is_nobodys(action: Action, throwaway: bool) -> None:
    assert [each.scratch for each in statements(action, Context())] == [throwaway]


def test_tables_made_by_a_client_are_the_agents_own() -> None:
    history = [Step("bash", {"command": "psql -c 'CREATE TABLE mine (a int)'"}, kind="shell")]
    assert tables_made_before(shell("psql -c 'DROP TABLE mine'"), Context(history=history)) == {"mine"}


@pytest.mark.parametrize(
    ("action", "found"),
    [
        (Action("sql", {"query": "DELETE FROM a; SELECT 1"}, "sql"), [("delete", "a", True), ("select", HOLE, False)]),
        (shell("psql -c 'DROP TABLE a'"), [("drop table", "a", True)]),
        (shell("sudo dropdb -h db -U me shop"), [("drop database", "shop", True)]),
        (shell("npx prisma migrate reset"), [("drop database", HOLE, True)]),
        (shell("python manage.py flush"), [("drop database", HOLE, True)]),
        (shell("mysqladmin --help drop"), []),
        (shell("rails db:migrate"), []),
        (python("c.execute('DROP TABLE a')"), [("drop table", "a", True)]),
    ],
)
def test_databases_have_effects(action: Action, found: list[tuple[str, str, bool]]) -> None:
    told = [(each.verb, each.target, each.whole) for each in effects(action, Context()).of(Act.DATABASE)]
    assert told == found


def test_an_action_without_sql_has_none() -> None:
    assert Act.DATABASE not in effects(shell("python app.py && npx jest && ls"), Context()).acts
    assert Act.DATABASE not in effects(python("import os\nos.remove('a')"), Context()).acts


def test_production_is_told_by_words_of_the_task_the_facts_and_the_client() -> None:
    select = Action("sql", {"query": "SELECT 1"}, "sql")
    assert is_live(select, Context(task="fix the production database"))
    assert is_live(select, Context(facts={"environment": "prod"}))
    assert is_live(shell("psql -h prod-db.internal -c 'SELECT 1'"), Context())
    assert not is_live(select, Context(task="reproduce the bug; products are listed twice"))
    assert not is_live(select, Context(task="in a copy of production"))


def test_reading_only_is_stated() -> None:
    assert only_reads(Context(facts={"read_only": True}))
    assert only_reads(Context(task="You have read-only access."))
    assert not only_reads(Context(task="Make the form's field read-only", facts={"read_only": "no"}))


@pytest.mark.parametrize(
    ("sql", "parts"),
    [
        ("CREATE INDEX i ON t (a)", ["CREATE INDEX"]),
        ("CREATE INDEX CONCURRENTLY i ON t (a)", []),
        ("ALTER TABLE t ADD COLUMN a int, ADD CONSTRAINT c UNIQUE (a)", ["a unique constraint"]),
        ("ALTER TABLE t ADD COLUMN a int DEFAULT 3", []),
        ("ALTER TABLE t ADD COLUMN a timestamptz DEFAULT now()", []),
        ("ALTER TABLE t ADD COLUMN a bigserial", ["the column a, which is written into every row,"]),
        ("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u (b) NOT VALID", []),
        ("ALTER TABLE t ALTER a SET DATA TYPE text", ["the new type of a"]),
        ("LOCK TABLE t", ["LOCK TABLE"]),
        ("LOCK TABLE t IN ROW SHARE MODE", []),
        ("VACUUM ANALYZE t", []),
    ],
)
def test_locks_are_told(sql: str, parts: list[str]) -> None:
    (each,) = read(sql, "postgres")
    assert [lock.part for lock in locks(each)] == parts


def test_the_safe_form_is_written_out() -> None:
    (each,) = read('create index i on "T" (a)', "postgres")
    (lock,) = locks(each)
    assert 'CREATE INDEX CONCURRENTLY i ON "T"(a)' in lock.instead


def test_words_are_matched_in_order() -> None:
    (each,) = read("GRANT ALL ON *.* TO 'Bob'@'%'", "mysql")
    assert each.has_phrase("ON", "*", ".", "*")
    assert each.starts("REVOKE|GRANT", "ALL")
    assert not each.has_phrase("ALL", "*")
    assert "'Bob'" in each.words
    assert not has_phrase((), "A")


@given(st.text(max_size=200))
def test_any_text_in_a_client_is_read_or_has_nothing(text: str) -> None:
    action = Action("python", {"code": f"c.execute({text!r})"}, "python")
    assert all(query.text for query in queries(action, Context()))


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("psql -d shop_test -c 'SELECT 1'", {"shop_test"}),
        ("psql -h db -U me shop -c 'SELECT 1'", {"shop"}),
        ("psql 'postgres://me@db/shop_ci?sslmode=require' -c 'SELECT 1'", {"shop_ci"}),
        ("PGDATABASE=scratch psql -c 'SELECT 1'", {"scratch"}),
        ("psql -c 'SELECT 1'", {""}),
        ("psql -d a -c 'SELECT 1'; mysql b -e 'SELECT 1'", {"a", "b"}),
        ("ls", set()),
    ],
)
def test_which_databases_the_clients_name(command: str, names: set[str]) -> None:
    assert databases_named(shell(command), Context()) == names


def test_a_client_that_python_starts_runs_its_sql() -> None:
    code = "import subprocess\nsubprocess.run(['psql', '-c', 'DROP TABLE a'])"
    assert [each.text for each in queries(python(code), Context())] == ["DROP TABLE a"]
