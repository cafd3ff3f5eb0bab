"""The calls of a program, and the words around a place."""

from __future__ import annotations

from tree_sitter import Node

from supervisor.evidence.flows.expressions import Expr
from supervisor.evidence.flows.program import Program, words_of

MAX_NEAR = 120  # characters on each side of a place, in its statement

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


def calls_by_name(program: Program) -> dict[str, list[Expr]]:
    """The calls by the name of what they call."""
    known: dict[str, list[Expr]] | None = program.cache.get("named")
    if known is None:
        known = program.cache["named"] = {}
        for call in calls_of(program):
            known.setdefault(call.text, []).append(call)
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


def words_near(program: Program, node: Node, statement: Node, after: int = 0) -> frozenset[str]:
    """The words of the names around a node in its statement, and in the name of its function; `after` is how many
    characters of the function that follow count as well."""
    scope = program.scope_of(node.start_byte, node.end_byte)
    ends = program.functions[scope].node.end_byte if scope >= 0 else len(program.source)
    start = max(statement.start_byte, node.start_byte - MAX_NEAR)
    end = max(min(statement.end_byte, node.end_byte + MAX_NEAR), min(ends, node.end_byte + after))
    name = ""
    while scope >= 0 and not name:
        name = program.functions[scope].name
        scope = program.around(scope)
    return frozenset((*words_of(program.source[start:end].decode("utf-8", "replace")), *words_of(name)))
