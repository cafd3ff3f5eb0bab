"""Tables of calls with a sensitive argument, and the texts that code builds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.modules import Call, Module
from supervisor.evidence.python.origins import Origin
from supervisor.evidence.python.templates import Template, template_of

MAX_BUILT = 400  # texts of one module


class Reached(NamedTuple):
    """A call, its sensitive argument, and the origin outside the code from which that takes its value."""

    call: Call
    value: Node
    source: str


class Sinks:
    """Calls by qualified name (`os.remove`) or by method of any object (`.execute`), each with its sensitive argument:
    the position, and the keywords of that argument."""

    def __init__(self, table: Mapping[str, tuple[int | str, ...]]) -> None:
        self._by_name = dict(table)
        self._methods = {name.rpartition(".")[2] for name in table}
        # A fragment shows no imports, so that its `send_file` may be Flask's.
        self._bare = {name.rpartition(".")[2]: given for name, given in table.items() if not name.startswith(".")}

    def calls(self, code: Module) -> Iterator[tuple[Call, Node]]:
        """The calls that the action adds, each with its sensitive argument."""
        for call in code.calls_of(self._methods):
            given = self._argument_spec(call)
            value = call.argument(given[0], *given[1:]) if given else None  # type: ignore[arg-type]  # the first is the position
            if value is not None and call.is_new:
                yield call, value

    def reached(self, code: Module, asked: Origin = Origin.REQUEST) -> Iterator[Reached]:
        """The calls whose sensitive argument comes from outside."""
        for call, value in self.calls(code):
            source = origin_of(code, value, asked)
            if source is not None:
                yield Reached(call, value, source)

    def _argument_spec(self, call: Call) -> tuple[int | str, ...]:
        head, _, last = call.name.rpartition(".")
        if not head and last in call.code.defined:
            return ()
        known = self._by_name.get(call.name)
        if known is None and head:
            known = self._by_name.get("." + last)
        if known is None and not head and not call.code.shows_imports:
            known = self._bare.get(last)
        return known or ()


def built_texts(code: Module) -> Iterator[tuple[Node, Template]]:
    """Every text that the code builds from literals and values, by its outermost expression."""
    texts: list[tuple[Node, Template]] | None = code.cache.get("built")
    if texts is None:
        texts = code.cache["built"] = [(node, template_of(code, node)) for node in _built_nodes(code)]
    return iter(texts)


def _built_nodes(code: Module) -> list[Node]:
    strings = [
        node for node in code.nodes("string") if b"f" in code.source[node.start_byte : node.start_byte + 2].lower()
    ]
    formats = [call.node for call in code.calls_of(["format"])]
    operators: dict[int, Node] = {}  # by start, which `a + b` shares with `a + b + c` around it
    for node in code.nodes("binary_operator"):
        operator = node.child_by_field_name("operator")
        if operator is not None and operator.type in ("+", "%"):
            operators.setdefault(node.start_byte, node)
    found = {node.id: node for node in (*strings, *formats, *operators.values())}
    return list(found.values())[:MAX_BUILT]
