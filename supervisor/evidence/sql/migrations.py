"""The locks of PostgreSQL that a schema change holds while it scans a table, and how to avoid them.

Sources: the rules of squawk (https://squawkhq.com/docs/rules) and strong_migrations
(https://github.com/ankane/strong_migrations), and PostgreSQL's table of lock conflicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sqlglot import exp

from supervisor.evidence.sql import Statement

_ADDS = frozenset({"ADD", "ALTER", "ATTACH", "CHANGE", "DETACH", "DROP", "MODIFY", "RENAME", "SET"})
_STABLE = frozenset({"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "NOW", "STATEMENT_TIMESTAMP"})
_SERIAL = frozenset({"BIGSERIAL", "SERIAL", "SERIAL4", "SERIAL8", "SMALLSERIAL"})


class Lock(NamedTuple):
    """The operations that a lock blocks, the part of the statement that takes it, and what to write instead."""

    blocks: str
    part: str
    instead: str


def locks(each: Statement) -> Iterator[Lock]:
    """The locks that one statement holds while it scans a table."""
    table = (*each.writes, "the table")[0]
    if each.verb == "create" and each.target == "index" and not each.has_phrase("CONCURRENTLY"):
        yield Lock("writes", "CREATE INDEX", f"`{_concurrently(each)}`, outside of a transaction")
    elif each.verb == "drop" and each.target == "index" and not each.has_phrase("CONCURRENTLY"):
        yield Lock("reads and writes", "DROP INDEX", f"`{_concurrently(each)}`, outside of a transaction")
    elif each.verb == "alter" and each.target == "table":
        for part in alterations(each):
            yield from _locks_of(part, table)
    elif each.starts("VACUUM") and each.has_phrase("FULL"):
        yield Lock("reads and writes", "VACUUM FULL", f"VACUUM (ANALYZE) {table}, or pg_repack")
    elif each.starts("CLUSTER"):
        yield Lock("reads and writes", "CLUSTER", "pg_repack")
    elif each.starts("REINDEX") and not each.has_phrase("CONCURRENTLY"):
        yield Lock("writes", "REINDEX", "the same with CONCURRENTLY")
    elif each.starts("LOCK") and not each.has_phrase("ROW|SHARE", "EXCLUSIVE|MODE|SHARE"):
        yield Lock("others", "LOCK TABLE", "SELECT … FOR UPDATE on the rows that you change")


def alterations(each: Statement) -> Iterator[tuple[str, ...]]:
    """The words of each action of an ALTER TABLE."""
    start = next((at for at, word in enumerate(each.words) if at > 2 and word in _ADDS), len(each.words))
    depth, part = 0, list[str]()
    for word in each.words[start:]:
        depth += (word == "(") - (word == ")")
        if word == "," and depth == 0:
            yield tuple(part)
            part = []
        else:
            part.append(word)
    if part:
        yield tuple(part)


def _locks_of(part: tuple[str, ...], table: str) -> Iterator[Lock]:
    column = _column(part)
    if part[0] == "ADD":
        yield from _locks_of_add(part, table)
    elif part[:1] == ("ALTER",) and ("TYPE" in part[2:5]):
        yield Lock(
            "reads and writes",
            f"the new type of {column}",
            f"ALTER TABLE {table} ADD COLUMN {column}_new with the new type, fill it in batches, then switch over",
        )
    elif part[:1] == ("ALTER",) and part[-3:] == ("SET", "NOT", "NULL"):
        instead = f"ALTER TABLE {table} ADD CONSTRAINT {column}_set CHECK ({column} IS NOT NULL) NOT VALID"
        yield Lock("reads and writes", "SET NOT NULL", f"`{instead}` and VALIDATE CONSTRAINT before SET NOT NULL")


def _locks_of_add(part: tuple[str, ...], table: str) -> Iterator[Lock]:
    words = set(part)
    constraint = part[1:2] in (("CONSTRAINT",), ("FOREIGN",), ("CHECK",), ("UNIQUE",), ("PRIMARY",), ("EXCLUDE",))
    kind = "column" if not constraint else "constraint"
    later = "NOT VALID, and VALIDATE CONSTRAINT in a later transaction"
    if "REFERENCES" in words and ("NOT", "VALID") not in pairwise(part):
        yield Lock("writes on both tables", "a FOREIGN KEY", f"ADD CONSTRAINT … FOREIGN KEY … REFERENCES … {later}")
    elif constraint and "CHECK" in words and "VALID" not in words:
        yield Lock("reads and writes", "a CHECK", f"ADD CONSTRAINT … CHECK (…) {later}")
    elif words & {"UNIQUE", "PRIMARY"} and "USING" not in words:
        index = f"CREATE UNIQUE INDEX CONCURRENTLY … ON {table}"
        yield Lock("reads and writes", f"a unique {kind}", f"{index}, then ADD CONSTRAINT … UNIQUE USING INDEX …")
    elif not constraint and _fills_rows(part):
        yield Lock(
            "reads and writes",
            f"the column {_column(part)}, which is written into every row,",
            f"ALTER TABLE {table} ADD COLUMN … without it, SET DEFAULT, and fill the old rows in batches",
        )


def _fills_rows(part: Sequence[str]) -> bool:
    """Whether a new column's value differs from row to row, so that the whole table is rewritten."""
    if _SERIAL.intersection(part) or "STORED" in part or "IDENTITY" in part:
        return True
    if "DEFAULT" not in part:
        return False
    value = part[part.index("DEFAULT") + 1 :]
    return "(" in value[:3] and value[0] not in _STABLE and value[0] != "("


def _column(part: Sequence[str]) -> str:
    names = [word for word in part[1:6] if word not in ("COLUMN", "IF", "NOT", "EXISTS")]
    return names[0].strip('"').lower() if names else "the column"


def _concurrently(each: Statement) -> str:
    if isinstance(each.tree, (exp.Create, exp.Drop)):
        tree = each.tree.copy()
        tree.set("concurrently", True)
        return str(tree.sql(dialect="postgres", comments=False))
    return f"{each.verb.upper()} INDEX CONCURRENTLY"
