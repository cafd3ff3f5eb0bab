"""Parses SQL with sqlglot, but not what would take it for ever.

Behind the name of a type sqlglot tries what stands in the brackets as the parameters of the type, and then once or
twice more as an expression: `ARRAY[ARRAY[…]]`, `ROW(ROW(…))`, `DATE(DATE(…))`. Each level multiplies the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import TokenType  # type: ignore[attr-defined]

from supervisor.errors import Unreadable

MAX_TRIES = 10_000  # of some 5 µs; reached by types nine deep, where people write three
_TRIES = 3  # at each level
_BRACKETS = {TokenType.L_PAREN: TokenType.R_PAREN, TokenType.L_BRACKET: TokenType.R_BRACKET}


def parse(sql: str, dialect: str) -> list[Any]:
    """The trees of a script. Raises sqlglot's errors, and Unreadable where its types are nested too deeply."""
    speaker = Dialect.get_or_raise(dialect or None)
    tokens = speaker.tokenize(sql)
    if _tries(tokens, speaker.parser_class) > MAX_TRIES:
        raise Unreadable("SQL whose types are nested too deeply to be read")
    return speaker.parser().parse(tokens, sql)


def _tries(tokens: Sequence[Any], parser: Any) -> int:
    """How often the parser will try what stands behind types, at most."""
    tries, before = 0, None
    closing: list[Any] = []  # of each open bracket: what closes it
    typed: list[int] = [0]  # of each, and the text around them: how many of the open ones stand behind a type
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
