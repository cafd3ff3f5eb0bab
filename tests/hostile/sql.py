"""SQL that is hard to split, to parse or to walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.hostile.inputs import Input, acts, runs
from tests.hostile.shapes import nested, noise, numbered, repeated

_input = partial(runs, "sql", "sql")
_NESTS = {
    "parentheses": ("(", "1", ")"),
    "conditions": ("DELETE FROM t WHERE (", "1=1", ")"),
    "subqueries": ("SELECT * FROM (", "SELECT 1", ") AS s"),
    "in-subqueries": ("SELECT 1 WHERE x IN (", "SELECT 1", ")"),
    "common tables": ("WITH a AS (", "SELECT 1", ") SELECT * FROM a"),
    "cases": ("CASE WHEN 1 THEN ", "1", " END"),
    "functions": ("f(", "1", ")"),
    "arrays": ("ARRAY[", "1", "]"),
    "nots": ("NOT ", "1", ""),
    "casts": ("CAST(", "1", " AS INT)"),
    "comments": ("/*", "DROP TABLE t", "*/"),
    "executes": ("EXECUTE 'EXECUTE ''", "DROP TABLE t", "'''"),
    "begins": ("BEGIN ", "DROP TABLE t;", " END;"),
}
_UNCLOSED = ("(", "'", '"', "`", "/*", "$$", "[", "CASE WHEN ", "WITH a AS (", "SELECT ", "$a$")


def inputs() -> Iterator[Input]:
    for name, parts in _NESTS.items():
        for depth in (50, 1_500):
            yield _input(f"{depth:,} {name} deep", nested, *parts, depth)
    for opening in _UNCLOSED:
        yield _input(f"5,000 times {opening!r}, never closed", repeated, opening, 5_000)
    for name, (make, *parts) in _TEXTS.items():
        yield _input(name, make, *parts)
    for dialect in ("postgres", "mysql", "tsql", "bigquery", "sqlite", "no such dialect", "a" * 10_000):
        query = partial(dict, query=nested("(", "SELECT 1", ")", 300), dialect=dialect)
        yield acts("sql", f"300 parentheses in {dialect[:20]}", "sql", query)
    drop, where = "table_dropped", "write_without_where"
    yield _input("a drop before 400 statements", repeated, "SELECT 1;", 400, "DROP TABLE users;", caught=drop)
    yield _input("a delete behind a long string", repeated, "a", 30_000, "SELECT '", "'; DELETE FROM t", caught=where)


_TEXTS: dict[str, tuple[Callable[..., str], *tuple[Any, ...]]] = {
    "1 MB": (repeated, "SELECT 1;", 120_000),
    "60 KB of ANDs": (repeated, " AND 1", 9_000, "DELETE FROM t WHERE 1"),
    "60 KB of ORs": (numbered, "x={}", 6_000, " OR ", "DELETE FROM t WHERE "),
    "60 KB of pluses": (repeated, "+1", 30_000, "SELECT 1"),
    "60 KB of commas": (repeated, ",1", 30_000, "SELECT 1"),
    "60 KB of joins": (numbered, " JOIN t{} ON 1", 4_000, "", "SELECT 1 FROM t"),
    "60 KB of unions": (repeated, " UNION SELECT 1", 4_000, "SELECT 1"),
    "900 statements": (repeated, "DELETE FROM t WHERE 1;", 900),
    "6,000 statements": (repeated, "SELECT 1;", 6_000),
    "60,000 semicolons": (repeated, ";", 60_000),
    "one string of 60 KB": (repeated, "a", 60_000, "SELECT '", "'"),
    "30,000 doubled quotes": (repeated, "''", 30_000, "SELECT '", "'"),
    "a number of 60,000 digits": (repeated, "9", 60_000, "SELECT "),
    "a name of 60,000 letters": (repeated, "a", 60_000, "DROP TABLE "),
    "20,000 dots": (repeated, ".a", 20_000, "DROP TABLE a"),
    "10,000 values": (repeated, ",(1)", 10_000, "INSERT INTO t VALUES (1)"),
    "6,000 columns": (numbered, "c{} int", 6_000, ",", "CREATE TABLE t (", ")"),
    "4,000 common tables": (numbered, "a{} AS (SELECT 1)", 2_500, ",", "WITH ", " DELETE FROM a1"),
    "60,000 stars": (repeated, "*", 60_000, "SELECT "),
    "60,000 minus signs": (repeated, "- ", 30_000, "SELECT ", "1"),
    "60,000 dashes": (repeated, "-", 60_000, "SELECT 1 "),
    "10,000 dollar quotes": (numbered, "$a{}$", 9_000),
    "60 KB of junk": (noise, "(),;'\"`$/*-+=<>. \nabSELECT", 60_000),
    "60 KB of keywords": (noise, ["SELECT ", "FROM ", "WHERE ", "AND ", "NOT ", "IN ", "(", "a "], 12_000),
    "ten thousand brackets": (noise, "()[]{}", 10_000),
}
