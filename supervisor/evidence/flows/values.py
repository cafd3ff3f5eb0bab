"""Where a value comes from: the pieces of a text, followed back through names, joins, formats and the file's functions.

Only operations that certainly pass a text on are followed: another function may check its argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node

from supervisor.evidence.flows.bindings import MAX_SOURCE, Bindings
from supervisor.evidence.flows.calls import calls_by_name
from supervisor.evidence.flows.clients import Clients
from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.formats import Mark, marked
from supervisor.evidence.flows.patterns import Pattern, arguments, matches
from supervisor.evidence.flows.pieces import EVERYTHING, FIXED, Hole, Known, Piece, Pieces, with_clean
from supervisor.evidence.flows.program import MAX_BINDINGS, Binding, Function, Program, words_of
from supervisor.evidence.flows.shown import NOTHING, Shown
from supervisor.evidence.flows.table import Table, only_remote, shared, weaknesses

MAX_PIECES = 200  # of one text
MAX_CALLS = 3  # functions of the file through which a value is followed
MAX_DEPTH = 40  # values through which one value is followed

_KEY = re.compile(rb"[\w$@.>-]+\[\s*(['\"])([^'\"\\]*)\1\s*\]\s*=")


class Values:
    """The values of one program."""

    def __init__(self, program: Program, table: Table, shown: Shown = NOTHING) -> None:
        self.program = program
        self.table = table
        self.shown = shown
        self.bindings = Bindings(program, table)
        self.clients = Clients(program, table, shown)
        self._known: dict[Expr, Pieces] = {}
        self._under_way: set[Expr] = set()
        self._passed: dict[tuple[int, int], Hole | Pieces | None] = {}

    def pieces(self, expr: Expr, calls: int = 0) -> Pieces:
        """The pieces of a text: literal text, and the values in it."""
        known = self._known.get(expr)
        if known is not None:
            return known
        if expr in self._under_way or len(self._under_way) > MAX_DEPTH:
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
        known = self.bindings.values_of(expr.text, expr) if expr.kind is Kind.NAME else []
        return self.program.expr(known[0].value) if known else None

    def merged(self, expr: Expr, parts: Iterable[Expr], calls: int = 0) -> Hole:
        """One value that may be or hold any of these."""
        holes = [hole for part in parts for hole in self.pieces(part, calls) if isinstance(hole, Hole)]
        return self._merge(expr, holes)

    def _merge(self, expr: Expr, holes: Sequence[Hole]) -> Hole:
        if not holes:
            return FIXED
        most = max(hole.known for hole in holes)
        told = [hole for hole in holes if hole.source] or [hole for hole in holes if hole.known is most]
        clean = frozenset.intersection(*(hole.clean for hole in told))
        return Hole(self._shown(expr), told[0].source, most, clean)

    def _shown(self, expr: Expr) -> str:
        return (expr.text if expr.kind is Kind.NAME else self.program.text(expr.node))[:MAX_SOURCE]

    def _given(self, expr: Expr) -> Hole:
        return Hole(self._shown(expr), None, Known.GIVEN)

    def _made(self, expr: Expr) -> Hole:
        return Hole(self._shown(expr), None, Known.MADE)

    def _inert(self, expr: Expr) -> Hole:
        return Hole(self._shown(expr), None, Known.FIXED, EVERYTHING)

    def _from(self, expr: Expr, owner: Hole) -> Hole:
        """A part of a value, or what a method makes of it."""
        known = max(owner.known, Known.MADE)
        return Hole(self._shown(expr), owner.source, known, owner.clean if owner.source else frozenset())

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
        return Hole(self._shown(expr), self._shown(expr), Known.GIVEN, frozenset(clean))

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
            bound = self.bindings.values_of(f"{owner[0].text}[]", expr)
            told = self.text(key)
            same = [each for each in bound if told is None or self._key_of(each) in (None, told)]
            if same:
                return (self.merged(expr, [self.program.expr(each.value) for each in same], calls),)
            if bound:
                return (self._made(expr),)
        found = self._from(expr, self.merged(expr, owner, calls))
        if owner and not set(shared("settings")).isdisjoint(words_of(owner[0].text)):
            return (found._replace(known=Known.MADE),)
        return (found,)

    def _key_of(self, bound: Binding) -> str | None:
        """The key that is given a value, as in `row["name"] = value`; None if the code does not fix it."""
        found = _KEY.match(self.program.source, bound.at, bound.at + MAX_SOURCE)
        return found[2].decode("utf-8", "replace") if found is not None else None

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
        if self.bindings.is_checked(expr) or name in self.table.sets["inert_names"]:
            return (self._inert(expr),)
        if name in self.program.language.selves:
            return (self._made(expr),)
        bound = self.bindings.values_of(name, expr)
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
        if bound.value.id in self.bindings.filled:
            return self.bindings.filled[bound.value.id]
        if bound.value.id in self.bindings.formats:
            return self.formatted(*self.bindings.formats[bound.value.id])
        return self.pieces(self.program.expr(bound.value), calls)

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
        method = program.function_named(bare)
        if method is not None and not method.params and calls < MAX_CALLS:
            return self._returned(method, expr, calls)
        if name in self.shown.names and program.scope_of(expr.start, expr.end) < 0:  # of a function around the fragment
            return (Hole(self._shown(expr), name, Known.GIVEN),)
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
        if self.clients.sets_parameter(function, place, kind, node):
            name = function.params[place][0]
            return (Hole(self._shown(expr), name, Known.GIVEN),)
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
        for call in calls_by_name(self.program).get(function.name, ()):
            if call.object is None or self._is_own(call.object):
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
                return with_clean(found, clean)
        if self._is_cleaner(expr):
            hole = self.merged(expr, [*expr.parts, *(value for _, value in expr.args)], calls)
            return (hole._replace(clean=hole.clean | clean),)
        if clean:
            return (self._made(expr)._replace(clean=clean),)
        if expr.object is None or self._is_own(expr.object):
            method = program.function_named(name)
            if method is not None and calls < MAX_CALLS:
                return self._returned(method, expr, calls)
        if expr.object is None:
            return (self._made(expr),)
        if any(stem in lowered for stem in shared("deriving")):
            return (self._inert(expr),)
        made = self._from(expr, self.merged(expr, [expr.object], calls))
        return (made._replace(known=Known.MADE) if expr.args else made,)  # a getter gives a part, another makes

    def _cleaned(self, expr: Expr, lowered: str) -> frozenset[str]:
        """The weaknesses for which a call makes its argument safe: by the table, or by the stem of its name."""
        told = {name for name, each in self.table.cleans.get(expr.text, ()) if matches(self.program, expr, each)}
        for _, value in expr.args[:2]:  # `array_map("intval", $ids)`
            name = value.parts[0].text if value.kind is Kind.TEXT and len(value.parts) == 1 else ""
            told |= {weakness for weakness, _ in self.table.cleans.get(name, ())}
            told |= EVERYTHING if name in self.table.lists["inert"] else frozenset()
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
        return self._filled(expr, self.pieces(formats[0], calls), values, calls)

    def _filled(self, expr: Expr, words: Pieces, values: list[Expr], calls: int) -> Iterator[Piece]:
        filled = False
        for piece in words:
            for part in marked(piece) if isinstance(piece, str) else (piece,):
                if not isinstance(part, Mark):
                    yield part
                    continue
                filled = True
                if part.name:
                    value = next((each for name, each in expr.args if name == part.name), None)
                    yield from self.pieces(value or Expr(Kind.NAME, expr.node, part.name), calls)
                elif part.is_inert:
                    yield "0"
                elif part.place < len(values):
                    yield from self.pieces(values[part.place], calls)
        if not filled:
            yield from self._each(values, calls)
