"""One call in Python code: its qualified name and its arguments."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tree_sitter import Node

from supervisor.evidence.reading.syntax_trees import WrittenCall

if TYPE_CHECKING:
    from supervisor.evidence.python.modules import Module


class Call(WrittenCall["Module"]):
    """One call. `name` is qualified through the imports (`yaml.load`), or as written where they do not tell."""

    def __init__(self, module: Module, node: Node) -> None:
        function = node.child_by_field_name("function")
        super().__init__(module, node, module.name_of(function) if function is not None else "?")

    @property
    def positional(self) -> tuple[Node, ...]:
        """The arguments before any `*`: after it, places are not known."""
        return self._arguments[0]

    @property
    def keywords(self) -> Mapping[str, Node]:
        """The keyword arguments by name."""
        return self._arguments[1]

    def argument(self, place: int, *names: str) -> Node | None:
        """The argument at a place, or by one of its names."""
        if place < len(self.positional):
            return self.positional[place]
        return next((self.keywords[name] for name in names if name in self.keywords), None)

    @functools.cached_property
    def _arguments(self) -> tuple[tuple[Node, ...], Mapping[str, Node]]:
        return _arguments(self.code, self.node)


def _arguments(module: Module, node: Node) -> tuple[tuple[Node, ...], Mapping[str, Node]]:
    positional: list[Node] = []
    keywords: dict[str, Node] = {}
    given = node.child_by_field_name("arguments")
    if given is None or given.type != "argument_list":  # f(x for x in y) has no list of them
        return (), keywords
    places_known = True
    for argument in given.named_children:
        if argument.type == "keyword_argument":
            name, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
            if name is not None and value is not None:
                keywords[module.text(name)] = value
        elif argument.type == "list_splat":
            places_known = False
        elif places_known and argument.type not in ("comment", "dictionary_splat", "ERROR"):
            positional.append(argument)
    return tuple(positional), keywords
