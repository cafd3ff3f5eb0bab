"""A parsed Python module: its calls by their qualified names, its assignments, and the functions around them."""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tree_sitter import Node, Tree

from supervisor.errors import Unreadable
from supervisor.evidence.python.syntax import parse
from supervisor.evidence.reading.syntax_trees import WrittenCall, nodes_of

__all__ = ["Call", "Module", "Value"]

Value = Node  # an expression node
MAX_CHAIN = 12  # dots and calls in one name
MAX_FOLLOWED = 30_000  # values of one module, over all queries; about 5 µs each
_SHORT = 16 * 1024  # bytes of code whose tree is kept for the next reader

_KINDS = (
    "as_pattern assert_statement assignment augmented_assignment binary_operator call comparison_operator decorator "
    "dictionary_splat exec_statement for_in_clause for_statement function_definition import_from_statement "
    "import_statement keyword_argument named_expression pair return_statement string"
)
_WANTED = tuple(_KINDS.split())
# The usual meaning of these aliases in a fragment without imports.
_USUAL_ALIASES = {"np": "numpy", "pd": "pandas"}


class Call(WrittenCall["Module"]):
    """One call. `name` is qualified through the imports (`yaml.load`), or as written if they do not resolve it."""

    def __init__(self, module: Module, node: Node) -> None:
        function = node.child_by_field_name("function")
        super().__init__(module, node, module.name_of(function) if function is not None else "?")

    @property
    def positional(self) -> tuple[Node, ...]:
        """The arguments before any `*`: positions after it are not known."""
        return self._arguments[0]

    @property
    def keywords(self) -> Mapping[str, Node]:
        """The keyword arguments by name."""
        return self._arguments[1]

    def argument(self, place: int, *names: str) -> Node | None:
        """The argument at a position, or by one of its names."""
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
    if given is None or given.type != "argument_list":  # f(x for x in y) has no argument list
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


def _parsed(source: bytes) -> tuple[Tree, Mapping[str, Sequence[Node]]]:
    """The syntax tree of code, and its nodes of the kinds in _WANTED."""
    tree = parse(source)
    return tree, nodes_of(tree, _WANTED)


_parsed_once = functools.lru_cache(maxsize=4)(_parsed)  # several readers of an action read the same short code


class Module:
    """Code that has been parsed. `before` is the text that an edit replaces; text that it already contains is not new.

    Raises Unreadable as `parse` does.
    """

    def __init__(self, source: bytes, before: str = "") -> None:
        self.source = source
        self.before = before
        # The tree is kept, because nodes live as long as it.
        self._tree, self._nodes = _parsed_once(source) if len(source) <= _SHORT else _parsed(source)
        self._followed = 0
        self.cache: dict[str, Any] = {}  # results of other evidence about this module
        self.aliases = dict(_imported(self, self._nodes["import_statement"], self._nodes["import_from_statement"]))

    @property
    def root(self) -> Node:
        """The node of the whole code."""
        return self._tree.root_node

    @functools.cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call, in the order of the text."""
        return tuple(Call(self, node) for node in self._nodes["call"])

    def index(self) -> Module:
        """Names all calls and assignments now, since nearly every query needs them.

        If that takes too long, the deadline cuts off this reader once, and not each specialist that calls it.
        """
        _ = self._calls_by_method, self.values_by_name
        return self

    def follow(self) -> None:
        """Counts one value that a query follows. Raises Unreadable beyond MAX_FOLLOWED."""
        self._followed += 1
        if self._followed > MAX_FOLLOWED:
            raise Unreadable(f"Python in which more than {MAX_FOLLOWED:,} values would have to be followed")

    def nodes(self, kind: str) -> Sequence[Node]:
        """The nodes of one of the kinds in _WANTED, in the order of the text."""
        return self._nodes[kind]

    def calls_of(self, methods: Iterable[str]) -> Iterator[Call]:
        """The calls whose name ends in one of these, in the order of the text."""
        found = [call for method in methods for call in self._calls_by_method.get(method, ())]
        return iter(sorted(found, key=lambda call: call.node.start_byte) if len(found) > 1 else found)

    @functools.cached_property
    def _calls_by_method(self) -> dict[str, list[Call]]:
        by_method: dict[str, list[Call]] = {}
        for call in self.calls:
            by_method.setdefault(call.method, []).append(call)
        return by_method

    @functools.cached_property
    def targets(self) -> tuple[tuple[Node, Node], ...]:
        """Every assigned target with its value."""
        return tuple(_targets_of((*self._nodes["assignment"], *self._nodes["augmented_assignment"])))

    @functools.cached_property
    def assignments(self) -> tuple[tuple[str, Node], ...]:
        """Every assigned target, by its qualified name, with its value."""
        return tuple((self.name_of(target), value) for target, value in self.targets)

    @functools.cached_property
    def bindings(self) -> tuple[tuple[str, Node], ...]:
        """Every name that a loop, `with … as` or `:=` binds, with the iterable, the context or the value."""
        loops = (*self._nodes["for_statement"], *self._nodes["for_in_clause"])
        looped = [(self.text(target), value) for target, value in _targets_of(loops)]
        opened = [node.named_children for node in (*self._nodes["as_pattern"], *self._nodes["named_expression"])]
        named = [(parts[-1], parts[0]) if _is_as(parts) else (parts[0], parts[-1]) for parts in opened if parts[1:]]
        return (*looped, *((self.text(name), value) for name, value in named))

    @functools.cached_property
    def values_by_name(self) -> Mapping[str, Sequence[Node]]:
        """The values of each name, from assignments, loops, `with … as` and `:=`."""
        values: dict[str, list[Node]] = {}
        for target, value in (*self.assignments, *self.bindings):
            values.setdefault(target, []).append(value)
        return values

    @functools.cached_property
    def functions(self) -> tuple[Node, ...]:
        """Every function definition, outer ones before inner ones."""
        return tuple(self._nodes["function_definition"])

    @functools.cached_property
    def defined(self) -> frozenset[str]:
        """The names of the functions that the code itself defines."""
        titles = [function.child_by_field_name("name") for function in self.functions]
        return frozenset(self.text(title) for title in titles if title is not None)

    @property
    def shows_imports(self) -> bool:
        """Whether the code imports anything; a fragment does not show where its names come from."""
        return bool(self._nodes["import_statement"] or self._nodes["import_from_statement"])

    def scope_of(self, node: Node) -> Node | None:
        """The innermost function around a node; None at module level."""
        starts, around = self._scopes
        place = bisect.bisect_right(starts, node.start_byte) - 1
        while place >= 0 and self.functions[place].end_byte < node.end_byte:
            place = around[place]
        return self.functions[place] if place >= 0 else None

    def around(self, function: Node) -> Node | None:
        """The innermost function around a function; None if there is none."""
        starts, around = self._scopes
        place = around[bisect.bisect_left(starts, function.start_byte)]
        return self.functions[place] if place >= 0 else None

    @functools.cached_property
    def _scopes(self) -> tuple[list[int], list[int]]:
        """The start of each function, and the index of the function around it (-1: none)."""
        around: list[int] = []
        for place, function in enumerate(self.functions):
            outer = place - 1
            while outer >= 0 and self.functions[outer].end_byte < function.end_byte:
                outer = around[outer]
            around.append(outer)
        return [function.start_byte for function in self.functions], around

    def is_new(self, node: Node) -> bool:
        """Whether the action adds this text, and the replaced text does not already contain it."""
        return not self.before or self.text(node) not in self.before

    def text(self, node: Node) -> str:
        """A node as written."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def name_of(self, node: Node) -> str:
        """The qualified name of `a.b.c`; a call in it reads `a().b`, and an expression without a name reads `?`."""
        parts: list[str] = []
        here: Node | None = node
        for _ in range(MAX_CHAIN):
            if here is not None and here.type == "attribute":
                attribute = here.child_by_field_name("attribute")
                parts.append("." + (self.text(attribute) if attribute else "?"))
                here = here.child_by_field_name("object")
            elif here is not None and here.type == "call":
                parts.append("()")
                here = here.child_by_field_name("function")
            else:
                break
        head = self.text(here) if here is not None and here.type == "identifier" else "?"
        return self.aliases.get(head, head) + "".join(reversed(parts))


def _imported(module: Module, imports: Sequence[Node], froms: Sequence[Node]) -> Iterator[tuple[str, str]]:
    """Each imported name with its qualified name."""
    if not imports and not froms:
        yield from _USUAL_ALIASES.items()
    for statement in imports:
        for name in statement.children_by_field_name("name"):
            full, alias = _alias(module, name)
            yield alias or full.partition(".")[0], full if alias else full.partition(".")[0]
    for statement in froms:
        origin = statement.child_by_field_name("module_name")
        for name in statement.children_by_field_name("name"):
            full, alias = _alias(module, name)
            yield alias or full, f"{module.text(origin)}.{full}" if origin is not None else full


def _alias(module: Module, name: Node) -> tuple[str, str]:
    if name.type != "aliased_import":
        return module.text(name), ""
    full, alias = name.child_by_field_name("name"), name.child_by_field_name("alias")
    return module.text(full) if full else "", module.text(alias) if alias else ""


def _targets_of(nodes: Iterable[Node]) -> Iterator[tuple[Node, Node]]:
    """Each target on a left side, several if it unpacks, with the value on the right."""
    for node in nodes:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            unpacks = left.type in ("pattern_list", "tuple_pattern", "list_pattern")
            yield from ((target, right) for target in (left.named_children if unpacks else (left,)))


def _is_as(parts: Sequence[Node]) -> bool:
    """Whether the parts are of `value as name`, not of `name := value`."""
    return parts[0].parent is not None and parts[0].parent.type == "as_pattern"
