"""SQL by its tokens: splits a script into statements, and reads those that no parser accepts.

Tokens distinguish strings, comments and quoted names, which suffices to recognise a DELETE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokens import TokenType

from supervisor.errors import Unreadable
from supervisor.evidence.reading.paths import HOLE

CHANGES = frozenset({"ALTER", "CREATE", "DELETE", "DROP", "INSERT", "MERGE", "REPLACE", "TRUNCATE", "UPDATE", "WITH"})
_READS = frozenset({"SELECT", "SHOW", "VALUES", "TABLE", "PRAGMA", "ANALYZE", "VACUUM", "USE", "SET"})
_RIGHTS = frozenset({"GRANT", "REVOKE", "DENY"})
_EXPLAIN = frozenset({"DESC", "DESCRIBE", "EXPLAIN"})
_CONTROL = frozenset({"BEGIN", "DECLARE", "ELSE", "ELSEIF", "ELSIF", "END", "FOR", "FOREACH", "IF", "LOOP", "WHILE"})
_LED_TO = CHANGES | {"EXEC", "EXECUTE"}
_PLACEHOLDER = re.compile(r"%(?:\d+\$)?[ILs]")  # in PostgreSQL's format()
_BEFORE_TEXT = frozenset(
    {"(", "DO", "EXEC", "EXECUTE", "FORMAT", "FROM", "IMMEDIATE", "LANGUAGE", "PLPGSQL", "SP_EXECUTESQL"}
)
_ROUTINES = frozenset({"EVENT", "FUNCTION", "PROC", "PROCEDURE", "TRIGGER"})
_OBJECTS = frozenset({"COLUMN", "DATABASE", "INDEX", "KEYSPACE", "ROLE", "SCHEMA", "TABLE", "TABLES", "USER", "VIEW"})
_BESIDE_NAME = _OBJECTS | frozenset({"ALL", "EXISTS", "FROM", "HISTORY", "IF", "IGNORE", "INTO", "LOW_PRIORITY", "NOT"})
_BEFORE_NAME = _BESIDE_NAME | _ROUTINES | frozenset({"*", "ONLY", "OR", "QUICK", "REPLACE", "TEMP", "TEMPORARY"})
# DROP DATABASE SCOPED CREDENTIAL, LINK, AUDIT SPECIFICATION, ENCRYPTION KEY, ROLE: not the database
_OF_DATABASE = frozenset({"AUDIT", "ENCRYPTION", "LINK", "ROLE", "SCOPED"})
# A keyword after one of these continues the statement: ON DUPLICATE KEY UPDATE, FOR UPDATE, THEN DELETE, ….
_GOES_ON = frozenset({",", "AFTER", "AS", "BEFORE", "DO", "FOR", "KEY", "ON", "OR", "THEN", "."})
_STARTS_LINE = CHANGES - {"REPLACE", "WITH"}
_STARTS = frozenset({"DELETE", "DROP", "INSERT", "PRINT", "SELECT", "SET", "TRUNCATE", "UPDATE", "USE"})
_ENDS_ITSELF = frozenset({"FOR", "IF", "LOOP", "REPEAT", "WHILE"})

MAX_STATEMENTS = 1_000
_Piece = tuple[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Spelled:
    """A statement read from its tokens. `where` is its text from WHERE on; `unbounded`: no LIMIT or join narrows it."""

    verb: str
    source: str
    target: str = ""
    writes: tuple[str, ...] = ()
    where: str = ""
    unbounded: bool = False


def tokenize(sql: str, dialect: str) -> list[Any]:
    """The tokens, in the first dialect whose quoting fits. Raises Unreadable if a quote is never closed."""
    for name in dict.fromkeys((dialect, "", "postgres", "mysql", "bigquery")):
        try:
            return Dialect.get_or_raise(name or None).tokenize(sql)
        except SqlglotError:
            continue
    raise Unreadable("SQL with a quote or a comment that is never closed")


def split(sql: str, dialect: str) -> Iterator[_Piece]:
    """Each statement's text and tokens. Raises Unreadable beyond MAX_STATEMENTS."""
    count = 0
    for group in _groups(tokenize(sql, dialect)):
        for tokens in _by_line(group) if dialect in ("", "tsql") else (group,):
            count += 1
            if count > MAX_STATEMENTS:
                raise Unreadable(f"more than {MAX_STATEMENTS:,} SQL statements")
            yield sql[tokens[0].start : tokens[-1].end + 1], tokens


def _groups(tokens: Sequence[Any]) -> Iterator[list[Any]]:
    """The tokens between semicolons (or `GO`). The body of a routine stays with its CREATE."""
    group: list[Any] = []
    routine, depth, before = False, 0, ""
    for token in tokens:
        word = token.text.upper()
        if (token.token_type == TokenType.SEMICOLON and depth <= 0) or (word == "GO" and before in ("", ";", "END")):
            if group:
                yield group
            group, routine, depth = [], False, 0
        else:
            group.append(token)
            routine = routine or (len(group) < 8 and word in _ROUTINES and group[0].text.upper() == "CREATE")
            if routine:
                opens = word in ("BEGIN", "CASE") or (before == "END" and word in _ENDS_ITSELF)
                depth += opens - (word == "END")
        before = word
    if group:
        yield group


def _by_line(group: list[Any]) -> Iterator[list[Any]]:
    """The statements of T-SQL without semicolons: a line that starts with a verb starts a statement."""
    start = depth = 0
    if group[0].text.upper() in _STARTS:
        for index, token in enumerate(group[1:], 1):
            depth += _nesting(token)
            before = group[index - 1]
            if depth or token.line == before.line or token.token_type == TokenType.IDENTIFIER:
                continue
            if token.text.upper() in _STARTS_LINE and before.text.upper() not in _GOES_ON:
                yield group[start:index]
                start = index
    yield group[start:]


def explained(text: str, tokens: Sequence[Any], dialect: str) -> tuple[str, bool] | None:
    """The statement that an EXPLAIN plans, and whether ANALYZE makes it run; None for anything else."""
    if tokens[0].text.upper() not in _EXPLAIN:
        return None
    rest = text[len(tokens[0].text) :]
    options = tokenize(rest, dialect)
    words = [token.text.upper() for token in options]
    for index, word in enumerate(words):
        if word in CHANGES or word == "SELECT":
            analyzed = "ANALYZE" in words[:index] and words[words.index("ANALYZE") + 1] not in ("FALSE", "OFF", "0")
            return rest[options[index].start :], analyzed
    return None


def executed_text(text: str, tokens: Sequence[Any], dialect: str) -> str:
    """The string that a DO, EXEC, EXECUTE or PREPARE runs as SQL; empty for anything else."""
    first = tokens[0].text.upper()
    if first not in ("DO", "EXEC", "EXECUTE", "PREPARE"):
        return ""
    rest = text[len(first) :]
    inner = tokenize(rest, dialect)
    for index, token in enumerate(inner):
        if token.token_type.name.endswith("STRING"):
            return _joined(inner[index:]) if first in ("EXEC", "EXECUTE") else str(token.text)
        prepared = first == "PREPARE" and index == 0  # its name
        if first == "PREPARE" and token.text.upper() == "AS":
            return rest[token.end + 1 :]
        if token.text.upper() not in _BEFORE_TEXT and not prepared:
            return ""
    return ""


def _joined(tokens: Sequence[Any]) -> str:
    """The text of an expression of strings, with a HOLE for each value between them or in a format's `%I`."""
    pieces: list[str] = []
    for token in tokens:
        if token.token_type.name.endswith("STRING"):
            pieces.append(_PLACEHOLDER.sub(HOLE, token.text))
        elif token.token_type == TokenType.COMMA or token.text.upper() in ("INTO", "USING"):
            break
        elif token.token_type in (TokenType.DPIPE, TokenType.PLUS) and pieces[-1:] != [HOLE]:
            pieces.append(HOLE)
    return "".join(pieces)


def without_control(text: str, tokens: Sequence[Any]) -> str:
    """The statement after BEGIN, IF … or LOOP …; empty if there is none."""
    if tokens[0].text.upper() not in _CONTROL:
        return ""
    depth = 0
    for token in tokens[1:]:
        depth += _nesting(token)
        if depth == 0 and token.text.upper() in _LED_TO and token.token_type != TokenType.IDENTIFIER:
            return text[token.start - tokens[0].start :]
    return ""


def spelled(text: str, tokens: Sequence[Any]) -> Iterator[Spelled]:
    """The statement by its first word, and the writes of CTEs: in parentheses or after them."""
    first = tokens[0].text.upper()
    if first in CHANGES - {"WITH"}:
        yield _change(text, tokens)
        return
    if first not in _READS | _RIGHTS | {"WITH"}:
        yield Spelled("unparsed", text)
        return
    yield Spelled("select" if first == "WITH" else first.lower(), text)
    if first in ("SELECT", "WITH"):
        yield from _changes_inside(text, tokens)


def _changes_inside(text: str, tokens: Sequence[Any]) -> Iterator[Spelled]:
    """The writes of a WITH, each up to its closing parenthesis."""
    base, index = tokens[0].start, 1
    while index < len(tokens):
        token, end = tokens[index], index + 1
        if token.text.upper() in ("DELETE", "INSERT", "UPDATE") and tokens[index - 1].text in ("(", ")"):
            end = _closing(tokens, index)
            yield _change(text[token.start - base : tokens[end - 1].end + 1 - base], tokens[index:end])
        index = end


def _change(text: str, tokens: Sequence[Any]) -> Spelled:
    verb = tokens[0].text.lower()
    words = [token.text.upper() for token in tokens]
    top = _at_top(tokens)
    start = next((index for index in top if words[index] == "FROM"), 0) if verb == "delete" else 0
    start = next((index for index in range(start + 1, len(words)) if words[index] not in _BEFORE_NAME), len(words))
    target = next(
        (word.lower() for word in words[1:start] if word in _OBJECTS | _ROUTINES), "table" if verb == "truncate" else ""
    )
    if target == "database" and verb == "drop" and start < len(words) and words[start] in _OF_DATABASE:
        target = words[start].lower()
    where = next((tokens[index].start - tokens[0].start for index in top if words[index] == "WHERE"), None)
    bounded = any(words[index] in ("LIMIT", "TOP", "JOIN") for index in top)
    called = start + 1 < len(words) and words[start + 1] == "("  # OPENQUERY (…): its query names the rows
    return Spelled(
        verb,
        text,
        "table" if target == "tables" else target,
        tuple(_listed(tokens[start:])),
        "" if where is None else text[where:],
        verb in ("delete", "update") and not bounded and not called,
    )


def _listed(tokens: Sequence[Any]) -> Iterator[str]:
    """Names joined by commas, each of parts joined by dots."""
    name = ""
    for token in tokens:
        if token.token_type == TokenType.COMMA:
            yield name
            name = ""
        elif token.token_type == TokenType.DOT or name.endswith(".") or not name:
            name += token.text.lower()
        else:
            break
    if name:
        yield name


def _nesting(token: Any) -> int:
    """What a token adds to the depth of parentheses."""
    return int(token.token_type == TokenType.L_PAREN) - int(token.token_type == TokenType.R_PAREN)


def _at_top(tokens: Sequence[Any]) -> list[int]:
    """The indexes of tokens outside parentheses."""
    places = []
    depth = 0
    for index, token in enumerate(tokens):
        depth += _nesting(token)
        if depth == 0 and token.token_type not in (TokenType.STRING, TokenType.IDENTIFIER):
            places.append(index)
    return places


def _closing(tokens: Sequence[Any], start: int) -> int:
    """The index where the parenthesis around `start` closes; the end if there is none."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += _nesting(tokens[index])
        if depth < 0:
            return index
    return len(tokens)
