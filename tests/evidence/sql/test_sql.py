from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.actions.dialects import dialect_of
from supervisor.evidence.actions.statements import statements, tables_made_before
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.sql import MAX_CHARS, fingerprint_of, read
from tests.evidence.effort import hang_guard


def one(sql: str, dialect: str = ""):
    (found,) = read(sql, dialect)
    return found


@pytest.mark.parametrize(
    ("sql", "verb", "writes"),
    [
        ("DELETE FROM films", "delete", ("films",)),
        ("TRUNCATE users", "truncate", ("users",)),
        ('drop table if exists "S"."T" cascade', "drop", ("s.t",)),
        ("UPDATE u SET a = 1 FROM users AS u WHERE u.id = 3", "update", ("users",)),
        ("DELETE LOW_PRIORITY QUICK IGNORE FROM t WHERE a = 1", "delete", ("t",)),
        ("DELETE FROM staff PREFERRING (LOW since) PARTITION BY id", "delete", ("staff",)),
        ("TRUNCATE TABLE a DROP STORAGE", "truncate", ("a",)),
        ("INSERT INTO a.b SELECT * FROM c", "insert", ("a.b",)),
        ("MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE", "merge", ("t",)),
        ("frobnicate the database", "unparsed", ()),
    ],
)
def test_a_statement_tells_its_verb_and_what_it_writes(sql: str, verb: str, writes: tuple[str, ...]) -> None:
    found = one(sql)
    assert (found.verb, found.writes) == (verb, writes)


@pytest.mark.parametrize(
    "condition",
    [
        "1=1",
        "TRUE",
        "1",
        "id = id",
        "t.id = ID",
        "'a' = 'a'",
        "((2 > 1))",
        "x = 3 OR 1 = 1",
        "NOT FALSE",
        "NOT 1 = 2",
        "name LIKE '%'",
        "EXISTS (SELECT 1)",
        "1 IS NOT NULL",
        "1 <> 2",
        "true = true",
        "1=1 AND 2=2",
        "1 < 2",
        "id IS NOT NULL",
        "NOT id IS NULL",
        "id > 0",
        "0 < t.id",
        "id >= 1",
        "id >= 0",
        "id > -1",
        "uuid <> ''",
        "t_id IS NOT NULL",
        "id IN (SELECT id FROM t)",
        "id > 0 AND uuid IS NOT NULL",
    ],
)
def test_a_condition_that_is_always_true_narrows_nothing(condition: str) -> None:
    assert one(f"DELETE FROM t WHERE {condition}").every_row


@pytest.mark.parametrize(
    ("sql", "every_row"),
    [
        ("MERGE INTO t USING (SELECT 1) AS s ON true WHEN MATCHED THEN DELETE", True),
        ("MERGE INTO t USING s ON 1 = 1 WHEN MATCHED THEN UPDATE SET a = 1", True),
        ("MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE", False),
        ("MERGE INTO t USING s ON true WHEN MATCHED AND t.id = 3 THEN DELETE", False),
        ("MERGE INTO t USING s ON false WHEN NOT MATCHED THEN INSERT (a) VALUES (1)", False),
        ("REPLACE INTO t SELECT id, '' FROM t", True),
        ("REPLACE INTO t SELECT id, '' FROM u", False),
        ("REPLACE INTO t SELECT id, '' FROM t WHERE id = 7", False),
        ("REPLACE INTO t (id, a) VALUES (1, 2)", False),
    ],
)
def test_a_merge_or_a_replace_may_change_every_row(sql: str, every_row: bool) -> None:
    assert one(sql).every_row == every_row


@pytest.mark.parametrize("dialect", ["", "postgres", "mysql", "sqlite", "tsql"])
def test_every_dialect_says_alike_that_a_key_is_there(dialect: str) -> None:
    assert one("DELETE FROM t WHERE id IS NOT NULL", dialect).every_row
    assert not one("DELETE FROM t WHERE id IS NULL", dialect).every_row
    assert not one("DELETE FROM t WHERE NULL IS NOT NULL", dialect).every_row


@pytest.mark.parametrize("added", ["{HOLE}", " {HOLE}", "\n    {HOLE} RETURNING id"])
def test_what_code_adds_may_be_a_condition(added: str) -> None:
    assert not one("DELETE FROM t" + added.replace("{HOLE}", HOLE)).every_row
    assert one(f"DELETE FROM {HOLE}").every_row


@pytest.mark.parametrize(
    "text",
    ["'DROP TABLE ' || quote_ident(t) || ' CASCADE'", "format('DROP TABLE %I', t)", "'DROP TABLE ' || t USING 3"],
)
def test_a_block_runs_the_text_that_it_puts_together(text: str) -> None:
    block = f"DO $$ DECLARE t text; BEGIN FOR t IN SELECT a FROM b LOOP EXECUTE {text}; END LOOP; END $$"
    assert ("drop", "table") in {(each.verb, each.target) for each in read(block)}


@pytest.mark.parametrize(
    "condition",
    [
        "id = 1",
        "a = b",
        "a.id = b.id",
        "1 = 2",
        "FALSE",
        "0",
        "x = 1 AND 1 = 1",
        "? = ?",
        "parent_id IS NOT NULL",
        "deleted_at IS NOT NULL",
        "id > 1000",
        "id < 10",
        "id <> 7",
        "age > 0",
        "id > 0 AND age > 0",
        "id IN (SELECT id FROM t WHERE age > 3)",
        "id IN (SELECT id FROM u)",
        "id IN (SELECT parent_id FROM t)",
        "id IN (SELECT id FROM t LIMIT 3)",
        "'a' = 'b'",
        "EXISTS (SELECT 1 FROM u WHERE u.id = t.id)",
        "name LIKE 'a%'",
        "NULL = NULL",
        "id <> id",
        "CURRENT OF c",
    ],
)
def test_any_other_condition_does(condition: str) -> None:
    assert not one(f"DELETE FROM t WHERE {condition}").every_row


@pytest.mark.parametrize(
    ("sql", "every_row"),
    [
        ("DELETE a FROM a JOIN b ON a.id = b.id", False),
        ("DELETE a FROM a LEFT JOIN b ON a.id = b.id", True),
        ("DELETE a FROM a JOIN b ON 1 = 1", True),
        ("DELETE FROM t LIMIT 5", False),
        ("DELETE TOP (5) FROM t", False),
    ],
)
def test_a_join_or_a_limit_narrows(sql: str, every_row: bool) -> None:
    assert one(sql).every_row is every_row


def test_a_plan_is_not_run_unless_analyzed() -> None:
    for dialect in ("", "postgres", "mysql", "duckdb"):
        assert not one("EXPLAIN DELETE FROM t", dialect).runs
        assert one("EXPLAIN ANALYZE DELETE FROM t", dialect).runs
        assert not one("EXPLAIN (ANALYZE false) DELETE FROM t", dialect).runs


def test_what_a_transaction_rolls_back_does_not_run() -> None:
    assert not read("BEGIN; DELETE FROM t; ROLLBACK")[1].runs
    assert read("BEGIN; DELETE FROM t; COMMIT; BEGIN; ROLLBACK")[1].runs


def test_strings_that_are_executed_are_read_and_others_are_not() -> None:
    assert one("DO $$ DELETE FROM t $$").verb == "delete"
    assert one("EXEC sp_executesql N'DROP TABLE x'", "tsql").verb == "drop"
    assert one("SELECT 'DROP TABLE x'").verb == "select"
    assert one("EXEC log_message 'DROP TABLE x'", "tsql").verb == "unparsed"


def test_a_routine_keeps_its_body() -> None:
    verbs = [each.verb for each in read("CREATE PROCEDURE p() BEGIN DELETE FROM a; DELETE FROM b; END; DROP TABLE c")]
    assert verbs == ["create", "drop"]


def test_tsql_lines_are_statements() -> None:
    assert [each.verb for each in read("SELECT 1\nDELETE FROM a\nDROP TABLE b", "tsql")] == ["select", "delete", "drop"]
    assert len(read("INSERT INTO a VALUES (1)\nON DUPLICATE KEY\nUPDATE b = 2", "mysql")) == 1


def test_a_script_knows_its_own_tables() -> None:
    made = read("CREATE TABLE a (id INT); DROP TABLE a; DROP TABLE b")
    assert [each.scratch for each in made] == [False, True, False]
    assert not read("CREATE TABLE IF NOT EXISTS a (id INT); DROP TABLE a")[1].scratch


def test_tables_made_before_are_those_of_successful_steps() -> None:
    history = [
        Step("sql", {"query": "CREATE TABLE mine (id INT)"}, kind="sql"),
        Step("sql", {"query": "CREATE TABLE failed (id INT)"}, kind="sql", failed=True),
        Step("write", {"content": "CREATE TABLE text (id INT)"}, kind="file_write"),
    ]
    assert tables_made_before(Action("sql", {"query": ""}, "sql"), Context(history=history)) == {"mine"}


def test_the_dialect_is_the_action_s_then_the_deployment_s() -> None:
    facts = Context(facts={"dialect": "MariaDB"})
    assert dialect_of(Action("sql", {"dialect": "PostgreSQL"}, "sql"), facts) == "postgres"
    assert dialect_of(Action("sql", {}, "sql"), facts) == "mysql"
    assert dialect_of(Action("sql", {"dialect": "no such"}, "sql"), Context()) == ""


def test_the_repaired_skeleton_keeps_the_rest() -> None:
    assert one("delete from t where 1=1 returning id", "postgres").narrowed() == (
        "DELETE FROM t WHERE <condition> RETURNING id"
    )


@pytest.mark.parametrize("sql", ["SELECT " + "(" * 30_000, "DELETE FROM t WHERE " + "NOT " * 15_000 + "1"])
def test_deep_nesting_is_unreadable(sql: str) -> None:
    with pytest.raises(Unreadable):
        read(sql)


@pytest.mark.parametrize(
    ("word", "closing"),
    [("ARRAY[", "]"), ("STRUCT(", ")"), ("DATE(", ")"), ("DATE((1) + ", ")"), ("ARRAY<", ">"), ("INT[", "]")],
)
def test_types_within_types_are_unreadable_at_once(word: str, closing: str) -> None:
    with hang_guard(), pytest.raises(Unreadable, match="types"):
        read(f"SELECT {word * 50}1{closing * 50}")


@pytest.mark.parametrize(
    "condition",
    [
        " AND ".join(["date < '2026-01-01'"] * 100),
        "a IN (" + ", ".join(["DATE(CAST(b AS DECIMAL(10, 2)))"] * 100) + ")",
        "a = ARRAY[ARRAY[ARRAY[1]], ARRAY[ARRAY[2]]]",
        "(" * 50 + "a = 1" + ")" * 50,
    ],
)
def test_what_people_write_with_types_is_read(condition: str) -> None:
    assert not one(f"DELETE FROM t WHERE {condition}").every_row


def test_oversized_input_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        statements(Action("sql", {"query": "x" * (MAX_CHARS + 1)}, "sql"), Context())
    with pytest.raises(Unreadable):
        read("SELECT 1;" * 1_001)


WORDS = ["SELECT", "DELETE", "FROM", "UPDATE", "t", "WHERE", "(", ")", ";", "'", '"', "$$", "--", "/*", "*/", "=", "1"]
WORDS += [
    "WITH",
    "AS",
    "EXPLAIN",
    "ANALYZE",
    "EXEC",
    "DROP",
    "TABLE",
    "BEGIN",
    "END",
    "CREATE",
    "PREPARE",
    ",",
    ".",
    "\n",
]


@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)))
def test_any_text_is_read_or_unreadable(sql: str) -> None:
    try:
        fingerprint_of(read(sql))
    except Unreadable:
        return


NAMES = st.sampled_from(["orders", "users", "app.events"])
GAPS = st.sampled_from([" ", "\n", "\t ", " /* DROP TABLE x */ ", " -- WHERE 1=1\n"])


@given(
    NAMES,
    st.sampled_from(
        ["DELETE FROM {} WHERE id = 5 AND state = 'new'", "UPDATE {} SET n = 1 WHERE a > 2", "DROP TABLE {}"]
    ),
    GAPS,
    st.booleans(),
)
def test_a_respelled_statement_keeps_its_essence(name: str, form: str, gap: str, lower: bool) -> None:
    plain = form.format(name)
    respelled = plain.replace(" ", gap)
    respelled = respelled.lower() if lower and gap.strip() == "" else respelled
    assert fingerprint_of(read(respelled)) == fingerprint_of(read(plain))
    assert one(respelled).writes == (name,)
