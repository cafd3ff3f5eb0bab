"""The values of names: what is assigned to them, what calls add or fill them with; which of them are checked."""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterator

from tree_sitter import Node

from supervisor.evidence.flows.calls import calls_of
from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.patterns import Pattern, arguments, matches, type_of
from supervisor.evidence.flows.pieces import Hole, Known, Pieces
from supervisor.evidence.flows.program import MAX_BINDINGS, Binding, Program
from supervisor.evidence.flows.table import Table, only_remote, shared

MAX_SOURCE = 120  # characters of a source that are shown


Named = tuple[int, str, Binding]  # the function in which a name has a value, the name, the value


def _is_shift(program: Program, node: Node | None) -> bool:
    """Whether a node is `a << b`."""
    shape = program.shape_of(node)
    if node is None or shape is None or shape.role != "binary":
        return False
    operator = shape.part(node, "operator")
    return operator is not None and operator.type == "<<"


class Bindings:
    """The values of the names of one program. `filled` are the pieces with which a call fills its argument, `formats`
    the calls that fill theirs with a format, and the place of the format; both by the node of the call."""

    def __init__(self, program: Program, table: Table) -> None:
        self.program = program
        self.table = table
        self.filled: dict[int, Pieces] = {}
        self.formats: dict[int, tuple[Expr, str]] = {}

    @functools.cached_property
    def _all(self) -> dict[tuple[int, str], list[Binding]]:
        """The values of names, with those that a call gives to its argument or adds to its object."""
        known = {key: list(values) for key, values in self.program.bindings.items()}
        changed = set()
        for scope, name, bound in self._from_calls():
            known.setdefault((scope, name), []).append(bound)
            changed.add((scope, name))
        for key in changed:
            known[key].sort(key=lambda each: each.at)
        return known

    def values_of(self, name: str, expr: Expr) -> list[Binding]:
        """The values that a name may have at a place, in the order of the text."""
        program = self.program
        scope = program.scope_of(expr.start, expr.end)
        here = scope
        while True:
            known = self._all.get((here, name))
            if known:
                return self._reaching(known, expr.start) if here == scope and here >= 0 else known[:MAX_BINDINGS]
            if here >= 0 and any(name == told for told, _, _ in program.functions[here].params):
                return []
            if here < 0:
                if name.startswith(("$", ".")) or name.endswith("]"):
                    return []
                return list(self._all.get((-1, f".{name}"), ()))[:MAX_BINDINGS]
            here = program.around(here)

    def _reaching(self, known: list[Binding], at: int) -> list[Binding]:
        """The values that are given before a place: from the last one on that is sure to be given, the newest ones."""
        end = bisect.bisect_left(known, at, key=lambda each: each.at)
        before = known[max(0, end - MAX_BINDINGS) : end]
        before = [each for each in before if not (each.value.start_byte <= at < each.value.end_byte)]
        for place in range(len(before) - 1, -1, -1):
            start, end = before[place].block
            if not before[place].adds and start <= at < end:
                return before[place:]
        return before

    def _from_calls(self) -> Iterator[Named]:
        program, lists = self.program, self.table.lists
        if program.language.shifts:
            yield from self._shifted()
        if not any(lists[name] for name in ("appends", "fills", "outputs", "local_outputs")):
            return
        for call in calls_of(program):
            node = call.node
            name = self.target(call.object) if call.object is not None and call.text in lists["appends"] else ""
            for _, value in call.args[:1] if name else ():
                yield self._scope_for(name, call), name, Binding(node.start_byte, (0, 0), True, value.node)
            for each in lists["fills"].get(call.text, ()):
                yield from self._given_to(call, each)
            for each in lists["outputs"].get(call.text, ()):
                yield from self._given_by(call, each, frozenset())
            for each in lists["local_outputs"].get(call.text, ()):
                yield from self._given_by(call, each, only_remote())

    def _shifted(self) -> Iterator[Named]:
        """`text << value` adds to a text or a stream."""
        seen: set[int] = set()  # the inner ones; a node's parent would be sought from the root
        for node in self.program.nodes["binary"]:
            if node.id not in seen and _is_shift(self.program, node):
                yield from self._added(node, seen)

    def _added(self, node: Node, seen: set[int]) -> Iterator[Named]:
        """The values in `text << a << b`, whose tree leans to the left."""
        program, added = self.program, list[Node]()
        here: Node | None = node
        while here is not None and _is_shift(program, here):
            seen.add(here.id)
            shape = program.shape(here)
            right = shape.part(here, "right")
            added.extend([right] if right is not None else [])
            here = shape.part(here, "left")
        if here is None:
            return
        owner = program.expr(here)
        name = self.target(owner)
        for value in reversed(added) if name else ():
            yield self._scope_for(name, owner), name, Binding(value.start_byte, (0, 0), True, value)

    def _scope_for(self, name: str, call: Expr) -> int:
        return -1 if name.startswith(".") else self.program.scope_of(call.start, call.end)

    def target(self, expr: Expr) -> str:
        if expr.kind is Kind.NAME:
            return f".{expr.text[1:]}" if expr.text[:1] == "@" else expr.text
        if expr.kind is Kind.MEMBER and expr.object is not None and self.program.is_self(expr.object):
            return f".{expr.text}"
        return ""

    def _given_to(self, call: Expr, row: Pattern) -> Iterator[Named]:
        """`strcpy(to, from)`: the last places of a row are what its first one is filled with."""
        if not matches(self.program, call, row) or len(row.given) < 2:
            return
        filled = arguments(call, row.given[:1])
        if row.given[1].startswith("format"):
            self.formats[call.node.id] = (call, row.given[1].removeprefix("format"))
            for name in filter(None, map(self.target, filled)):
                yield self._scope_for(name, call), name, Binding(call.node.start_byte, (0, 0), False, call.node)
            return
        values = arguments(call, row.given[1:])
        for target in filled:
            name = self.target(target)
            adds = "cat" in call.text or "append" in call.text
            for value in values[:4] if name else ():
                yield (
                    self._scope_for(name, call),
                    name,
                    Binding(call.node.start_byte, (0, 0), adds or len(values) > 1, value.node),
                )

    def _given_by(self, call: Expr, row: Pattern, clean: frozenset[str]) -> Iterator[Named]:
        """`fgets(line, …)`: the argument is filled from outside."""
        if not matches(self.program, call, row):
            return
        for target in arguments(call, row.given):
            name = self.target(target)
            if name:
                shown = self.program.text(call.node)[:MAX_SOURCE]
                self.filled[call.node.id] = (Hole(shown, shown, Known.GIVEN, clean),)
                yield self._scope_for(name, call), name, Binding(call.node.start_byte, (0, 0), False, call.node)

    def is_checked(self, expr: Expr) -> bool:
        """Whether the function around a name checks it: `in_array($name, …)`, `allowed.contains(name)`."""
        scope = self.program.scope_of(expr.start, expr.end)
        return (scope, self.target(expr)) in self._checked

    @functools.cached_property
    def _checked(self) -> frozenset[tuple[int, str]]:
        return frozenset(self._checked_names())

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
                yield from ((scope, name) for value in values if (name := self.target(value)))
