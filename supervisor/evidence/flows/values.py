"""Where a value comes from: the pieces of a text, followed back through names, joins, formats and the file's functions.

Only operations that certainly pass a text on are followed: another function may check its argument.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.patterns import Pattern, arguments, matches, type_of
from supervisor.evidence.flows.program import MAX_BINDINGS, Binding, Function, Program, words_of
from supervisor.evidence.flows.table import Table, only_remote, shared, weaknesses

MAX_PIECES = 200  # of one text
MAX_CALLS = 3  # functions of the file through which a value is followed
MAX_SOURCE = 120  # characters of a source that are shown

_PRINTF = re.compile(r"%(?:\d{1,2}\$)?[-+ #0']{0,4}\*?\d{0,4}(?:\.\d{0,4})?[hlLqjzt]{0,2}([a-zA-Z%])")
_BRACES = re.compile(r"\{\{|\}\}|\{(\w{0,40})(?:[,:!][^{}]{0,40})?\}")
_NUMBERS = frozenset("dioufFeEgGxXbcptqT")  # and quoted texts


class Known(enum.IntEnum):
    """How far the code fixes a value: wholly; not, but it is made here (by a call, a field); not, and it is given."""

    FIXED = 0
    MADE = 1
    GIVEN = 2


class Hole(NamedTuple):
    """A value in a text. `source` is the client's value that it is or holds; `known` says how far the code fixes it;
    `clean` are the weaknesses for which it was made safe."""

    text: str
    source: str | None
    known: Known
    clean: frozenset[str] = frozenset()
    start: int = 0


Piece = str | Hole
Pieces = tuple[Piece, ...]
_FIXED = Hole("0", None, Known.FIXED)
_EVERYTHING = frozenset({"all"})


class Values:
    """The values of one program."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self._known: dict[Expr, Pieces] = {}
        self._under_way: set[Expr] = set()
        self._passed: dict[tuple[int, int], Hole | Pieces | None] = {}

    def call(self, node: Node) -> Expr:
        """The call of a node, by the function's own name."""
        call = self.program.expr(node)
        if call.object is None and self.program.language.renames:
            _with_own_name(self.program, call)
        return call

    def pieces(self, expr: Expr, calls: int = 0) -> Pieces:
        """The pieces of a text: literal text, and the values in it."""
        known = self._known.get(expr)
        if known is not None:
            return known
        if expr in self._under_way:
            return (self._made(expr),)
        self.program.follow()
        self._under_way.add(expr)
        found = tuple(self._read(expr, calls))[:MAX_PIECES]
        self._under_way.discard(expr)
        self._known[expr] = found
        return found

    def formatted(self, call: Expr, place: str) -> Pieces:
        """The pieces of what a call formats; `place` is that of the format, and the values follow it."""
        row = Pattern("", None, call.text, (place,))
        return tuple(self._formatted(call, row, 0))[:MAX_PIECES]

    def text(self, expr: Expr) -> str | None:
        """The text of a value; None if the code does not fix all of it."""
        pieces = self.pieces(expr)
        return "".join(map(str, pieces)) if all(isinstance(piece, str) for piece in pieces) else None

    def bound(self, expr: Expr) -> Expr | None:
        """The first value of a name; None for anything else."""
        known = self._bound(expr.text, expr) if expr.kind is Kind.NAME else []
        return self.program.expr(known[0].value) if known else None

    def merged(self, expr: Expr, parts: Iterable[Expr], calls: int = 0) -> Hole:
        """One value that may be or hold any of these."""
        holes = [hole for part in parts for hole in self.pieces(part, calls) if isinstance(hole, Hole)]
        return self._merge(expr, holes)

    def _merge(self, expr: Expr, holes: Sequence[Hole]) -> Hole:
        if not holes:
            return _FIXED
        most = max(hole.known for hole in holes)
        told = [hole for hole in holes if hole.source] or [hole for hole in holes if hole.known is most]
        clean = frozenset.intersection(*(hole.clean for hole in told))
        return Hole(self._shown(expr), told[0].source, most, clean, expr.start)

    def _shown(self, expr: Expr) -> str:
        return (expr.text if expr.kind is Kind.NAME else self.program.text(expr.node))[:MAX_SOURCE]

    def _given(self, expr: Expr) -> Hole:
        return Hole(self._shown(expr), None, Known.GIVEN, start=expr.start)

    def _made(self, expr: Expr) -> Hole:
        return Hole(self._shown(expr), None, Known.MADE, start=expr.start)

    def _inert(self, expr: Expr) -> Hole:
        return Hole(self._shown(expr), None, Known.FIXED, _EVERYTHING, expr.start)

    def _from(self, expr: Expr, owner: Hole) -> Hole:
        """A part of a value, or what a method makes of it."""
        known = max(owner.known, Known.MADE)
        return Hole(self._shown(expr), owner.source, known, owner.clean if owner.source else frozenset(), expr.start)

    def _read(self, expr: Expr, calls: int) -> Iterable[Piece]:
        if expr.kind in (Kind.NAME, Kind.MEMBER, Kind.CALL):
            found = self._source(expr)
            if found is not None:
                return (found,)
        read: Callable[[Expr, int], Iterable[Piece]] = getattr(self, f"_{expr.kind.value}", self._unknown)
        return read(expr, calls)

    def _unknown(self, expr: Expr, calls: int) -> Iterable[Piece]:
        return (self._made(expr),)

    def _source(self, expr: Expr) -> Hole | None:
        """The value of a source; None if it is none."""
        lists, program = self.table.lists, self.program
        is_local = any(matches(program, expr, each) for each in lists["local_sources"].get(expr.text, ()))
        if not is_local and not any(matches(program, expr, each) for each in lists["sources"].get(expr.text, ())):
            return None
        clean = {name for name, row in self.table.cleans.get(expr.text, ()) if matches(program, expr, row)}
        clean |= only_remote() if is_local else frozenset()
        return Hole(self._shown(expr), self._shown(expr), Known.GIVEN, frozenset(clean), expr.start)

    def _text(self, expr: Expr, calls: int) -> Iterable[Piece]:
        if not expr.parts:
            return (expr.text,)
        return self._each(expr.parts, calls)

    def _each(self, parts: Iterable[Expr], calls: int) -> Iterator[Piece]:
        for part in parts:
            yield from self.pieces(part, calls)

    def _join(self, expr: Expr, calls: int) -> Iterable[Piece]:
        return self._each(expr.parts, calls)

    def _fixed(self, expr: Expr, calls: int) -> Iterable[Piece]:
        return (self._inert(expr),)

    def _choice(self, expr: Expr, calls: int) -> Iterable[Piece]:
        return self._either(expr, [self.pieces(part, calls) for part in expr.parts])

    def _either(self, expr: Expr, ways: list[Pieces]) -> Iterable[Piece]:
        """The one way if the others are empty or fixed text, else one value that may be any of them."""
        open_ways = [way for way in ways if any(isinstance(piece, Hole) for piece in way)]
        if len(open_ways) == 1 and len(open_ways[0]) > 1:
            return open_ways[0]
        if not open_ways:
            return next((way for way in ways if way), ())
        return (self._merge(expr, [piece for way in open_ways for piece in way if isinstance(piece, Hole)]),)

    def _list(self, expr: Expr, calls: int) -> Iterable[Piece]:
        return (self.merged(expr, expr.parts, calls),)

    def _pair(self, expr: Expr, calls: int) -> Iterable[Piece]:
        return self._each(expr.parts, calls)

    def _lambda(self, expr: Expr, calls: int) -> Iterable[Piece]:
        return (expr.text,) if expr.text else (self._made(expr),)

    def _cast(self, expr: Expr, calls: int) -> Iterable[Piece]:
        if self._is_inert(expr.text):
            return (self._inert(expr),)
        return self._each(expr.parts, calls)

    @property
    def _inert_ends(self) -> tuple[str, ...]:
        """How names end that hold no free text."""
        return tuple(self.table.sets["inert_ends"])

    def _is_inert(self, kind: str) -> bool:
        return self.program.reader.bare(kind).rpartition(".")[2] in self.program.language.inert

    def _index(self, expr: Expr, calls: int) -> Iterable[Piece]:
        owner, key = expr.parts[:1], expr.parts[-1]
        if key.kind is Kind.TEXT and self.text(key) in self.table.sets["inert_keys"]:
            return (self._inert(expr),)
        if owner and owner[0].kind is Kind.NAME:
            bound = self._bound(f"{owner[0].text}[]", expr)
            if bound:
                return (self.merged(expr, [self.program.expr(each.value) for each in bound], calls),)
        found = self._from(expr, self.merged(expr, owner, calls))
        if owner and not set(shared("settings")).isdisjoint(words_of(owner[0].text)):
            return (found._replace(known=Known.MADE),)
        return (found,)

    def _member(self, expr: Expr, calls: int) -> Iterable[Piece]:
        program = self.program
        if expr.object is not None and program.is_self(expr.object):
            return self._named(f".{expr.text}", expr, calls)
        if self._is_constant(expr.text) or self._is_inert(program.types.get(expr.text, "")):
            return (self._inert(expr),)
        return (self._from(expr, self.merged(expr, expr.parts, calls)),)

    def _is_constant(self, name: str) -> bool:
        return name.isupper() and len(name) > 1

    def _name(self, expr: Expr, calls: int) -> Iterable[Piece]:
        return self._named(expr.text, expr, calls)

    def _named(self, name: str, expr: Expr, calls: int) -> Iterable[Piece]:
        """The pieces of a name: what it was last given, and what was added since."""
        if self._is_checked(expr) or name in self.table.sets["inert_names"]:
            return (self._inert(expr),)
        if name in self.program.language.selves:
            return (self._made(expr),)
        bound = self._bound(name, expr)
        if not bound:
            return self._parameter(name, expr, calls)
        starts = [each for each in bound if not each.adds]
        ways = [self._value(each, calls) for each in starts[-MAX_BINDINGS:]]
        found = list(self._either(expr, ways) if len(ways) != 1 else ways[0]) if ways else []
        for each in bound:
            if each.adds:
                found.extend(self._value(each, calls))
        if self._is_inert(self.program.types.get(name, "")):
            return (self._inert(expr),)
        if found or not bound:
            return found
        return ("",)

    def _value(self, bound: Binding, calls: int) -> Pieces:
        if bound.value.id in self._filled:
            return self._filled[bound.value.id]
        if bound.value.id in self._formats:
            return self.formatted(*self._formats[bound.value.id])
        return self.pieces(self.program.expr(bound.value), calls)

    @property
    def _filled(self) -> dict[int, Pieces]:
        found: dict[int, Pieces] = self.program.cache.setdefault("filled", {})
        return found

    @property
    def _formats(self) -> dict[int, tuple[Expr, str]]:
        """The calls that fill their argument with a format, with the place of the format."""
        found: dict[int, tuple[Expr, str]] = self.program.cache.setdefault("formats", {})
        return found

    def _bound(self, name: str, expr: Expr) -> list[Binding]:
        """The values that a name may have at a place, in the order of the text."""
        program = self.program
        scope = program.scope_of(expr.start, expr.end)
        here = scope
        while True:
            known = self._bindings.get((here, name))
            if known:
                return self._reaching(known, expr.start) if here == scope and here >= 0 else known[:MAX_BINDINGS]
            if here >= 0 and any(name == told for told, _, _ in program.functions[here].params):
                return []
            if here < 0:
                if name.startswith(("$", ".")) or name.endswith("]"):
                    return []
                return list(self._bindings.get((-1, f".{name}"), ()))[:MAX_BINDINGS]
            here = program.around(here)

    def _reaching(self, known: list[Binding], at: int) -> list[Binding]:
        before = [each for each in known if each.at < at]
        before = [each for each in before if not (each.value.start_byte <= at < each.value.end_byte)]
        for place in range(len(before) - 1, -1, -1):
            start, end = before[place].block
            if not before[place].adds and start <= at < end:
                return before[place:]
        return before[-MAX_BINDINGS:]

    @property
    def _bindings(self) -> dict[tuple[int, str], list[Binding]]:
        """The values of names, with those that a call gives to its argument or adds to its object."""
        known: dict[tuple[int, str], list[Binding]] | None = self.program.cache.get("bound")
        if known is None:
            known = {key: list(values) for key, values in self.program.bindings.items()}
            self.program.cache["bound"] = known
            changed = set()
            for scope, name, bound in self._from_calls():
                known.setdefault((scope, name), []).append(bound)
                changed.add((scope, name))
            for key in changed:
                known[key].sort(key=lambda each: each.at)
        return known

    def _from_calls(self) -> Iterator[tuple[int, str, Binding]]:
        program, lists = self.program, self.table.lists
        if program.language.shifts:
            yield from self._shifted()
        if not any(lists[name] for name in ("appends", "fills", "outputs", "local_outputs")):
            return
        for call in calls_of(program):
            node = call.node
            name = self._target(call.object) if call.object is not None and call.text in lists["appends"] else ""
            for _, value in call.args[:1] if name else ():
                yield self._scope_for(name, call), name, Binding(node.start_byte, (0, 0), True, value.node)
            for each in lists["fills"].get(call.text, ()):
                yield from self._given_to(call, each)
            for each in lists["outputs"].get(call.text, ()):
                yield from self._given_by(call, each, frozenset())
            for each in lists["local_outputs"].get(call.text, ()):
                yield from self._given_by(call, each, only_remote())

    def _shifted(self) -> Iterator[tuple[int, str, Binding]]:
        """`text << value` adds to a text or a stream."""
        program = self.program
        for node in program.nodes["binary"]:
            shape = program.shape(node)
            operator, left, right = (shape.part(node, name) for name in ("operator", "left", "right"))
            if operator is None or operator.type != "<<" or left is None or right is None:
                continue
            owner = left
            while owner.type == node.type and (inner := shape.part(owner, "left")) is not None:
                owner = inner
            expr = program.expr(owner)
            if name := self._target(expr):
                yield self._scope_for(name, expr), name, Binding(node.end_byte, (0, 0), True, right)

    def _scope_for(self, name: str, call: Expr) -> int:
        return -1 if name.startswith(".") else self.program.scope_of(call.start, call.end)

    def _target(self, expr: Expr) -> str:
        if expr.kind is Kind.NAME:
            return f".{expr.text[1:]}" if expr.text[:1] == "@" else expr.text
        if expr.kind is Kind.MEMBER and expr.object is not None and self.program.is_self(expr.object):
            return f".{expr.text}"
        return ""

    def _given_to(self, call: Expr, row: Pattern) -> Iterator[tuple[int, str, Binding]]:
        """`strcpy(to, from)`: the last places of a row are what its first one is filled with."""
        if not matches(self.program, call, row) or len(row.given) < 2:
            return
        filled = arguments(call, row.given[:1])
        if row.given[1].startswith("format"):
            self._formats[call.node.id] = (call, row.given[1].removeprefix("format"))
            for name in filter(None, map(self._target, filled)):
                yield self._scope_for(name, call), name, Binding(call.node.start_byte, (0, 0), False, call.node)
            return
        values = arguments(call, row.given[1:])
        for target in filled:
            name = self._target(target)
            adds = "cat" in call.text or "append" in call.text
            for value in values[:4] if name else ():
                yield (
                    self._scope_for(name, call),
                    name,
                    Binding(call.node.start_byte, (0, 0), adds or len(values) > 1, value.node),
                )

    def _given_by(self, call: Expr, row: Pattern, clean: frozenset[str]) -> Iterator[tuple[int, str, Binding]]:
        """`fgets(line, …)`: the argument is filled from outside."""
        if not matches(self.program, call, row):
            return
        for target in arguments(call, row.given):
            name = self._target(target)
            if name:
                shown = self._shown(call)
                self._filled[call.node.id] = (Hole(shown, shown, Known.GIVEN, clean, call.start),)
                yield self._scope_for(name, call), name, Binding(call.node.start_byte, (0, 0), False, call.node)

    def _parameter(self, name: str, expr: Expr, calls: int) -> Iterable[Piece]:
        program = self.program
        scope = program.scope_of(expr.start, expr.end)
        while scope >= 0:
            function = program.functions[scope]
            for place, (told, kind, node) in enumerate(function.params):
                if told == name:
                    return self._of_parameter(function, place, kind, node, expr, calls)
            scope = program.around(scope)
        if self._is_constant(name.lstrip(".$")) or self._is_inert(program.types.get(name, "")):
            return (self._inert(expr),)
        bare = name.lstrip(".")
        method = next((each for each in program.functions if each.name == bare), None)
        if method is not None and not method.params and calls < MAX_CALLS:
            return self._returned(method, expr, calls)
        sigil = program.language.sigil
        if name.endswith(self._inert_ends):
            return (self._made(expr),)
        is_made = name.startswith(".") or bare[:1].isupper() or (sigil and not name.startswith(sigil))
        return (self._made(expr) if is_made else self._given(expr),)

    def _of_parameter(
        self, function: Function, place: int, kind: str, node: Node, expr: Expr, calls: int
    ) -> Iterable[Piece]:
        if self._is_inert(kind):
            return (self._inert(expr),)
        if self._is_clients(function, kind, node):
            name = function.params[place][0]
            return (Hole(self._shown(expr), name, Known.GIVEN, start=expr.start),)
        key = (function.node.id, place)
        if key not in self._passed:
            self._passed[key] = None
            self._passed[key] = self._of_callers(function, place, expr, calls)
        passed = self._passed[key]
        if passed is None:
            return (self._given(expr),)
        return (passed._replace(text=self._shown(expr)),) if isinstance(passed, Hole) else passed

    def _of_callers(self, function: Function, place: int, expr: Expr, calls: int) -> Hole | Pieces | None:
        """What the same file passes for a parameter; None if it calls the function nowhere."""
        if calls >= MAX_CALLS or not function.name:
            return None
        given = []
        for call in calls_of(self.program):
            if call.text == function.name and (call.object is None or self._is_own(call.object)):
                positional = call.positional()
                given += positional[place : place + 1]
        if not given:
            return None
        ways = [self.pieces(each, calls + 1) for each in given[:MAX_BINDINGS]]
        if len(ways) == 1:
            return ways[0]
        return self._merge(expr, [piece for way in ways for piece in way if isinstance(piece, Hole)])

    def _is_own(self, owner: Expr) -> bool:
        return self.program.is_self(owner) or owner.text in ("static", "self", "parent")

    def _is_clients(self, function: Function, kind: str, node: Node) -> bool:
        """Whether a client sets a parameter: by its annotation or type, or because its function handles requests."""
        sets = self.table.sets
        if sets["client_annotations"] and self._annotations(node) & sets["client_annotations"]:
            return True
        if "<" in kind and self.program.reader.bare(kind).rpartition(".")[2] in sets["client_types"]:
            return True
        bare = set(re.findall(r"\w+", kind))
        if kind and bare & set(shared("services")):
            return False
        return self._handles(function)

    def _annotations(self, node: Node) -> set[str]:
        text = self.program.text(node)[:400]
        return set(re.findall(r"[@\[#(,]\s*(\w+)", text))

    def _handles(self, function: Function) -> bool:
        sets = self.table.sets
        if not (sets["handler_annotations"] or sets["handler_bases"]):
            return False
        known: dict[int, bool] = self.program.cache.setdefault("handles", {})
        if function.node.id not in known:
            known[function.node.id] = self._is_handler(function)
        return known[function.node.id]

    def _is_handler(self, function: Function) -> bool:
        sets, program = self.table.sets, self.program
        before = function.node
        head = program.source[before.start_byte : before.start_byte + 400].decode("utf-8", "replace").partition("{")[0]
        around = before.prev_named_sibling
        for _ in range(4):
            if around is None or "attribute" not in around.type:
                break
            head = program.text(around)[:200] + head
            around = around.prev_named_sibling
        if set(re.findall(r"[@\[#]\s*(\w+)", head)) & sets["handler_annotations"]:
            return True
        here = function.node.parent
        for _ in range(4):
            if here is None:
                return False
            if "class" in here.type and "body" not in here.type:
                title = program.text(here)[:600].partition("{")[0]
                bases = set(re.findall(r"\w+", title))
                return bool(bases & sets["handler_bases"]) and "public" in head
            here = here.parent
        return False

    def _call(self, expr: Expr, calls: int) -> Iterable[Piece]:
        program, lists = self.program, self.table.lists
        name, lowered = expr.text, expr.text.lower()
        if any(matches(program, expr, each) for each in lists["inert"].get(name, ())):
            return (self._inert(expr),)
        for each in lists["formats"].get(name, ()):
            if matches(program, expr, each):
                return self._formatted(expr, each, calls)
        if not expr.args and name.endswith(self._inert_ends):
            return (self._made(expr),)
        clean = self._cleaned(expr, lowered)
        for each in lists["carries"].get(name, ()):
            if matches(program, expr, each):
                found = tuple(self._each(arguments(expr, each.given or ("0",)), calls))
                return self._with(found, clean)
        if self._is_cleaner(expr):
            hole = self.merged(expr, [*expr.parts, *(value for _, value in expr.args)], calls)
            return (hole._replace(clean=hole.clean | clean),)
        if clean:
            return (self._made(expr)._replace(clean=clean),)
        if expr.object is None or self._is_own(expr.object):
            method = next((each for each in program.functions if each.name == name), None)
            if method is not None and calls < MAX_CALLS:
                return self._returned(method, expr, calls)
        if expr.object is None:
            return (self._made(expr),)
        if any(stem in lowered for stem in shared("deriving")):
            return (self._inert(expr),)
        made = self._from(expr, self.merged(expr, [expr.object], calls))
        return (made._replace(known=Known.MADE) if expr.args else made,)  # a getter gives a part, another makes

    def _with(self, pieces: Pieces, clean: frozenset[str]) -> Pieces:
        if not clean:
            return pieces
        return tuple(piece if isinstance(piece, str) else piece._replace(clean=piece.clean | clean) for piece in pieces)

    def _cleaned(self, expr: Expr, lowered: str) -> frozenset[str]:
        """The weaknesses for which a call makes its argument safe: by the table, or by the stem of its name."""
        told = {name for name, each in self.table.cleans.get(expr.text, ()) if matches(self.program, expr, each)}
        for _, value in expr.args[:2]:  # `array_map("intval", $ids)`
            name = value.parts[0].text if value.kind is Kind.TEXT and len(value.parts) == 1 else ""
            told |= {weakness for weakness, _ in self.table.cleans.get(name, ())}
            told |= _EVERYTHING if name in self.table.lists["inert"] else frozenset()
        for weakness in weaknesses().values():
            if any(stem in lowered for stem in weakness.cleaning):
                told.add(weakness.name)
        return frozenset(told)

    def _is_cleaner(self, expr: Expr) -> bool:
        """Whether the table says for what a function makes a value safe, so that for anything else it passes it on."""
        return any(matches(self.program, expr, each) for _, each in self.table.cleans.get(expr.text, ()))

    def _new(self, expr: Expr, calls: int) -> Iterable[Piece]:
        for each in self.table.lists["carries"].get(expr.text, ()):
            if matches(self.program, expr, each):
                return self._each(arguments(expr, each.given or ("0",)), calls)
        hole = self.merged(expr, [value for _, value in expr.args], calls)
        return (hole._replace(text=self._shown(expr), known=max(hole.known, Known.MADE)),)

    def _returned(self, function: Function, expr: Expr, calls: int) -> Iterable[Piece]:
        """What a function of the file returns for these arguments: a parameter counts as what is passed for it."""
        found: list[Pieces] = []
        passed = {function.params[n][0]: value for n, value in enumerate(expr.positional()) if n < len(function.params)}
        for node in self.program.returned(function):
            pieces = self.pieces(self.program.expr(node), calls + 1)
            found.append(tuple(self._substituted(pieces, passed, calls)))
        if not found:
            return (self._made(expr),)
        return found[0] if len(found) == 1 else self._either(expr, found)

    def _substituted(self, pieces: Pieces, passed: Mapping[str, Expr], calls: int) -> Iterator[Piece]:
        for piece in pieces:
            if isinstance(piece, Hole) and piece.text in passed and not piece.clean:
                yield from self.pieces(passed[piece.text], calls + 1)
            else:
                yield piece

    def _formatted(self, expr: Expr, row: Pattern, calls: int) -> Iterable[Piece]:
        """A format's text, with a value at each mark. The row's first place is the format; the values follow it."""
        places = row.given or ("0",)
        formats = arguments(expr, places[:1])
        if not formats:
            return (self._made(expr),)
        if len(places) > 1:
            values = arguments(expr, places[1:])
        else:
            after = int(places[0]) + 1 if places[0].isdecimal() else 0
            values = [value for _, value in expr.args[after:]]
        if len(values) == 1 and values[0].kind is Kind.LIST:
            values = list(values[0].parts)
        words = self.pieces(formats[0], calls)
        return self._fill(expr, words, values, calls)

    def _fill(self, expr: Expr, words: Pieces, values: list[Expr], calls: int) -> Iterator[Piece]:
        turn, filled = 0, False
        for piece in words:
            if isinstance(piece, Hole):
                yield piece
                continue
            marks = _PRINTF if "%" in piece and _PRINTF.search(piece) else _BRACES
            end = 0
            for mark in marks.finditer(piece):
                if mark.group() in ("%%", "{{", "}}", "%n"):
                    continue
                told = mark.group(1) or ""
                yield piece[end : mark.start()]
                end = mark.end()
                if marks is _BRACES and told and not told.isdecimal():
                    value = next((each for name, each in expr.args if name == told), None)
                    yield from self.pieces(value or Expr(Kind.NAME, expr.node, told), calls)
                    filled = True
                    continue
                place = int(told) if marks is _BRACES and told.isdecimal() and len(told) < 4 else turn
                turn += not (marks is _BRACES and told.isdecimal())
                filled = True
                if marks is _PRINTF and told in _NUMBERS:
                    yield "0"
                elif place < len(values):
                    yield from self.pieces(values[place], calls)
            yield piece[end:]
        if not filled:
            for value in values:
                yield from self.pieces(value, calls)

    def _is_checked(self, expr: Expr) -> bool:
        """Whether the function around a name checks it: `in_array($name, …)`, `allowed.contains(name)`."""
        scope = self.program.scope_of(expr.start, expr.end)
        return (scope, self._target(expr)) in self._checked

    @property
    def _checked(self) -> set[tuple[int, str]]:
        known: set[tuple[int, str]] | None = self.program.cache.get("checked")
        if known is None:
            known = self.program.cache["checked"] = set(self._checked_names())
        return known

    def _checked_names(self) -> Iterator[tuple[int, str]]:
        stems, rows = shared("checks"), self.table.lists["checks"]
        for call in calls_of(self.program):
            lowered = call.text.lower()
            if any(stem in lowered for stem in stems) or any(
                matches(self.program, call, each) for each in rows.get(call.text, ())
            ):
                scope = self.program.scope_of(call.start, call.end)
                values = [value for _, value in call.args]
                if call.object is not None and type_of(self.program, call.object)[:1].islower() is False:
                    values.append(call.object)
                yield from ((scope, name) for value in values if (name := self._target(value)))


_CALLS = ("call", "macro", "new")


def calls_of(program: Program) -> list[Expr]:
    """Every call and construction, in the order of the text."""
    known: list[Expr] | None = program.cache.get("calls")
    if known is None:
        nodes = sorted((node for role in _CALLS for node in program.nodes[role]), key=lambda node: node.start_byte)
        known = program.cache["calls"] = [program.expr(node) for node in nodes]
        for call in known:
            _with_own_name(program, call)
    return known


def _with_own_name(program: Program, call: Expr) -> None:
    """Gives a function that is imported under another name its own."""
    module, name = program.imports.get(call.text, ("", "")) if call.object is None else ("", "")
    if module and name and name != call.text:
        program.imports.setdefault(name, (module, name))
        call.text = name


def words_near(program: Program, expr: Expr, after: int = 0) -> frozenset[str]:
    """The words of the names in the statement around an expression and in the name of its function; `after` is how many
    characters of the function that follow count as well."""
    scope = program.scope_of(expr.start, expr.end)
    ends = program.functions[scope].node.end_byte if scope >= 0 else len(program.source)
    following = program.source[expr.end : min(ends, expr.end + after)].decode("utf-8", "replace")
    name = ""
    while scope >= 0 and not name:
        name = program.functions[scope].name
        scope = program.around(scope)
    return frozenset((*words_of(program.near(expr.node)), *words_of(following), *words_of(name)))
