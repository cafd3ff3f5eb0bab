"""Parses SQL with sqlglot, except text that takes exponential time.

After the name of a type, sqlglot parses the text in brackets as parameters of the type, and then once or twice more as
an expression: `ARRAY[ARRAY[…]]`, `ROW(ROW(…))`, `DATE(DATE(…))`. Each level multiplies the work.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokens import TokenType

from supervisor.errors import Unreadable
from supervisor.evidence.sql.tokens import CHANGES, tokenize

RETRY_CHARS = 8 * 1024  # up to which text is parsed again in each other dialect
OTHER_DIALECTS = ("", "postgres", "mysql", "tsql")
MAX_TRIES = 10_000  # about 5 µs each; reached at nine nested types, while people write three
_TRIES = 3  # at each level
_BRACKETS = {TokenType.L_PAREN: TokenType.R_PAREN, TokenType.L_BRACKET: TokenType.R_BRACKET}

VERBS: dict[type[Any], str] = {
    exp.Alter: "alter",
    exp.Commit: "commit",
    exp.Copy: "copy",
    exp.Create: "create",
    exp.Delete: "delete",
    exp.Describe: "describe",
    exp.Drop: "drop",
    exp.Except: "select",
    exp.Grant: "grant",
    exp.Insert: "insert",
    exp.Intersect: "select",
    exp.Merge: "merge",
    exp.Revoke: "revoke",
    exp.Rollback: "rollback",
    exp.Select: "select",
    exp.Set: "set",
    exp.Subquery: "select",
    exp.Transaction: "begin",
    exp.TruncateTable: "truncate",
    exp.Union: "select",
    exp.Update: "update",
    exp.Use: "use",
}

# sqlglot's own errors, and those that its compiled parser raises on malformed text.
UNPARSED = (SqlglotError, AttributeError, TypeError, ValueError)

# sqlglot logs a warning for every unknown statement; those are read from their tokens here.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


def tree_of(text: str, tokens: Sequence[Any], dialect: str) -> Any | None:
    """The tree of one statement, of a type in VERBS; None if no dialect parses it so."""
    return _parsed(text, tokens, dialect) or _replacing(text, tokens, dialect)


def _parsed(text: str, tokens: Sequence[Any], dialect: str) -> Any | None:
    """The tree from the first dialect that parses the text as a statement in VERBS."""
    others = OTHER_DIALECTS if len(text) <= RETRY_CHARS and tokens[0].text.upper() in CHANGES else ()
    for name in (dialect, *(other for other in others if other != dialect)):
        try:
            trees = parse(text, name)
        except UNPARSED:
            continue
        if len(trees) == 1 and type(trees[0]) in VERBS:
            return trees[0]
    return None


def _replacing(text: str, tokens: Sequence[Any], dialect: str) -> Any | None:
    """The tree of a REPLACE INTO, which no dialect parses: an INSERT with the alternative REPLACE."""
    first = tokens[0].text
    if first.upper() != "REPLACE" or not tokens[1:]:
        return None
    insert = f"INSERT{text[len(first) :]}"
    tree = _parsed(insert, tokenize(insert, dialect), dialect)
    if isinstance(tree, exp.Insert):
        tree.set("alternative", "REPLACE")
        return tree
    return None


def parse(sql: str, dialect: str) -> list[Any]:
    """The trees of a script. Raises sqlglot's errors, and Unreadable if its types are nested too deeply."""
    grammar = Dialect.get_or_raise(dialect or None)
    tokens = grammar.tokenize(sql)
    if _tries(tokens, grammar.parser_class) > MAX_TRIES:
        raise Unreadable("SQL whose types are nested too deeply to be read")
    return grammar.parser().parse(tokens, sql)


def _tries(tokens: Sequence[Any], parser: Any) -> int:
    """The maximum number of times that the parser tries text after the name of a type."""
    tries, before = 0, None
    closing: list[Any] = []  # for each open bracket: the token that closes it
    typed: list[int] = [0]  # for the text around and each open bracket: how many open ones follow a type
    for token in tokens:
        kind = token.token_type
        closes = _BRACKETS.get(kind)
        if kind == TokenType.LT and before in parser.NESTED_TYPE_TOKENS:  # ARRAY<…>, but not: date < …
            closes = TokenType.GT
        if closes is not None:
            is_typed = before in parser.TYPE_TOKENS
            tries += is_typed * _TRIES ** typed[-1]
            closing.append(closes)
            typed.append(typed[-1] + is_typed)
        elif closing and kind == closing[-1]:
            closing.pop()
            typed.pop()
        if tries > MAX_TRIES:
            break
        before = kind
    return tries
