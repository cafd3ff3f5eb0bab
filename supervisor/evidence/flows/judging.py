"""What a program does wrong: values that arrive where they must not, and settings that are a weakness by themselves."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.patterns import arguments, matches
from supervisor.evidence.flows.program import Program, words_of
from supervisor.evidence.flows.table import Conditions, Fault, Sink, Table, shared, weaknesses
from supervisor.evidence.flows.values import Hole, Pieces, Values, calls_of, words_near
from supervisor.evidence.reading.sql_texts import is_statement, is_whole_statement, stands_for_value

MAX_HITS = 20  # of one weakness
MAX_SHOWN = 160  # characters of a sink
MAX_BUILT = 40  # texts that can only be SQL

_MARKUP = re.compile(r"<[a-zA-Z/!]")
_STATEMENTS = re.compile(rb"(?i)\b(?:select\s|insert\s+into\s|update\s|delete\s+from\s)")
_HOST = re.compile(
    r"\A(?:[a-z][a-z0-9+.-]{0,20}:)?//[^/?#\0]+[/?#]|\A/(?![/\\\0])|\A[?#]|\A(?:mailto|tel):|\A[\w.-]+[/?#]"
)


class Hit(NamedTuple):
    """One weakness: the sink or setting as written, the value that arrives there, and the client's value in it."""

    weakness: str
    sink: str
    value: str = ""
    source: str = ""
    slight: bool = False


Found = Mapping[str, tuple[Hit, ...]]


class Judge:
    """The weaknesses of one program."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.values = Values(program, table)

    @functools.cached_property
    def code(self) -> str:
        """The whole code."""
        return self.program.source.decode("utf-8", "replace")

    def hits(self) -> Iterator[Hit]:
        """Every weakness that the action adds."""
        for call in calls_of(self.program):
            if call.text in self.table.sinks:
                yield from self._arrived(call)
            if call.text in self.table.faults:
                yield from self._of_call(call)
        yield from self._assigned()
        yield from self._defined()
        yield from self._annotated()
        yield from self._built()
        yield from self._compared()

    def _arrived(self, call: Expr) -> Iterator[Hit]:
        for row in self.table.sinks[call.text]:
            form = row.pattern.form in ("", "new") and self.program.is_new(call.node)
            if form and matches(self.program, call, row.pattern) and self._has(call, row.when):
                for value in arguments(call, row.pattern.given or ("0",)):
                    yield from self._judged(row, call, value)

    def _judged(self, row: Sink, sink: Expr, value: Expr) -> Iterator[Hit]:
        weakness, pieces = row.weakness, self.values.pieces(value)
        if row.after is not None:
            first = row.after.match(pieces[0]) if pieces and isinstance(pieces[0], str) else None
            if first is None:
                return
            pieces = (str(pieces[0])[first.end() :], *pieces[1:])
        if row.far and re.search(row.far, self.code):
            return
        hole = _JUDGES[row.judge or weaknesses()[weakness].judge](pieces, weakness)
        if hole is not None:
            yield Hit(weakness, self._shown(sink), hole.text[:80], (hole.source or hole.text)[:80])

    def _shown(self, sink: Expr) -> str:
        text = " ".join(self.program.text(sink.node).split())
        return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"

    def _of_call(self, call: Expr) -> Iterator[Hit]:
        for fault in self.table.faults[call.text]:
            if (
                fault.pattern.form in ("", "new")
                and matches(self.program, call, fault.pattern)
                and self._holds(fault, call)
            ):
                yield Hit(fault.weakness, self._shown(call), slight=fault.slight)

    def _holds(self, fault: Fault, call: Expr) -> bool:
        """Whether a call that a fault is about has the texts and stands in the place that make it one."""
        if not self._has(call, fault.when) or (fault.missing and arguments(call, (fault.missing,))):
            return False
        return self._stands(fault, call)

    def _has(self, call: Expr, when: Conditions) -> bool:
        """Whether the arguments of a call have these texts."""
        return all(
            any(wanted.search(self._written(each)) for each in arguments(call, (place,))) for place, wanted in when
        )

    def _stands(self, fault: Fault, expr: Expr) -> bool:
        if not self.program.is_new(expr.node):
            return False
        if fault.far and re.search(fault.far, self.code):
            return False
        unless = weaknesses()[fault.weakness].unless
        if unless is not None and unless.search(self.program.statement_of(expr.node)):
            return False
        if fault.near:
            near = words_near(self.program, expr)
            return bool(near & set(shared(fault.near))) and not near & set(shared("sums"))
        return True

    def _written(self, value: Expr) -> str:
        """The text of a value, or the code that it is."""
        told = self.values.text(value)
        return told if told is not None else self.program.text(value.node)[:400]

    def _assigned(self) -> Iterator[Hit]:
        """What is assigned to a member or a key, or given as a field or option."""
        program = self.program
        for role in ("assign", "pair", "declare"):
            for node in program.nodes[role]:
                shape = program.shape(node)
                left = shape.part(node, "left") or shape.part(node, "key") or shape.part(node, "name")
                right = shape.part(node, "right") or shape.part(node, "value")
                if left is None or right is None:
                    continue
                told = program.text(left)[-80:]
                name = re.split(r"[.>:\[\s]", told.strip("\"'`]: "))[-1].strip("\"'`:$@")
                if name in self.table.sinks or name in self.table.faults:
                    yield from self._given(name, program.expr(left), program.expr(right), program.expr(node))

    def _given(self, name: str, left: Expr, value: Expr, whole: Expr) -> Iterator[Hit]:
        for row in self.table.sinks.get(name, ()):
            if row.pattern.form == "set" and self.program.is_new(whole.node) and self._owned(left, row.pattern.head):
                yield from self._judged(row, whole, value)
        for fault in self.table.faults.get(name, ()):
            if fault.pattern.form != "set" or not self._owned(left, fault.pattern.head):
                continue
            told = self._written(value)
            if all(wanted.search(told) for _, wanted in fault.when) and self._stands(fault, whole):
                yield Hit(fault.weakness, self._shown(whole), slight=fault.slight)

    def _owned(self, left: Expr, head: tuple[str, ...] | None) -> bool:
        if head is None or not head:
            return True
        owner = left.object
        return owner is not None and words_of(owner.text)[-len(head) :] == head

    def _defined(self) -> Iterator[Hit]:
        """Functions that check nothing: an empty body, or one that only returns true."""
        for function in self.program.functions:
            for fault in self.table.faults.get(function.name, ()) if function.name else ():
                if fault.pattern.form != "def" or function.body is None:
                    continue
                told = self.values.program.reader.summary(function.body)
                expr = self.program.expr(function.node)
                if all(wanted.search(told) for _, wanted in fault.when) and self._stands(fault, expr):
                    yield Hit(fault.weakness, self._shown(expr), slight=fault.slight)

    def _annotated(self) -> Iterator[Hit]:
        for node in self.program.nodes["annotation"]:
            text = self.program.text(node)[:400]
            name = re.match(r"\W*(\w+)", text)
            for fault in self.table.faults.get(name.group(1), ()) if name else ():
                holds = fault.pattern.form == "" and all(wanted.search(text) for _, wanted in fault.when)
                if holds and self._stands(fault, Expr(Kind.UNKNOWN, node)):
                    yield Hit(fault.weakness, text[:MAX_SHOWN], slight=fault.slight)

    def _built(self) -> Iterator[Hit]:
        """Texts that can only be SQL, wherever they are used."""
        program, seen = self.program, set[int]()
        for found in list(_STATEMENTS.finditer(program.source))[:MAX_BUILT]:
            node = program.root.named_descendant_for_byte_range(found.start(), found.start() + 1)
            whole = None
            for _ in range(8):
                shape = program.language.shapes.get(node.type) if node is not None else None
                if (
                    node is None
                    or shape is None
                    or shape.role not in ("content", "text", "literal", "binary", "wrap", "quoted")
                ):
                    break
                whole, node = node if shape.role != "content" else whole, node.parent
            if whole is None or whole.id in seen or not program.is_new(whole) or self._is_tagged(whole):
                continue
            seen.add(whole.id)
            expr = program.expr(whole)
            if expr.kind in (Kind.JOIN, Kind.TEXT) and expr.parts:
                pieces = self.values.pieces(expr)
                hole = _statement(pieces, "sql")
                if hole is not None and is_whole_statement(words(pieces)):
                    yield Hit("sql", self._shown(expr), hole.text[:80], (hole.source or hole.text)[:80])

    def _is_tagged(self, text: Node) -> bool:
        """Whether a function gets the pieces of a text, as in `sql`…`` of JavaScript."""
        around = text.parent
        return around is not None and around.child_by_field_name("arguments") == text

    def _compared(self) -> Iterator[Hit]:
        """A password that is compared with a text in the code."""
        if not any(word in self.program.source.lower() for word in (b"pass", b"pwd")):
            return
        for node in self.program.nodes["binary"]:
            expr = self.program.expr(node)
            if expr.kind is Kind.FIXED and len(expr.parts) == 2 and expr.text in self.program.language.compares:
                yield from self._compared_with(expr, *expr.parts)
        for call in calls_of(self.program):
            if call.text in _EQUALS:
                both = [*call.parts, *(value for _, value in call.args)][:2]
                if len(both) == 2:
                    yield from self._compared_with(call, *both)

    def _compared_with(self, expr: Expr, left: Expr, right: Expr) -> Iterator[Hit]:
        for value, told in ((left, right), (right, left)):
            if told.kind is not Kind.TEXT or value.kind not in (Kind.NAME, Kind.MEMBER, Kind.INDEX, Kind.CALL):
                continue
            text = self.values.text(told)
            name = frozenset(words_of(self.program.text(value.node)[-60:])[-3:])
            is_password = bool(name & set(shared("password"))) and not name & _ABOUT
            if text and len(text) > 3 and is_password and " " not in text and self.program.is_new(expr.node):
                if text.lower() not in _KINDS:
                    yield Hit("password", self._shown(expr), text)


_EQUALS = frozenset(
    {"equals", "Equals", "equalsIgnoreCase", "strcmp", "strncmp", "eql?", "hash_equals", "eq", "EqualFold"}
)
_ABOUT = frozenset("type kind field mode state status strategy policy name id hint error length confirm method".split())
_KINDS = frozenset("password passwd pass none null true false bearer plain text hidden basic oauth default".split())


def words(pieces: Pieces) -> str:
    """The literal text, with a space for each value."""
    return "".join(piece if isinstance(piece, str) else " " for piece in pieces)


def _holes(pieces: Pieces, weakness: str) -> Iterator[tuple[str, Hole]]:
    """Each value that is not safe for a weakness, with the text before it, in which NUL stands for a value."""
    before = ""
    for piece in pieces:
        if isinstance(piece, str):
            before += piece
        else:
            if weakness not in piece.clean and "all" not in piece.clean:
                yield before, piece
            before += "\0"


def _client(pieces: Pieces, weakness: str) -> Hole | None:
    return next((hole for _, hole in _holes(pieces, weakness) if hole.source), None)


def _statement(pieces: Pieces, weakness: str) -> Hole | None:
    if not is_statement(words(pieces)):
        whole = _client(pieces, weakness)
        return whole if not words(pieces).strip() else None
    for before, hole in _holes(pieces, weakness):
        if hole.source or (hole.is_open and stands_for_value(before)):
            return hole
    return None


def _command(pieces: Pieces, weakness: str) -> Hole | None:
    found = _client(pieces, weakness)
    if found is not None or not words(pieces).strip():
        return found
    return next((hole for _, hole in _holes(pieces, weakness) if hole.is_open), None)


def _address(pieces: Pieces, weakness: str) -> Hole | None:
    return next((hole for before, hole in _holes(pieces, weakness) if hole.source and not _HOST.match(before)), None)


def _markup(pieces: Pieces, weakness: str) -> Hole | None:
    told = words(pieces)
    return _client(pieces, weakness) if not told.strip() or _MARKUP.search(told) else None


def _open(pieces: Pieces, weakness: str) -> Hole | None:
    return next((hole for _, hole in _holes(pieces, weakness) if hole.is_open), None)


def _any(pieces: Pieces, weakness: str) -> Hole | None:
    return next((piece for piece in pieces if isinstance(piece, Hole)), Hole("", None, is_open=True))


def _setting(pieces: Pieces, weakness: str) -> Hole | None:
    return None


_JUDGES: dict[str, Callable[[Pieces, str], Hole | None]] = {
    "client": _client,
    "statement": _statement,
    "command": _command,
    "address": _address,
    "markup": _markup,
    "open": _open,
    "any": _any,
    "setting": _setting,
}
