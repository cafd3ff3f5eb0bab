"""What a program does wrong: values that arrive where they must not, and settings that are a weakness by themselves."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.grammar import Shape
from supervisor.evidence.flows.patterns import arguments, matches
from supervisor.evidence.flows.program import Program, words_of
from supervisor.evidence.flows.table import Condition, Conditions, Fault, Sink, Table, shared, weaknesses
from supervisor.evidence.flows.values import Hole, Known, Pieces, Values, words_near
from supervisor.evidence.reading.sql_texts import is_statement, is_whole_statement, stands_for_value

MAX_HITS = 20  # of one weakness
MAX_SHOWN = 160  # characters of a sink
MAX_BUILT = 40  # texts that can only be SQL
MAX_CLIMB = 12  # levels from a name to what it names

_MARKUP = re.compile(r"<[a-zA-Z/!]")
_AFTER = {"guarded": 160}  # characters: a hash is made first and fed later
_PASSWORDS = re.compile(rb"(?i)pass|pwd")
_BUILDING = frozenset({"binary", "content", "literal", "text", "wrap"})
_PLACES = frozenset({"annotation", "assign", "call", "constructs", "declare", "function", "macro", "new", "pair"})
_STOPS = frozenset({"block", "body"})
_STATEMENTS = re.compile(rb"(?i)\b(?:select\s|insert\s+into\s|update\s|delete\s+from\s)")
_ALL = re.compile(
    r"(?i)(?:body|query|params|payload|form|all\(\)|post\(\)|json\(\)|_POST|_GET|_REQUEST|data|unsafe_h|permit!)$"
)
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

    def hits(self, places: Iterable[int]) -> Iterator[Hit]:
        """Every weakness that the action adds; `places` are those of the names that a row is about."""
        seen: set[int] = set()
        for at in places:
            node = self._place_of(at)
            if node is None or node.id in seen:
                continue
            seen.add(node.id)
            yield from self._of_node(node)
        for macro in self.program.nodes["macro"] if self.program.language.macros else ():
            for call in _calls_in(self.program.expr(macro)):
                yield from self._of_expr(call)
        yield from self._built()
        yield from self._compared()

    def _place_of(self, at: int) -> Node | None:
        """The call, assignment, option, function or annotation that a name at a place is the name of."""
        shapes = self.program.language.shapes
        node = self.program.leaf(at)
        for _ in range(MAX_CLIMB):
            if node is None:
                return None
            shape = shapes.get(node.type)
            role = shape.role if shape is not None else ""
            if role in _STOPS:
                return None
            if role == "opens":
                return node
            if role in _PLACES and shape is not None and self._is_named(node, shape, at) and not self._is_target(node):
                return node
            node = node.parent
        return None

    def _is_target(self, node: Node) -> bool:
        """Whether a call is what is assigned, as in `http.verify_mode = value` of Ruby."""
        around = node.parent
        shape = self.program.language.shapes.get(around.type) if around is not None else None
        return (
            around is not None and shape is not None and shape.role == "assign" and shape.part(around, "left") == node
        )

    def _is_named(self, node: Node, shape: Shape, at: int) -> bool:
        if shape.role in ("call", "macro", "new"):
            if "fixed" in shape.places:
                return True
            named = shape.part(node, "name")
            given = shape.part(node, "args")
            begins = given.start_byte if given is not None else node.end_byte
            return (named is not None and named.start_byte <= at < named.end_byte) or node.start_byte <= at < begins
        names = ("type",) if shape.role == "constructs" else ("left", "key", "name")
        left = next((part for name in names if (part := shape.part(node, name)) is not None), None)
        return left is None or left.start_byte <= at < left.end_byte

    def _of_node(self, node: Node) -> Iterator[Hit]:
        role = self.program.shape(node).role
        if role in ("call", "constructs", "macro", "new"):
            yield from self._of_expr(self.values.call(node))
        elif role == "opens":
            yield from self._printed(node)
        elif role == "function":
            yield from self._defined(node)
        elif role == "annotation":
            yield from self._annotated(node)
        else:
            yield from self._assigned(node)

    def _of_expr(self, call: Expr) -> Iterator[Hit]:
        if call.text in self.table.sinks:
            yield from self._arrived(call)
        if call.text in self.table.faults:
            yield from self._of_call(call)

    def _arrived(self, call: Expr) -> Iterator[Hit]:
        for row in self.table.sinks[call.text]:
            form = row.pattern.form in ("", "new") and self.program.is_new(call.node)
            if form and matches(self.program, call, row.pattern) and self._has(call, row.when):
                yield from self._values_judged(row, call)

    def _values_judged(self, row: Sink, call: Expr) -> Iterator[Hit]:
        given = row.pattern.given or ("0",)
        if given[0].startswith("format"):
            pieces = self.values.formatted(call, given[0].removeprefix("format") or "0")
            yield from self._pieces_judged(row, call, pieces)
            return
        for value in arguments(call, given):
            yield from self._judged(row, call, value)

    def _printed(self, tag: Node) -> Iterator[Hit]:
        """`<?= $value ?>`: what follows the tag is printed."""
        parent = tag.parent
        following = tag.next_named_sibling or (parent.next_named_sibling if parent is not None else None)
        if following is not None:
            value = self.program.expr(following)
            name = self.program.shape(tag).places["fixed"]
            yield from self._arrived(Expr(Kind.CALL, following, name, (), (("", value),)))

    def _judged(self, row: Sink, sink: Expr, value: Expr) -> Iterator[Hit]:
        judge = row.judge or weaknesses()[row.weakness].judge
        if value.kind is not Kind.LIST or judge not in _OF_TEXTS:  # a list is data, or the words of a command
            yield from self._pieces_judged(row, sink, self.values.pieces(value))

    def _pieces_judged(self, row: Sink, sink: Expr, pieces: Pieces) -> Iterator[Hit]:
        weakness = row.weakness
        if row.after is not None:
            first = row.after.match(pieces[0]) if pieces and isinstance(pieces[0], str) else None
            if first is None:
                return
            pieces = (str(pieces[0])[first.end() :], *pieces[1:])
        if (row.far and re.search(row.far, self.code)) or (row.needs and not re.search(row.needs, self.code)):
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
            any(self._is_like(each, condition) for each in arguments(call, (condition.place,))) for condition in when
        )

    def _stands(self, fault: Fault, expr: Expr) -> bool:
        if not self.program.is_new(expr.node):
            return False
        if (fault.far and re.search(fault.far, self.code)) or (fault.needs and not re.search(fault.needs, self.code)):
            return False
        unless = weaknesses()[fault.weakness].unless
        if unless is not None and unless.search(self.program.statement_of(expr.node)):
            return False
        if fault.near:
            near = words_near(self.program, expr, _AFTER.get(fault.near, 0))
            return bool(near & set(shared(fault.near))) and not words_near(self.program, expr) & set(shared("sums"))
        return True

    def _is_like(self, value: Expr, condition: Condition) -> bool:
        """Whether the text of a value, or the code that it is, meets a condition."""
        told = self.values.text(value)
        if told is None and condition.literal:
            return False
        if told is not None:
            return bool(condition.wanted.search(told))
        first = self.values.bound(value) if condition.place == "self" else None
        written = [self.program.text(each.node)[:400] for each in (value, first) if each is not None]
        return any(condition.wanted.search(text) for text in written)

    def _assigned(self, node: Node) -> Iterator[Hit]:
        """What is assigned to a member or a key, or given as a field or option."""
        program = self.program
        shape = program.shape(node)
        left = shape.part(node, "left") or shape.part(node, "key") or shape.part(node, "name")
        right = shape.part(node, "right") or shape.part(node, "value")
        if left is None or right is None or (shape.role != "pair" and not self._is_part_of(node, left)):
            return
        told = program.text(left)[-80:]
        name = re.split(r"[.>:\[\s]", told.strip("\"'`]: "))[-1].strip("\"'`:$@")
        if name in self.table.sinks or name in self.table.faults:
            yield from self._given(name, program.expr(left), program.expr(right), program.expr(node))

    def _is_part_of(self, node: Node, left: Node) -> bool:
        """Whether what is assigned is a part of an object: a member, a key, a field that fills a new object."""
        shape = self.program.language.shapes.get(left.type)
        around = self.program.language.shapes.get(node.parent.type) if node.parent is not None else None
        if self.program.language.implicit and self.program.shape(node).role == "assign":
            return True
        fills = around is not None and around.role == "list"
        return fills or (shape is not None and shape.role in ("member", "index", "call"))

    def _given(self, name: str, left: Expr, value: Expr, whole: Expr) -> Iterator[Hit]:
        for row in self.table.sinks.get(name, ()):
            if row.pattern.form == "set" and self.program.is_new(whole.node) and self._owned(left, row.pattern.head):
                yield from self._judged(row, whole, value)
        for fault in self.table.faults.get(name, ()):
            if fault.pattern.form != "set" or not self._owned(left, fault.pattern.head):
                continue
            if all(self._is_like(value, condition) for condition in fault.when) and self._stands(fault, whole):
                yield Hit(fault.weakness, self._shown(whole), slight=fault.slight)

    def _owned(self, left: Expr, head: tuple[str, ...] | None) -> bool:
        if head is None or not head:
            return True
        owner = left.object
        return owner is not None and words_of(owner.text)[-len(head) :] == head

    def _defined(self, node: Node) -> Iterator[Hit]:
        """A function that checks nothing: an empty body, or one that only returns true."""
        shape = self.program.shape(node)
        named, body = shape.part(node, "name"), shape.part(node, "body")
        name = self.program.text(named) if named is not None else ""
        for fault in self.table.faults.get(name, ()) if body is not None else ():
            told = self.program.reader.summary(body) if body is not None else ""
            expr = self.program.expr(node)
            holds = fault.pattern.form == "def" and all(each.wanted.search(told) for each in fault.when)
            if holds and self._stands(fault, expr):
                yield Hit(fault.weakness, self._shown(expr), slight=fault.slight)

    def _annotated(self, node: Node) -> Iterator[Hit]:
        text = self.program.text(node)[:400]
        name = re.match(r"\W*(\w+)", text)
        for fault in self.table.faults.get(name.group(1), ()) if name else ():
            holds = fault.pattern.form == "" and all(each.wanted.search(text) for each in fault.when)
            if holds and self._stands(fault, Expr(Kind.UNKNOWN, node)):
                yield Hit(fault.weakness, text[:MAX_SHOWN], slight=fault.slight)

    def _built(self) -> Iterator[Hit]:
        """Texts that can only be SQL, wherever they are used."""
        program, seen = self.program, set[int]()
        for found in list(_STATEMENTS.finditer(program.source))[:MAX_BUILT]:
            node: Node | None = program.leaf(found.start())
            whole: Node | None = None
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
        """Whether a function gets the pieces of a text, as in sql`…` of JavaScript and FromSql($"…") of C#."""
        around = text.parent
        if around is not None and around.child_by_field_name("arguments") == text:
            return True
        for _ in range(3):
            shape = self.program.language.shapes.get(around.type) if around is not None else None
            if around is None or shape is None:
                return False
            if shape.role == "call":
                return self.program.expr(around).text in self.table.sets["interpolates"]
            around = around.parent
        return False

    def _compared(self) -> Iterator[Hit]:
        """A password that is compared with a text in the code."""
        shapes, seen = self.program.language.shapes, set[int]()
        for found in _PASSWORDS.finditer(self.program.source):
            node: Node | None = self.program.leaf(found.start())
            for _ in range(MAX_CLIMB):
                shape = shapes.get(node.type) if node is not None else None
                if node is None or (shape is not None and shape.role in _STOPS) or node.id in seen:
                    break
                if shape is not None and shape.role in ("binary", "call"):
                    seen.add(node.id)
                    yield from self._compares(self.program.expr(node))
                node = node.parent

    def _compares(self, expr: Expr) -> Iterator[Hit]:
        if expr.kind is Kind.FIXED and len(expr.parts) == 2:
            yield from self._compared_with(expr, *expr.parts)
        elif expr.kind is Kind.CALL and expr.text in _EQUALS:
            both = [*expr.parts, *(value for _, value in expr.args)][:2]
            if len(both) == 2:
                yield from self._compared_with(expr, *both)

    def _compared_with(self, expr: Expr, left: Expr, right: Expr) -> Iterator[Hit]:
        for value, told in ((left, right), (right, left)):
            if told.kind is not Kind.TEXT or value.kind not in (Kind.NAME, Kind.MEMBER, Kind.INDEX, Kind.CALL):
                continue
            text = self.values.text(told)
            name = frozenset(words_of(self.program.text(value.node)[-60:])[-3:])
            is_password = bool(name & set(shared("password"))) and not name & _ABOUT
            if is_password and text and _is_chosen(text) and self.program.is_new(expr.node):
                yield Hit("password", self._shown(expr), text)


_FORMATS = frozenset({"fmt", "format", "formats", "msgid"})  # the parameter of a function that formats
_EQUALS = frozenset(
    {"equals", "Equals", "equalsIgnoreCase", "strcmp", "strncmp", "eql?", "hash_equals", "eq", "EqualFold"}
)
_LOOKS_CHOSEN = re.compile(
    r"\d|[^\w-]|[a-z][A-Z]|.{9}|(?i:secret|admin|root|letmein|changeme|qwerty|welcome|master|monkey)"
)
_ABOUT = frozenset("type kind field mode state status strategy policy name id hint error length confirm method".split())
_KINDS = frozenset("password passwd pass none null true false bearer plain text hidden basic oauth default".split())


def _calls_in(macro: Expr) -> Iterator[Expr]:
    """The calls among the arguments of a macro, whose tokens are no nodes of calls."""
    pending = [value for _, value in macro.args]
    while pending:
        expr = pending.pop()
        if expr.kind is Kind.CALL:
            yield expr
        pending.extend((*expr.parts, *(value for _, value in expr.args)))


def _is_chosen(text: str) -> bool:
    """Whether a text looks like a password that somebody chose, and not like the name of a kind."""
    told = len(text) > 3 and " " not in text and _LOOKS_CHOSEN.search(text) is not None
    return told and text.lower() not in _KINDS


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
    return _clause(pieces, weakness)


def _clause(pieces: Pieces, weakness: str) -> Hole | None:
    following = [*pieces[1:], ""]
    after = {id(piece): following[place] for place, piece in enumerate(pieces)}
    for before, hole in _holes(pieces, weakness):
        if hole.source or (hole.known is Known.GIVEN and stands_for_value(before) and not _is_part(hole, after)):
            return hole
    return None


def _is_part(hole: Hole, after: Mapping[int, object]) -> bool:
    """Whether a value is a part of a statement by its name, or the name of a table: a column follows it."""
    words = words_of(hole.text)[-4:]
    following = after.get(id(hole))
    return not set(shared("fragments")).isdisjoint(words) or (isinstance(following, str) and following[:1] == ".")


def _command(pieces: Pieces, weakness: str) -> Hole | None:
    found = _client(pieces, weakness)
    if found is not None or not words(pieces).strip():
        return found
    return next((hole for _, hole in _holes(pieces, weakness) if hole.known is Known.GIVEN), None)


def _address(pieces: Pieces, weakness: str) -> Hole | None:
    return next((hole for before, hole in _holes(pieces, weakness) if hole.source and not _HOST.match(before)), None)


def _markup(pieces: Pieces, weakness: str) -> Hole | None:
    told, found = words(pieces), _client(pieces, weakness)
    if found is None or (told.strip() and not _MARKUP.search(told)):
        return None
    return found if told.strip() or found.text != found.source else None  # a whole request is sent as data


def _line(pieces: Pieces, weakness: str) -> Hole | None:
    return _client(pieces, weakness) if words(pieces).strip() else None


def _whole(pieces: Pieces, weakness: str) -> Hole | None:
    found = _client(pieces, weakness)
    return found if found is not None and _ALL.search(found.source or "") and not words(pieces).strip() else None


def _open(pieces: Pieces, weakness: str) -> Hole | None:
    return next((hole for _, hole in _holes(pieces, weakness) if hole.known is Known.GIVEN), None)


def _given(pieces: Pieces, weakness: str) -> Hole | None:
    given = (hole for _, hole in _holes(pieces, weakness) if hole.known is Known.GIVEN)
    return _client(pieces, weakness) or next(given, None)


def _given_whole(pieces: Pieces, weakness: str) -> Hole | None:
    found = _given(pieces, weakness) if len(pieces) == 1 else None
    return found if found is not None and not _FORMATS & set(words_of(found.text)) else None


def _any(pieces: Pieces, weakness: str) -> Hole | None:
    return next((piece for piece in pieces if isinstance(piece, Hole)), Hole("", None, Known.MADE))


def _setting(pieces: Pieces, weakness: str) -> Hole | None:
    return None


_OF_TEXTS = frozenset({"address", "clause", "command", "markup", "statement", "whole"})
_JUDGES: dict[str, Callable[[Pieces, str], Hole | None]] = {
    "clause": _clause,
    "client": _client,
    "statement": _statement,
    "command": _command,
    "address": _address,
    "given": _given,
    "given_whole": _given_whole,
    "line": _line,
    "markup": _markup,
    "open": _open,
    "any": _any,
    "whole": _whole,
    "setting": _setting,
}
