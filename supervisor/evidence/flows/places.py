"""The places of a program that rows are about: what a name in the text is the name of."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from supervisor.evidence.flows.expressions import Expr, Kind
from supervisor.evidence.flows.grammar import Shape
from supervisor.evidence.flows.program import Program

MAX_CLIMB = 12  # levels from a name to what it names
CALLS = frozenset({"call", "constructs", "macro", "new"})

_ASSIGNED = frozenset({"assign", "declare", "pair"})
_PLACES = CALLS | _ASSIGNED | {"annotation", "function", "opens"}
_STOPS = frozenset({"block", "body"})


def place_of(program: Program, at: int) -> Node | None:
    """The call, assignment, option, function or annotation that the name at a place is the name of."""
    for node, shape in around(program, at):
        if shape.role in _PLACES and _is_named(node, shape, at) and not _is_target(program, node):
            return node
    return None


def around(program: Program, at: int) -> Iterator[tuple[Node, Shape]]:
    """The nodes around a place within its statement, from the innermost one, as far as they have a shape."""
    node = program.leaf(at)
    for _ in range(MAX_CLIMB):
        shape = program.shape_of(node)
        if node is None or (shape is not None and shape.role in _STOPS):
            return
        if shape is not None:
            yield node, shape
        node = node.parent


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


def _is_target(program: Program, node: Node) -> bool:
    """Whether a call is what is assigned, as in `http.verify_mode = value` of Ruby."""
    shape = program.shape_of(node.parent)
    return (
        node.parent is not None and shape is not None and shape.role == "assign" and name_of(node.parent, shape) == node
    )


def is_part(program: Program, node: Node, left: Node) -> bool:
    """Whether what is assigned is a part of an object: a member, a key, a field that fills a new object."""
    if program.language.implicit and program.shape(node).role == "assign":
        return True
    shape, outer = program.shape_of(left), program.shape_of(node.parent)
    fills = outer is not None and outer.role == "list"
    return fills or (shape is not None and shape.role in ("member", "index", "call"))


def printed(program: Program, tag: Node) -> Expr | None:
    """`<?= $value ?>`: a call of the tag with what follows it; None if nothing does."""
    following = tag.next_named_sibling or (tag.parent.next_named_sibling if tag.parent is not None else None)
    if following is None:
        return None
    name = program.shape(tag).places["fixed"]
    return Expr(Kind.CALL, following, name, (), (("", program.expr(following)),))


def calls_in(macro: Expr) -> Iterator[Expr]:
    """The calls among the arguments of a macro, whose tokens are no nodes of calls."""
    pending = [value for _, value in macro.args]
    while pending:
        expr = pending.pop()
        if expr.kind is Kind.CALL:
            yield expr
        pending.extend((*expr.parts, *(value for _, value in expr.args)))
