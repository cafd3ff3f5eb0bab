"""What a text alone shows: SQL that is put together, and passwords that are compared with one in the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tree_sitter import Node

from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.judges import judged
from supervisor.evidence.flows.pieces import Hole, words
from supervisor.evidence.flows.places import Climb, climbs
from supervisor.evidence.flows.program import Program, words_of
from supervisor.evidence.flows.table import shared
from supervisor.evidence.flows.values import Values
from supervisor.evidence.reading.sql_texts import is_whole_statement

MAX_BUILT = 40  # texts that can only be SQL
MAX_OUTER = 12  # levels from the name of a password to what compares it

_STATEMENTS = re.compile(rb"(?i)\b(?:select\s|insert\s+into\s|update\s|delete\s+from\s)")
_BUILDING = frozenset({"binary", "content", "literal", "text", "wrap"})
_PASSWORDS = re.compile(rb"(?i)pass|pwd")
_EQUALS = frozenset(
    {"equals", "Equals", "equalsIgnoreCase", "strcmp", "strncmp", "eql?", "hash_equals", "eq", "EqualFold"}
)
_LOOKS_CHOSEN = re.compile(
    r"\d|[^\w-]|[a-z][A-Z]|.{9}|(?i:secret|admin|root|letmein|changeme|qwerty|welcome|master|monkey)"
)
_ABOUT = frozenset("type kind field mode state status strategy policy name id hint error length confirm method".split())
_KINDS = frozenset("password passwd pass none null true false bearer plain text hidden basic oauth default".split())


def built(values: Values, interpolates: frozenset[str]) -> Iterator[tuple[Expr, Hole]]:
    """The texts that can only be SQL, wherever they are used, each with the value at fault. `interpolates` are the
    functions that make parameters of the values in a text."""
    program, seen = values.program, set[int]()
    starts = [found.start() for found in islice(_STATEMENTS.finditer(program.source), MAX_BUILT)]
    for _, climb in climbs(program, starts):
        level = _whole(program, climb)
        whole = climb[level] if level >= 0 else None
        if whole is None or whole.id in seen or not program.is_new(whole):
            continue
        seen.add(whole.id)
        expr = program.expr(whole)
        if _is_tagged(program, whole, climb[level + 1 :], interpolates):
            continue
        if expr.kind in (Kind.JOIN, Kind.TEXT) and expr.parts:
            pieces = values.pieces(expr)
            hole = judged("statement", pieces, "sql") if is_whole_statement(words(pieces)) else None
            if hole is not None:
                yield expr, hole


def _whole(program: Program, climb: Climb) -> int:
    """The level of the whole text that is put together around a place; -1 if it is in none."""
    whole = -1
    for level, node in enumerate(climb):
        shape = program.shape_of(node)
        if shape is None or shape.role not in _BUILDING:
            break
        whole = level if shape.role != "content" else whole
    return whole


def _is_tagged(program: Program, text: Node, outer: Climb, interpolates: frozenset[str]) -> bool:
    """Whether a function gets the pieces of a text, as in sql`…` of JavaScript and FromSql($"…") of C#."""
    if outer and outer[0].child_by_field_name("arguments") == text:
        return True
    for node in outer[:3]:
        shape = program.shape_of(node)
        if shape is None:
            return False
        if shape.role == "call":
            return program.expr(node).text in interpolates
    return False


def compared(values: Values) -> Iterator[tuple[Expr, str]]:
    """The comparisons of a password with a text in the code, each with the text."""
    program, seen = values.program, set[int]()
    for _, climb in climbs(program, (found.start() for found in _PASSWORDS.finditer(program.source))):
        for node in climb[:MAX_OUTER]:
            shape = program.shape_of(node)
            if node.id in seen or (shape is not None and shape.role in ("block", "body")):
                break
            if shape is not None and shape.role in ("binary", "call"):
                seen.add(node.id)
                expr = program.expr(node)
                text = _password(values, expr)
                if text is not None and program.is_new(node):
                    yield expr, text


def loose(values: Values, operators: frozenset[str]) -> Iterator[Expr]:
    """The comparisons by these operators, which convert what they compare, with a secret from the settings."""
    program = values.program
    for node in program.nodes["binary"] if operators and _SECRETS.search(program.source) else ():
        shape = program.shape(node)
        operator = shape.part(node, "operator")
        both = [each for each in (shape.part(node, "left"), shape.part(node, "right")) if each is not None]
        if operator is None or program.text(operator) not in operators or not program.is_new(node) or len(both) < 2:
            continue
        for one, other in (both, both[::-1]):
            if _of_settings(program.text(one)) and program.expr(other).kind not in (Kind.TEXT, Kind.FIXED):
                yield program.expr(node)
                break


_SECRETS = re.compile(rb"(?i)secret|token|passw|signature|api_?key|hmac")
_SETTING = re.compile(
    r"^\\?(?:getenv|env|config|get_option|\$_ENV|\$_SERVER|[A-Z][A-Z0-9_]{5,60}$|[A-Z]\w{0,40}::[A-Z][A-Z0-9_]{3,60}$)"
)


def _of_settings(text: str) -> bool:
    """Whether a value is a secret of the settings: `getenv('SYNC_TOKEN')`, `API_SECRET`."""
    if not _SETTING.match(text) or "HTTP_" in text:
        return False
    return not set(shared("guarded")).isdisjoint(words_of(text[-80:]))


def _password(values: Values, expr: Expr) -> str | None:
    """The text in the code with which a password is compared."""
    both: tuple[Expr, ...] = expr.parts
    if expr.kind is Kind.CALL:
        both = (*expr.parts, *(value for _, value in expr.args))[:2] if expr.text in _EQUALS else ()
    elif expr.kind is not Kind.FIXED:
        both = ()
    for value, told in (both, both[::-1]) if len(both) == 2 else ():
        text = values.text(told) if told.kind is Kind.TEXT else None
        if text and _is_chosen(text) and _is_password(values.program, value):
            return text
    return None


def _is_password(program: Program, value: Expr) -> bool:
    if value.kind not in (Kind.NAME, Kind.MEMBER, Kind.INDEX, Kind.CALL):
        return False
    name = frozenset(words_of(program.text(value.node)[-60:])[-3:])
    return not name.isdisjoint(shared("password")) and name.isdisjoint(_ABOUT)


def _is_chosen(text: str) -> bool:
    """Whether a text looks like a password that somebody chose, and not like the name of a kind."""
    told = len(text) > 3 and " " not in text and _LOOKS_CHOSEN.search(text) is not None
    return told and text.lower() not in _KINDS
