"""The places of a program that rows are about: what a name in the text is the name of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.grammar import Shape
from supervisor.evidence.flows.program import Program

MAX_CLIMB = 24  # levels around a place
CALLS = frozenset({"call", "constructs", "macro", "new"})

_PLACES = CALLS | {"annotation", "assign", "declare", "function", "opens", "pair"}
_STOPS = frozenset({"block", "body"})
_ENDS = _STOPS | {"function"}  # what is around a statement

Climb = Sequence[Node]  # the named nodes around a place, from the innermost one


def climbs(program: Program, places: Iterable[int]) -> Iterator[tuple[int, Climb]]:
    """The nodes around each place, in the order of the text. One walk for all of them: a node's parent is sought from
    the root, which takes quadratic time in a deep tree."""
    cursor = program.root.walk()
    stack = [program.root]
    for at in sorted(set(places)):
        while at >= stack[-1].end_byte:
            if cursor.goto_next_sibling():
                stack[-1] = cursor.node or stack[-1]
            elif cursor.goto_parent():
                stack.pop()
                if at < stack[-1].end_byte:
                    break  # it is behind all children
            else:
                return
        else:
            while stack[-1].start_byte <= at and cursor.goto_first_child():
                stack.append(cursor.node or stack[-1])
                while at >= stack[-1].end_byte and cursor.goto_next_sibling():
                    stack[-1] = cursor.node or stack[-1]
                if at >= stack[-1].end_byte:
                    break
        inside = (node for node in reversed(stack) if node.is_named and node.start_byte <= at < node.end_byte)
        yield at, [node for node, _ in zip(inside, range(MAX_CLIMB), strict=False)]


class Place(NamedTuple):
    """A call, assignment, option, function or annotation that a name is the name of, and what is around it."""

    node: Node
    outer: Climb


def place_of(program: Program, at: int, climb: Climb) -> Place | None:
    """What the name at a place is the name of."""
    for level, node in enumerate(climb):
        shape = program.shape_of(node)
        if shape is None:
            continue
        if shape.role in _STOPS:
            return None
        outer = climb[level + 1 :]
        if shape.role in _PLACES and _is_named(node, shape, at) and not _is_target(program, node, outer):
            return Place(node, outer)
    return None


def _is_named(node: Node, shape: Shape, at: int) -> bool:
    """Whether what stands at a place is the name of a node, not one of its arguments."""
    if "fixed" in shape.places:
        return True
    if shape.role in ("call", "macro", "new"):
        named, given = shape.part(node, "name"), shape.part(node, "args")
        begins = given.start_byte if given is not None else node.end_byte
        return (named is not None and named.start_byte <= at < named.end_byte) or node.start_byte <= at < begins
    part = shape.part(node, "type") if shape.role == "constructs" else name_of(node, shape)
    return part is None or part.start_byte <= at < part.end_byte


def name_of(node: Node, shape: Shape) -> Node | None:
    """What an assignment, an option or a function names."""
    parts = (shape.part(node, name) for name in ("left", "key", "name"))
    return next((part for part in parts if part is not None), None)


def value_of(node: Node, shape: Shape) -> Node | None:
    """What an assignment or an option gives."""
    return shape.part(node, "right") or shape.part(node, "value")


def _is_target(program: Program, node: Node, outer: Climb) -> bool:
    """Whether a call is what is assigned, as in `http.verify_mode = value` of Ruby."""
    shape = program.shape_of(outer[0]) if outer else None
    return shape is not None and shape.role == "assign" and name_of(outer[0], shape) == node


def is_part(program: Program, place: Place, left: Node) -> bool:
    """Whether what is assigned is a part of an object: a member, a key, a field that fills a new object."""
    if program.language.implicit and program.shape(place.node).role == "assign":
        return True
    shape, outer = program.shape_of(left), program.shape_of(place.outer[0]) if place.outer else None
    fills = outer is not None and outer.role == "list"
    return fills or (shape is not None and shape.role in ("member", "index", "call"))


def statement_of(program: Program, place: Place) -> Node:
    """The statement around a place."""
    here = place.node
    for node in place.outer:
        shape = program.shape_of(node)
        if (shape is not None and shape.role in _ENDS) or node == program.root:
            break
        here = node
    return here


def printed(program: Program, place: Place) -> Expr | None:
    """`<?= $value ?>`: a call of the tag with what follows it; None if nothing does."""
    following = next(filter(None, (node.next_named_sibling for node in (place.node, *place.outer[:1]))), None)
    if following is None:
        return None
    name = program.shape(place.node).places["fixed"]
    return Expr(Kind.CALL, following, name, (), (("", program.expr(following)),))


def calls_in(macro: Expr) -> Iterator[Expr]:
    """The calls among the arguments of a macro, whose tokens are no nodes of calls."""
    pending = [value for _, value in macro.args]
    while pending:
        expr = pending.pop()
        if expr.kind is Kind.CALL:
            yield expr
        pending.extend((*expr.parts, *(value for _, value in expr.args)))
