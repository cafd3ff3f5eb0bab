"""The calls of a program, and the words around a place."""

from __future__ import annotations

from tree_sitter import Node

from supervisor.evidence.flows.expressions import Expr
from supervisor.evidence.flows.program import Program, words_of

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


def call_of(program: Program, node: Node) -> Expr:
    """The call of a node, by the function's own name."""
    call = program.expr(node)
    if call.object is None and program.language.renames:
        _with_own_name(program, call)
    return call


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
