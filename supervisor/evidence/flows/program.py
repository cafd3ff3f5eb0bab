"""A file, or a part of one, in any of the languages: its calls, its functions, and the values of its names."""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tree_sitter import Language as Grammar
from tree_sitter import Node, Tree

from supervisor.errors import Unreadable
from supervisor.evidence.flows.expressions import Expr, Kind, Reader
from supervisor.evidence.flows.grammar import Language, Shape, language_named
from supervisor.evidence.reading.syntax_trees import walk

MAX_FOLLOWED = 30_000  # values of one program, over all queries
MAX_CLIMB = 24  # levels of nesting
MAX_WORDS = 400  # characters of a name that is divided into words
MAX_BINDINGS = 32  # values of one name that are followed
_COLLECTED = ("assign", "binary", "call", "declare", "each", "function", "import", "macro", "new", "param", "return")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@functools.lru_cache(maxsize=4_096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: jdbc and template of `jdbcTemplate`."""
    return tuple(word.lower() for word in _WORD.findall(name[-MAX_WORDS:]))


class Binding(NamedTuple):
    """A value of a name: where it is given, the block in which that is sure to happen, and whether it is added to what
    the name has already."""

    at: int
    block: tuple[int, int]
    adds: bool
    value: Node


class Function(NamedTuple):
    """A function of the program: its name, the names and types of its parameters, its body."""

    node: Node
    name: str
    params: tuple[tuple[str, str, Node], ...]
    body: Node | None


class Program:
    """Code that has been parsed. `before` is the text that an edit replaces; text that it already contains is not new.

    Raises Unreadable if parsing takes too many steps.
    """

    def __init__(self, language: Language, source: bytes, before: str = "") -> None:
        self.language = language
        self.before = before
        self.cache: dict[str, Any] = {}
        self._followed = 0
        self._tree, self.source, self.shift = _parsed(language, source, bool(before))
        self.reader = Reader(language, self.source)

    @functools.cached_property
    def nodes(self) -> dict[str, list[Node]]:
        """The nodes of each collected role, in the order of the text."""
        return self._collected[0]

    @functools.cached_property
    def _collected(self) -> tuple[dict[str, list[Node]], dict[int, tuple[int, int]]]:
        """The nodes by role, and of each that binds a name the block around it."""
        roles, nodes = _roles(self.language.name, self._tree.language), {role: list[Node]() for role in _COLLECTED}
        around: dict[int, tuple[int, int]] = {}
        blocks = [(0, len(self.source))]
        heredocs: list[Node] = []
        for node in walk(self._tree):
            role = roles.get(node.kind_id)
            if role is None:
                continue
            if role in nodes:
                nodes[role].append(node)
            if role in _BLOCKS:
                start = node.start_byte
                while blocks[-1][1] <= start:
                    blocks.pop()
                if role == "block":
                    blocks.append((start, node.end_byte))
                else:
                    around[node.id] = blocks[-1]
            elif role == "heredoc":
                heredocs.append(node)
            elif role == "heredoc_body" and heredocs:
                self.reader.keep_heredoc(heredocs.pop(0), node)
        return nodes, around

    @property
    def root(self) -> Node:
        """The node of the whole code."""
        return self._tree.root_node

    def shape(self, node: Node) -> Shape:
        """What a collected node is."""
        return self.language.shapes[node.type]

    def shape_of(self, node: Node | None) -> Shape | None:
        """What a node is; None if it has no part in what is read."""
        return self.language.shapes.get(node.type) if node is not None else None

    def role_of(self, node: Node) -> str:
        """What a node does; empty if it has no part in what is read."""
        shape = self.shape_of(node)
        return shape.role if shape is not None else ""

    def text(self, node: Node) -> str:
        """A node as written."""
        return self.reader.text(node)

    def expr(self, node: Node) -> Expr:
        """The expression of a node."""
        return self.reader.expr(node)

    def follow(self) -> None:
        """Counts one value that a query follows. Raises Unreadable beyond MAX_FOLLOWED."""
        self._followed += 1
        if self._followed > MAX_FOLLOWED:
            raise Unreadable(
                f"{self.language.title} in which more than {MAX_FOLLOWED:,} values would have to be followed"
            )

    def is_new(self, node: Node) -> bool:
        """Whether the action adds this text, and the replaced text does not already contain it."""
        return not self.before or self.text(node) not in self.before

    @functools.cached_property
    def functions(self) -> tuple[Function, ...]:
        """Every function, outer ones before inner ones."""
        return tuple(self._function(node) for node in self.nodes["function"])

    @functools.cached_property
    def places_by_name(self) -> dict[str, int]:
        """The index of the first function of each name."""
        found: dict[str, int] = {}
        for place, function in enumerate(self.functions):
            found.setdefault(function.name, place)
        return found

    def function_named(self, name: str) -> Function | None:
        """The first function of a name."""
        place = self.places_by_name.get(name) if name else None
        return self.functions[place] if place is not None else None

    @functools.cached_property
    def _returns(self) -> dict[int, list[Node]]:
        """The returned values by the function that returns them."""
        found: dict[int, list[Node]] = {}
        for node in self.nodes["return"]:
            value = next((child for child in node.named_children if "comment" not in child.type), None)
            if value is not None:
                found.setdefault(self.scope_of(node.start_byte, node.end_byte), []).append(value)
        return found

    def _function(self, node: Node) -> Function:
        shape = self.shape(node)
        named = shape.part(node, "name")
        listed, body = shape.part(node, "params"), shape.part(node, "body")
        if named is not None and listed is None:  # in C a declarator holds both
            named, listed = self._declarator(named)
        params = tuple(self._params(listed)) if listed is not None else ()
        named = named if named is not None else self._given_name(node)
        name = self.reader.bare(self.text(named)).rpartition(".")[2] if named is not None else ""
        return Function(node, name, params, body)

    def _given_name(self, node: Node) -> Node | None:
        """The name to which a function without one is assigned."""
        around = node.parent
        shape = self.language.shapes.get(around.type) if around is not None else None
        if around is None or shape is None or shape.role not in _NAMING:
            return None
        return shape.part(around, "left") or shape.part(around, "name") or shape.part(around, "key")

    def _declarator(self, node: Node) -> tuple[Node, Node | None]:
        """The name inside a declarator, as in `char *argv[]`, and the parameters that it lists."""
        here, listed = node, None
        for _ in range(MAX_CLIMB):
            if not here.type.endswith("declarator"):
                break
            listed = here.child_by_field_name("parameters") or listed
            inner = here.child_by_field_name("declarator") or here.child_by_field_name("name")
            inner = inner or next(iter(here.named_children), None)
            if inner is None:
                break
            here = inner
        return here, listed

    def _params(self, listed: Node) -> Iterator[tuple[str, str, Node]]:
        before: Node | None = None
        shapes = self.language.shapes
        for child in listed.named_children if shapes.get(listed.type, _NO_SHAPE).role != "name" else (listed,):
            shape = shapes.get(child.type)
            if shape is None or shape.role not in ("param", "name"):
                before = child
                continue
            kind = shape.part(child, "type") if shape.role == "param" else None
            for name in self._names_of_param(child, shape):
                around = before if before is not None and "modifiers" in before.type else child
                yield name, self.text(kind) if kind is not None else "", around
            before = child

    def _names_of_param(self, child: Node, shape: Shape) -> list[str]:
        if shape.role == "name":
            return [self.text(child)]
        names = child.children_by_field_name(shape.places.get("name", ""))
        if not names:
            named = shape.part(child, "name")
            names = [named] if named is not None else []
        inside = [each for name in names for each in self._unpacked(self._declarator(name)[0])]
        exprs = [self.expr(each) for each in inside]
        return [each.text if each.kind is Kind.NAME else self.reader.bare(self.text(each.node)) for each in exprs]

    def scope_of(self, at: int, end: int = 0) -> int:
        """The index of the innermost function around a place; -1 outside of all."""
        starts, around = self._scopes
        place = bisect.bisect_right(starts, at) - 1
        while place >= 0 and self.functions[place].node.end_byte < max(end, at + 1):
            place = around[place]
        return place

    def around(self, scope: int) -> int:
        """The function around a function; -1 if there is none."""
        return self._scopes[1][scope]

    @functools.cached_property
    def _scopes(self) -> tuple[list[int], list[int]]:
        around: list[int] = []
        for place, function in enumerate(self.functions):
            outer = place - 1
            while outer >= 0 and self.functions[outer].node.end_byte < function.node.end_byte:
                outer = around[outer]
            around.append(outer)
        return [function.node.start_byte for function in self.functions], around

    @functools.cached_property
    def imports(self) -> dict[str, tuple[str, str]]:
        """The imported names, each with its module and the name that it has there (empty for the module itself)."""
        found: dict[str, tuple[str, str]] = {}
        for node in self.nodes["import"]:
            shape = self.shape(node)
            name, alias = shape.part(node, "name"), shape.part(node, "alias")
            module = self._module(node, shape)
            told = self.text(name).strip("\"'") if name is not None else ""
            last = re.split(r"[.:\\/]", told)[-1]
            if alias is not None or name is not None:
                local = self.text(alias) if alias is not None else last
                found[local] = (module, last) if module else (told, "") if alias is not None else (told, last)
        for local, module, member in self._loaded():
            found.setdefault(local, (module, member))
        return found

    def _module(self, node: Node, shape: Shape) -> str:
        """The module of `import { a as b } from "module"`."""
        here: Node | None = node
        for _ in range(4):
            here = here.parent if here is not None else None
            source = here.child_by_field_name("source") if here is not None else None
            if source is not None:
                return self.text(source).strip("\"'").removeprefix("node:")
        return ""

    def _loaded(self) -> Iterator[tuple[str, str, str]]:
        """`const fs = require("fs")`, `const { exec: run } = require("child_process")`, `import * as fs from "fs"`."""
        for node in self.nodes["declare"] if b"require" in self.source else ():
            shape = self.shape(node)
            name, value = shape.part(node, "name"), shape.part(node, "value")
            if name is None or value is None or not self.text(value)[:40].startswith("require"):
                continue
            module = re.sub(r"[^\w./@-]|^require|node:", "", self.text(value)[:80]).replace("promises", "")
            if self.language.shapes.get(name.type, _NO_SHAPE).role != "several":
                yield self.text(name), module, ""
                continue
            for each in name.named_children:
                ends = [child for child in each.named_children if child.is_named]
                yield self.text(ends[-1] if ends else each), module, self.text(ends[0] if ends else each)

    @functools.cached_property
    def types(self) -> dict[str, str]:
        """The declared type of each name, as written, without generic parameters."""
        found: dict[str, str] = {}
        for function in self.functions:
            for name, kind, _ in function.params:
                if kind:
                    found.setdefault(name, self.reader.bare(kind))
        for node in (*self.nodes["declare"], *self.nodes["param"]):
            shape = self.shape(node)
            named, told = shape.part(node, "name"), shape.part(node, "type")
            if told is None and node.parent is not None and "type" not in shape.places:
                told = node.parent.child_by_field_name("type")
            if named is not None and told is not None:
                name = self.reader.bare(self.text(self._declarator(named)[0]))
                found.setdefault(name, self.reader.bare(self.text(told)))
        for kind, name in self._documented() if self.language.sigil else ():
            found.setdefault(name, kind)
        return found

    def _documented(self) -> Iterator[tuple[str, str]]:
        """The types in comments: `@var int` before a property, whose name has no sigil where it is used."""
        for told in _DOCUMENTED.finditer(self.source):
            yield told[1].decode(), f".{told[2].decode()}"

    @functools.cached_property
    def bindings(self) -> dict[tuple[int, str], list[Binding]]:
        """The values of each name by the function that gives them, in the order of the text. Members of the object
        itself belong to the whole program."""
        found: dict[tuple[int, str], list[Binding]] = {}
        nodes = [node for role in _BINDING for node in self.nodes[role]]
        for node in sorted(nodes, key=lambda each: each.start_byte):
            for name, adds, value in self._given(node):
                scope = self.scope_of(node.start_byte, node.end_byte)
                owner = name.startswith(".")
                bound = Binding(node.start_byte, self._collected[1][node.id], adds, value)
                found.setdefault((-1 if owner else scope, name), []).append(bound)
        return found

    def _given(self, node: Node) -> Iterator[tuple[str, bool, Node]]:
        """The names that a node gives a value to."""
        shape = self.shape(node)
        left = shape.part(node, "left") or shape.part(node, "name")
        right = shape.part(node, "right") or shape.part(node, "value")
        if left is None or right is None or left.id == right.id:
            return
        operator = shape.part(node, "operator")
        adds = operator is not None and len(operator.type) > 1 and operator.type[0] in "+.<|?"
        names, values = self._unpacked(left), self._unpacked(right)
        for place, each in enumerate(names[:MAX_BINDINGS]):
            name = self.target(each)
            value = values[place] if len(values) == len(names) > 1 else values[0] if len(values) == 1 else right
            if name:
                yield name, adds, value

    def _unpacked(self, node: Node) -> list[Node]:
        shape = self.language.shapes.get(node.type)
        return shape.parts(node) if shape is not None and shape.role == "several" else [node]

    def target(self, node: Node) -> str:
        """The name of what is assigned: `.name` for a member of the object itself; empty if it is no plain name."""
        expr = self.expr(self._declarator(node)[0])
        if expr.kind is Kind.NAME:
            return f".{expr.text[1:]}" if expr.text[:1] == "@" else expr.text
        if expr.kind in (Kind.MEMBER, Kind.CALL) and expr.object is not None and not expr.args:
            return f".{expr.text}" if self.is_self(expr.object) else ""
        if expr.kind is Kind.INDEX and expr.parts and expr.parts[0].kind is Kind.NAME:
            return f"{expr.parts[0].text}[]"
        return ""

    def is_self(self, expr: Expr) -> bool:
        """Whether an expression is the object's own reference."""
        return expr.kind is Kind.NAME and expr.text in self.language.selves

    def returned(self, function: Function) -> Sequence[Node]:
        """The values that a function returns."""
        found = list(self._returns.get(self.scope_of(function.node.start_byte, function.node.end_byte), ()))
        body = function.body
        if body is not None:
            shape = self.language.shapes.get(body.type)
            inside = [child for child in body.named_children if "comment" not in child.type]
            last = body if shape is not None and shape.role not in ("block", "body") else inside[-1] if inside else None
            last_shape = self.language.shapes.get(last.type) if last is not None else None
            if last is not None and last_shape is not None and last_shape.role not in ("return", "block", "declare"):
                found.append(last)
        return found[:MAX_BINDINGS]


# A comment has any text between the type and its end, and a property has modifiers and a type of its own.
_DOCUMENTED = re.compile(rb"@var\s+(int|integer|float|bool)(?:\|null)?\s[^/]{0,200}\*/\s*(?:[\w?|]+\s+){1,4}\$(\w+)")
_NO_SHAPE = Shape("", {})
_NAMING = ("assign", "declare", "pair")
_BINDING = ("assign", "declare", "each")
_BLOCKS = frozenset({"block", *_BINDING})


@functools.cache
def _roles(language: str, grammar: Grammar) -> dict[int, str]:
    """The roles that are collected by the number of a type of node: its name is made anew for each node."""
    shapes, wanted = language_named(language).shapes, _BLOCKS | {*_COLLECTED, "heredoc", "heredoc_body"}
    kinds = ((kind, grammar.node_kind_for_id(kind)) for kind in range(grammar.node_kind_count))
    roles = ((kind, shapes[name].role) for kind, name in kinds if name in shapes)
    return {kind: role for kind, role in roles if role in wanted}


def _parsed(language: Language, source: bytes, fragment: bool) -> tuple[Tree, bytes, int]:
    """The tree of a file or of a part of one, which may begin in the middle of a class; the text that was parsed, and
    how far it was moved."""
    begins = language.begins.encode()
    part = (fragment or not source.lstrip().startswith(b"<")) and begins not in source if begins else fragment
    tree = language.parse(source, fragment=part)
    if not tree.root_node.has_error or not language.wraps:
        return tree, source, 0
    best, text, fewest, shift = tree, source, _broken(tree), 0
    for before, after in language.wraps:
        wrapped = before.encode() + source + after.encode()
        other = language.parse(wrapped, fragment=part)
        if (broken := _broken(other)) < fewest:
            best, text, fewest, shift = other, wrapped, broken, len(before.encode())
    return best, text, shift


def _broken(tree: Tree) -> int:
    """How many characters of a text the grammar could not read."""
    total, pending = 0, [tree.root_node]
    while pending:
        node = pending.pop()
        if node.type == "ERROR":
            total += node.end_byte - node.start_byte
        elif node.is_missing:
            total += 1
        elif node.has_error:
            pending.extend(node.children)
    return total
