"""What a program does wrong: values that arrive where they must not, and settings that are a weakness by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.flows.calls import call_of
from supervisor.evidence.flows.conditions import Surroundings
from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.judges import OF_TEXTS, judged
from supervisor.evidence.flows.patterns import arguments, matches
from supervisor.evidence.flows.pieces import Pieces, words
from supervisor.evidence.flows.places import (
    CALLS,
    Climb,
    Place,
    calls_in,
    climbs,
    is_part,
    name_of,
    place_of,
    printed,
    value_of,
)
from supervisor.evidence.flows.program import Program, words_of
from supervisor.evidence.flows.receivers import takes_statements
from supervisor.evidence.flows.shown import NOTHING, Shown
from supervisor.evidence.flows.statements import built, compared, loose
from supervisor.evidence.flows.table import Fault, Sink, Table, weaknesses
from supervisor.evidence.flows.values import Values

MAX_HITS = 20  # of one weakness
MAX_SHOWN = 160  # characters of a sink
MAX_VALUE = 80  # characters of a value
_MOST_ATTRIBUTES = 6  # before one item

_LAST = re.compile(r"[.>:\[\s]")


class Hit(NamedTuple):
    """One weakness: the sink or setting as written, the value that arrives there, and the client's value in it. A
    `slight` one is for a person to look at."""

    weakness: str
    sink: str
    value: str = ""
    source: str = ""
    slight: bool = False


Found = Mapping[str, tuple[Hit, ...]]


class Judge:
    """The weaknesses of one program."""

    def __init__(self, program: Program, table: Table, shown: Shown = NOTHING) -> None:
        self.program = program
        self.table = table
        self.values = Values(program, table, shown)
        self.surroundings = Surroundings(self.values)

    def hits(self, places: Iterable[int]) -> Iterator[Hit]:
        """Every weakness that the action adds; `places` are those of the names that a row is about."""
        seen: set[int] = set()
        for at, climb in climbs(self.program, places):
            place = place_of(self.program, at, climb)
            if place is None:
                yield from self._returned(climb, seen)
            elif place.node.id not in seen:
                seen.add(place.node.id)
                found = self._of_place(place)
                yield from (hit for hit in found if not self._is_of_test(hit, place))
        for macro in self.program.nodes["macro"] if self.program.language.macros else ():
            for call in calls_in(self.program.expr(macro)):
                yield from self._of_call(call, Place(macro, ()))
        for expr, hole in built(self.values, self.table.sets["interpolates"]):
            yield Hit("sql", self._shown(expr), hole.text[:MAX_VALUE], (hole.source or hole.text)[:MAX_VALUE])
        for expr in loose(self.values, self.table.sets["loose"]):
            yield Hit("loose", self._shown(expr))
        for expr, text in compared(self.values):
            yield Hit("password", self._shown(expr), text[:MAX_VALUE])

    def _returned(self, climb: Climb, seen: set[int]) -> Iterator[Hit]:
        """What a function returns, if that has a meaning for who calls it: `return "redirect:" + target`."""
        node = next((node for node in climb if self.program.role_of(node) in ("return", "block", "body")), None)
        if node is None or self.program.role_of(node) != "return" or node.id in seen or not self.program.is_new(node):
            return
        seen.add(node.id)
        for child in node.named_children[:1]:
            value, whole = self.program.expr(child), self.program.expr(node)
            for row in self.table.returns:
                yield from self._judged(row, whole, self.values.pieces(value))

    def _is_of_test(self, hit: Hit, place: Place) -> bool:
        """Whether a setting stands in what is compiled for tests alone."""
        tests = self.table.sets["tests"]
        if not tests or weaknesses()[hit.weakness].judge not in ("any", "secret", "setting"):
            return False
        attributes = (each for node in place.outer for each in self._attributes(node))
        return any(text.strip("#[]! \n") in tests for text in attributes)

    def _attributes(self, node: Node) -> Iterator[str]:
        before = node.prev_named_sibling
        for _ in range(_MOST_ATTRIBUTES):
            if before is None or "attribute" not in before.type:
                return
            yield self.program.text(before)
            before = before.prev_named_sibling

    def _of_place(self, place: Place) -> Iterator[Hit]:
        role = self.program.shape(place.node).role
        if role in CALLS:
            yield from self._of_call(call_of(self.program, place.node), place)
        elif role == "opens":
            call = printed(self.program, place)
            yield from self._of_call(call, place) if call is not None else ()
        elif role == "function":
            yield from self._defined(place)
        elif role == "annotation":
            yield from self._annotated(place)
        else:
            yield from self._assigned(place)

    def _of_call(self, call: Expr, place: Place) -> Iterator[Hit]:
        for row in self.table.sinks.get(call.text, ()):
            is_one = row.pattern.form in ("", "new") and matches(self.program, call, row.pattern)
            if is_one and self.surroundings.has(call, row.when) and self.program.is_new(call.node):
                yield from self._arrived(row, call)
        for fault in self.table.faults.get(call.text, ()):
            if fault.pattern.form in ("", "new") and matches(self.program, call, fault.pattern):
                holds = self.surroundings.has(call, fault.when) and self.surroundings.stands(fault, place)
                if holds and not (fault.missing and arguments(call, (fault.missing,))):
                    yield self._fault(fault, call)

    def _arrived(self, row: Sink, call: Expr) -> Iterator[Hit]:
        """The weakness of a call for each of its arguments that a row is about."""
        given = row.pattern.given or ("0",)
        if given[0].startswith("format"):
            place = given[0].removeprefix("format") or "0"
            yield from self._judged(row, call, self.values.formatted(call, place))
            return
        for value in arguments(call, given):
            yield from self._of_value(row, call, value)

    def _of_value(self, row: Sink, sink: Expr, value: Expr) -> Iterator[Hit]:
        if value.kind is not Kind.LIST or self._judge(row) not in OF_TEXTS:
            yield from self._judged(row, sink, self.values.pieces(value))

    def _judge(self, row: Sink) -> str:
        return row.judge or weaknesses()[row.weakness].judge

    def _judged(self, row: Sink, sink: Expr, pieces: Pieces) -> Iterator[Hit]:
        if row.after is not None:
            first = row.after.match(pieces[0]) if pieces and isinstance(pieces[0], str) else None
            if first is None:
                return
            pieces = (first.string[first.end() :], *pieces[1:])
        hole = judged(self._judge(row), pieces, row.weakness)
        if hole is not None and self._is_alone(row, pieces) and not takes_statements(self.values, sink):
            return
        if hole is not None and self.surroundings.is_among(row.far, row.needs):
            source = hole.source or hole.text
            yield Hit(row.weakness, self._shown(sink), hole.text[:MAX_VALUE], source[:MAX_VALUE])

    def _is_alone(self, row: Sink, pieces: Pieces) -> bool:
        """Whether a value is all of a text that any object's method gets, so that only the object tells what it is."""
        return row.weakness == "sql" and row.pattern.head is None and not words(pieces).strip()

    def _fault(self, fault: Fault, expr: Expr) -> Hit:
        return Hit(fault.weakness, self._shown(expr), slight=fault.slight)

    def _shown(self, expr: Expr) -> str:
        text = " ".join(self.program.text(expr.node).split())
        return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"

    def _assigned(self, place: Place) -> Iterator[Hit]:
        """What is assigned to a member or a key, or given as a field or option."""
        program, node = self.program, place.node
        shape = program.shape(node)
        left, right = name_of(node, shape), value_of(node, shape)
        if left is None or right is None or (shape.role != "pair" and not is_part(program, place, left)):
            return
        name = _LAST.split(program.text(left)[-MAX_VALUE:].strip("\"'`]: "))[-1].strip("\"'`:$@")
        owner, value, whole = program.expr(left).object, program.expr(right), program.expr(node)
        for row in self.table.sinks.get(name, ()):
            if row.pattern.form == "set" and program.is_new(node) and _is_of(owner, row.pattern.head):
                yield from self._of_value(row, whole, value)
        for fault in self.table.faults.get(name, ()):
            if fault.pattern.form == "set" and _is_of(owner, fault.pattern.head):
                like = all(self.surroundings.is_like(value, condition) for condition in fault.when)
                if like and self.surroundings.stands(fault, place):
                    yield self._fault(fault, whole)

    def _defined(self, place: Place) -> Iterator[Hit]:
        """A function that checks nothing: an empty body, or one that only returns true."""
        node = place.node
        shape = self.program.shape(node)
        named, body = shape.part(node, "name"), shape.part(node, "body")
        if named is None or body is None:
            return
        told, expr = self.program.reader.summary(body), self.program.expr(node)
        for fault in self.table.faults.get(self.program.text(named), ()):
            like = fault.pattern.form == "def" and all(each.wanted.search(told) for each in fault.when)
            if like and self.surroundings.stands(fault, place):
                yield self._fault(fault, expr)

    def _annotated(self, place: Place) -> Iterator[Hit]:
        text, expr = self.program.text(place.node), Expr(Kind.UNKNOWN, place.node)
        name = re.match(r"\W{0,4}(\w+)", text)
        for fault in self.table.faults.get(name[1], ()) if name is not None else ():
            like = not fault.pattern.form and all(each.wanted.search(text[:400]) for each in fault.when)
            if like and self.surroundings.stands(fault, place):
                yield self._fault(fault, expr)


def _is_of(owner: Expr | None, head: tuple[str, ...] | None) -> bool:
    """Whether what is assigned belongs to an object of this name."""
    return not head or (owner is not None and words_of(owner.text)[-len(head) :] == head)
