"""A parsed JavaScript program: its calls by their qualified names, and the values of its names."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import tree_sitter_javascript
from tree_sitter import Language, Node, Tree

from supervisor.errors import Unreadable
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.syntax_trees import Parsers, WrittenCall, nodes_of, parse_in_steps

Value = Node  # an expression node
MAX_STEPS = 8_000
MAX_FOLLOWED = 30_000  # values of one program, over all queries
MAX_CLIMB = 24  # levels of nesting
MAX_STATEMENT = 400  # characters of the statement around a place
MAX_CHAIN = 12  # dots, calls and brackets in one name
_PARSERS = Parsers(Language(tree_sitter_javascript.language()))
_SHORT = 16 * 1024  # bytes of code whose tree is kept for the next reader
_WANTED = (
    *("assignment_expression", "call_expression", "import_statement", "new_expression", "pair", "variable_declarator"),
)
_WRAPS = frozenset({"await_expression", "parenthesized_expression"})
_LOADS = frozenset({"import", "require"})
_LONGEST_LOAD = max(map(len, _LOADS))  # a longer function expression is not decoded


class Call(WrittenCall["Program"]):
    """One call. `name` is qualified through the loaded modules, or as written if they do not resolve it."""

    def __init__(self, program: Program, node: Node) -> None:
        function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        super().__init__(program, node, program.name_of(function) if function is not None else "?")

    @functools.cached_property
    def arguments(self) -> tuple[Node, ...]:
        """The arguments before any `...`: positions after it are not known."""
        given = self.node.child_by_field_name("arguments")
        found: list[Node] = []
        for each in given.named_children if given is not None and given.type == "arguments" else ():  # not for tag`…`
            if each.type == "spread_element":
                break
            if each.type != "comment":
                found.append(each)
        return tuple(found)

    def argument(self, place: int) -> Node | None:
        """The argument at a position."""
        return self.arguments[place] if place < len(self.arguments) else None

    def option(self, place: int, name: str) -> Node | None:
        """The value of an option, if the argument is an object literal."""
        node = self.argument(place)
        for pair in node.named_children if node is not None and node.type == "object" else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None and self.code.text(key).strip("'\"") == name:
                return value
        return None

    def is_set(self, place: int, option: str) -> bool:
        """Whether an argument is an object literal that sets this option to true."""
        value = self.option(place, option)
        return value is not None and value.type == "true"


def _parsed(source: bytes) -> tuple[Tree, Mapping[str, Sequence[Node]]]:
    """The syntax tree of code, and its nodes of the kinds in _WANTED. Raises Unreadable."""
    tree = parse_in_steps(_PARSERS.own, source, MAX_STEPS)
    if tree is None:
        raise Unreadable(f"JavaScript that takes more than {MAX_STEPS:,} steps to parse")
    return tree, nodes_of(tree, _WANTED)


_parsed_once = functools.lru_cache(maxsize=4)(_parsed)  # several readers of an action read the same short code


class Program:
    """Code that has been parsed. `before` is the text that an edit replaces; text that it already contains is not new.

    Raises Unreadable if parsing takes more than MAX_STEPS.
    """

    def __init__(self, source: bytes, before: str = "") -> None:
        self.source = source
        self.before = before
        self._followed = 0
        self.cache: dict[str, Any] = {}  # results of other evidence about this program
        # The tree is kept, because nodes live as long as it.
        self._tree, self._nodes = _parsed_once(source) if len(source) <= _SHORT else _parsed(source)
        self.values = dict(self._assigned())
        self.aliases: dict[str, str] = {}
        self.aliases.update(self._imported())
        for name, value in self._loaded():  # in order: one may depend on the one before
            self.aliases[name] = value

    @functools.cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call, in the order of the text."""
        return tuple(Call(self, node) for node in self._nodes["call_expression"])

    def index(self) -> Program:
        """Names all calls now, since every query needs them.

        If that takes too long, the deadline cuts off this reader once, and not each specialist that calls it.
        """
        _ = self.calls, self.constructions
        return self

    @functools.cached_property
    def constructions(self) -> tuple[Call, ...]:
        """Every `new Name(…)`, in the order of the text."""
        return tuple(Call(self, node) for node in self._nodes["new_expression"])

    @functools.cached_property
    def assignments(self) -> tuple[tuple[str, Node], ...]:
        """Every assigned member or name, by its qualified name, with its value."""
        found = ((_part(node, "left"), _part(node, "right")) for node in self._nodes["assignment_expression"])
        return tuple((self.name_of(left), right) for left, right in found if left and right)

    @functools.cached_property
    def options(self) -> tuple[tuple[str, Node], ...]:
        """Every `name: value` of every object, with its value."""
        found = ((_part(node, "key"), _part(node, "value")) for node in self._nodes["pair"])
        return tuple((self.text(key).strip("'\""), value) for key, value in found if key and value)

    def follow(self) -> None:
        """Counts one value that a query follows. Raises Unreadable beyond MAX_FOLLOWED."""
        self._followed += 1
        if self._followed > MAX_FOLLOWED:
            raise Unreadable(f"JavaScript in which more than {MAX_FOLLOWED:,} values would have to be followed")

    def is_new(self, node: Node) -> bool:
        """Whether the action adds this text, and the replaced text does not already contain it."""
        return not self.before or self.text(node) not in self.before

    def statement_of(self, node: Node) -> str:
        """The beginning of the statement around a node, as written."""
        here = node
        for _ in range(MAX_CLIMB):
            if here.parent is None or here.type.endswith(("_statement", "_declaration", "_definition")):
                break
            here = here.parent
        return self.text(here)[:MAX_STATEMENT]

    def text(self, node: Node) -> str:
        """A node as written."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def string(self, node: Node) -> str:
        """The inside of a string literal."""
        text = self.text(node)[1:-1]
        return ansi_c(text) if "\\" in text else text

    def name_of(self, node: Node) -> str:
        """The qualified name of `a.b.c`: `fs.rmSync` for `require("node:fs").rmSync`; a call in it reads `a().b`."""
        parts: list[str] = []
        here: Node | None = node
        for _ in range(MAX_CHAIN):
            if here is None or here.type in ("identifier", "import"):
                break
            if here.type in _WRAPS:
                here = here.named_children[0] if here.named_children else None
            elif here.type in ("member_expression", "subscript_expression"):
                parts.append("." + self._member(here))
                here = here.child_by_field_name("object")
            elif here.type == "call_expression":
                if (module := self._module(here)) is not None:
                    return module + "".join(reversed(parts))
                parts.append("()")
                here = here.child_by_field_name("function")
            elif here.type == "new_expression":
                parts.append("()")
                here = here.child_by_field_name("constructor")
            else:
                return "?" + "".join(reversed(parts))
        head = self.text(here) if here is not None else "?"
        return self.aliases.get(head, head) + "".join(reversed(parts))

    def _member(self, node: Node) -> str:
        name = node.child_by_field_name("property")
        if name is not None:
            return self.text(name)
        index = node.child_by_field_name("index")
        return self.string(index) if index is not None and index.type == "string" else "?"

    def _module(self, call: Node) -> str | None:
        """The module that `require("x")` or `import("x")` loads."""
        function, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or given is None or function.end_byte - function.start_byte > _LONGEST_LOAD:
            return None
        if self.text(function) not in _LOADS:
            return None
        first = next((each for each in given.named_children if each.type == "string"), None)
        return _qualified(self.string(first)) if first is not None else None

    def _assigned(self) -> Iterator[tuple[str, Node]]:
        """The values of each variable, in order; the last one counts."""
        for node in (*self._nodes["variable_declarator"], *self._nodes["assignment_expression"]):
            name = node.child_by_field_name("name") or node.child_by_field_name("left")
            value = node.child_by_field_name("value") or node.child_by_field_name("right")
            if name is not None and value is not None and name.type == "identifier":
                yield self.text(name), value

    def _imported(self) -> Iterator[tuple[str, str]]:
        for statement in self._nodes["import_statement"]:
            source = statement.child_by_field_name("source")
            clause = next((each for each in statement.named_children if each.type == "import_clause"), None)
            if source is None or clause is None:
                continue
            module = _qualified(self.string(source))
            for part in clause.named_children:
                if part.type == "identifier":
                    yield self.text(part), module
                elif part.type == "namespace_import" and part.named_children:
                    yield self.text(part.named_children[0]), module
                for each in part.named_children if part.type == "named_imports" else ():
                    name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
                    if name is not None:
                        yield self.text(alias or name), f"{module}.{self.text(name)}"

    def _loaded(self) -> Iterator[tuple[str, str]]:
        """`const fs = require("fs")`, `const { rm, unlink: drop } = fs.promises`."""
        for node in self._nodes["variable_declarator"]:
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is None or value is None or value.type in ("string", "template_string", "number"):
                continue
            if name.type == "identifier" and value.type in ("call_expression", "await_expression", "member_expression"):
                module = self.name_of(value)
                if not module.startswith("?") and "(" not in module:
                    yield self.text(name), module
            elif name.type == "object_pattern":
                yield from self._unpacked(name, self.name_of(value))

    def _unpacked(self, pattern: Node, module: str) -> Iterator[tuple[str, str]]:
        for each in pattern.named_children:
            if each.type == "shorthand_property_identifier_pattern":
                yield self.text(each), f"{module}.{self.text(each)}"
            elif each.type == "pair_pattern":
                key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
                if key is not None and value is not None:
                    yield self.text(value), f"{module}.{self.text(key)}"


def _qualified(module: str) -> str:
    return module.removeprefix("node:").replace("fs/promises", "fs.promises")


def _part(node: Node, name: str) -> Node | None:
    return node.child_by_field_name(name)
