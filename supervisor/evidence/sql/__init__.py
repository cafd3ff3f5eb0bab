"""What SQL does: each statement of a script, read from its syntax tree and not from its spelling.

sqlglot parses the declared dialect, then the common ones. A statement that none of them parses is read from its tokens,
so that an exotic clause cannot hide a `DELETE`. Strings and comments are not read as statements, unless the statement
executes the string (`DO $$…$$`, `EXEC('…')`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp, parser

from supervisor.errors import Unreadable
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.reading.room import room_for
from supervisor.evidence.sql.conditions import always_true
from supervisor.evidence.sql.padding import without_padding
from supervisor.evidence.sql.parsing import UNPARSED, VERBS, parse, tree_of
from supervisor.evidence.sql.tokens import Spelled, executed_text, explained, spelled, split, without_control
from supervisor.evidence.sql.tree import conjuncts, parts_of, rewrites_all
from supervisor.evidence.sql.words import has_phrase, starts, words_of

__all__ = ["MAX_CHARS", "Statement", "fingerprint_of", "read"]

MAX_CHARS = 64 * 1024  # that are parsed
MAX_TEXT = 1024 * 1024  # before padding is removed
MAX_DEPTH = 3  # of SQL that executes SQL
# Frames for sqlglot's parser: 20 a bracket. Compiled, it takes the stack of C, which the usual limit protects.
_FRAMES = 12_000 if (parser.__file__ or "").endswith(".py") else 0

# A HOLE that code inserts after a table or a value: it may be a condition.
_ADDED = re.compile(rf"(?i)(?<!\bfrom)(?<!\bonly)(?<!\bset)(?<!\bupdate)(?<![_\s=,(.'\"`\[+*/-])\s?{HOLE}")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. Table names are in lower case, unquoted, with their schema if written.

    `verb` is `unparsed` if even the first word is unknown. `target` is the kind of object that a DROP, CREATE, ALTER or
    TRUNCATE names (`table`, `database`, `index`, …). `columns` are those an UPDATE sets or an ALTER adds. `every_row`:
    an UPDATE or DELETE that nothing narrows; its condition is missing or always true. `runs` is false for a statement
    that is only planned (EXPLAIN) or rolled back. `scratch`: all it writes was created earlier in the same script, or
    is temporary. `dialect` is sqlglot's name of the dialect that parsed it, `words` the result of `words_of`.
    """

    verb: str
    source: str
    target: str = ""
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    condition: Any | None = None
    every_row: bool = False
    runs: bool = True
    scratch: bool = False
    tree: Any | None = None
    dialect: str = ""
    words: tuple[str, ...] = ()

    def has_phrase(self, *phrase: str) -> bool:
        """Whether it contains these words in sequence; `"A|B"` is either."""
        return has_phrase(self.words, *phrase)

    def starts(self, *phrase: str) -> bool:
        """Whether it starts with these words."""
        return starts(self.words, *phrase)

    def narrowed(self) -> str:
        """The same statement with the placeholder `<condition>` as its WHERE; empty unless it is a DELETE or UPDATE."""
        if not isinstance(self.tree, (exp.Delete, exp.Update)):
            return ""
        with room_for(_FRAMES):
            tree = self.tree.copy()
            tree.set("where", exp.Where(this=exp.Var(this="<condition>")))
            return tree.sql(dialect=self.dialect or None, comments=False)


def read(sql: str, dialect: str = "") -> tuple[Statement, ...]:
    """Every statement of a script, in order; of a very long script, only the first of many inserted rows.

    Raises Unreadable beyond MAX_TEXT and MAX_CHARS, and if the script is nested too deeply.
    """
    if MAX_CHARS < len(sql) <= MAX_TEXT:
        sql = without_padding(sql)
    if len(sql) > MAX_CHARS:
        raise Unreadable(f"{len(sql):,} characters of SQL, more than the {MAX_CHARS:,} that are read")
    if not dialect and "$$" in sql:
        dialect = "postgres"  # other dialects have no dollar-quoted strings
    try:
        with room_for(_FRAMES):
            return tuple(_with_script(list(_read(sql, dialect, 0))))
    except RecursionError:
        raise Unreadable("SQL nested too deeply to be read") from None


def fingerprint_of(found: Iterable[Statement]) -> frozenset[str]:
    """What a script does, independent of spelling: verbs, tables, columns and each conjunct of a WHERE."""
    parts: set[str] = set()
    for each in found:
        parts.add(f"{each.verb} {each.target}".rstrip())
        parts.update(f"writes {name}" for name in each.writes)
        parts.update(f"reads {name}" for name in each.reads)
        parts.update(f"column {name}" for name in each.columns)
        parts.update(f"where {text}" for text in conjuncts(each.condition))
        if each.verb == "unparsed":
            parts.add(" ".join(each.source.lower().split()))
    return frozenset(parts)


def _read(sql: str, dialect: str, depth: int) -> Iterator[Statement]:
    for text, tokens in split(sql, dialect):
        yield from _statement(text, tokens, dialect, depth)


def _statement(text: str, tokens: Sequence[Any], dialect: str, depth: int) -> Iterator[Statement]:
    """A statement and those inside it: explained, executed and conditional ones, and CTEs that write."""
    if depth < MAX_DEPTH:
        if plan := explained(text, tokens, dialect):
            inner, analyzed = plan
            yield from (replace(each, runs=each.runs and analyzed) for each in _read(inner, dialect, depth + 1))
            return
        inner = executed_text(text, tokens, dialect) or without_control(text, tokens)
        if inner:
            yield from _read(inner, dialect, depth + 1)
            return
    words = words_of(text, tokens, dialect)
    tree = tree_of(text, tokens, dialect)
    found = (
        _from_tree(tree, text) if tree is not None else (_from_tokens(each, dialect) for each in spelled(text, tokens))
    )
    yield from (replace(each, dialect=dialect, words=words) for each in found)


def _from_tree(tree: Any, source: str) -> Iterator[Statement]:
    verb = "replace" if tree.args.get("alternative") == "REPLACE" else VERBS[type(tree)]
    parts = parts_of(tree)
    where = tree.args.get("where")
    condition = where.this if isinstance(where, exp.Where) else None
    every_row = rewrites_all(tree) or (
        verb in ("delete", "update") and not parts.narrowed and _names_all(condition, parts.writes, source)
    )
    yield Statement(
        verb, source, parts.target, parts.writes, parts.reads, parts.columns, condition, every_row, tree=tree
    )
    for inner in parts.inner:  # a CTE that writes, an ALTER TABLE … DELETE
        for each in _from_tree(inner, source):
            yield each if each.writes else replace(each, writes=parts.writes, tree=None)


def _from_tokens(found: Spelled, dialect: str) -> Statement:
    condition: Any = None
    if found.where:
        try:
            (tree,) = parse(f"SELECT 1 {found.where}", dialect)
            condition = tree.args["where"].this
        except (*UNPARSED, KeyError):
            condition = exp.Var(this=" ".join(found.where.split()))
    every_row = found.unbounded and _names_all(condition, found.writes, found.source)
    return Statement(found.verb, found.source, found.target, found.writes, condition=condition, every_row=every_row)


def _names_all(condition: Any | None, tables: Sequence[str], source: str) -> bool:
    """Whether nothing narrows a write: neither a condition nor a HOLE where code may insert one."""
    if condition is None:
        return HOLE not in source or not _ADDED.search(" ".join(source.split()))
    return always_true(condition, tables)


def _with_script(found: list[Statement]) -> Iterator[Statement]:
    """The statements, each with what the script around it determines: `scratch` and `runs`."""
    verbs = [each.verb for each in found]
    undone = "begin" in verbs and verbs[-1] == "rollback" and "commit" not in verbs
    made: set[str] = set()
    for place, each in enumerate(found):
        scratch = bool(each.writes) and all(name in made or _is_temporary(name) for name in each.writes)
        if creates_table(each) or _makes_stage(each, found[place + 1 :]):
            made.update(each.writes)
        runs = each.runs and not (undone and each.verb in ("delete", "update", "insert", "merge"))
        yield replace(each, scratch=scratch or each.target == "temporary table", runs=runs)


def creates_table(each: Statement) -> bool:
    """Whether the statement creates a table that did not exist: it has neither IF NOT EXISTS nor OR REPLACE."""
    if each.verb != "create" or each.tree is None or "table" not in each.target:
        return False
    return not each.tree.args.get("exists") and not each.tree.args.get("replace")


def _makes_stage(each: Statement, later: Sequence[Statement]) -> bool:
    """Whether the statement makes, where there is none, a table in the form of another one, which the script empties
    and fills: a stage for what it loads."""
    if each.verb != "create" or each.tree is None or "table" not in each.target or each.tree.args.get("replace"):
        return False
    if each.tree.args.get("expression") is None and not any(each.tree.find_all(exp.LikeProperty)):
        return False
    verbs = [one.verb for one in later if one.writes == each.writes]
    return verbs[:2] == ["truncate", "insert"]


def _is_temporary(name: str) -> bool:
    return name.startswith(("#", "pg_temp.", "temp.", "tempdb."))
