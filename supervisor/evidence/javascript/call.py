"""One call in JavaScript: its qualified name and its arguments."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from tree_sitter import Node

from supervisor.evidence.reading.syntax_trees import WrittenCall

if TYPE_CHECKING:
    from supervisor.evidence.javascript.programs import Program


class Call(WrittenCall["Program"]):
    """One call. `name` is qualified through what the code loads, or as written where that does not tell."""

    def __init__(self, program: Program, node: Node) -> None:
        function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        super().__init__(program, node, program.name_of(function) if function is not None else "?")

    @functools.cached_property
    def arguments(self) -> tuple[Node, ...]:
        """The arguments before any `...`: after it, places are not known."""
        given = self.node.child_by_field_name("arguments")
        found: list[Node] = []
        for each in given.named_children if given is not None and given.type == "arguments" else ():  # of no tag`…`
            if each.type == "spread_element":
                break
            if each.type != "comment":
                found.append(each)
        return tuple(found)

    def argument(self, place: int) -> Node | None:
        """The argument at a place."""
        return self.arguments[place] if place < len(self.arguments) else None

    def option(self, place: int, name: str) -> Node | None:
        """The value of an option, where an argument is an object literal."""
        node = self.argument(place)
        for pair in node.named_children if node is not None and node.type == "object" else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None and self.code.text(key).strip("'\"") == name:
                return value
        return None

    def says(self, place: int, option: str) -> bool:
        """Whether an argument is an object literal that sets this option to true."""
        value = self.option(place, option)
        return value is not None and value.type == "true"
