"""The languages: the suffixes of their files, their grammars, and what the nodes of their syntax trees are.

A language is one file in `languages/`. Its grammar, a wheel of its own, is loaded when a file of the language is first
read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tree_sitter import Language as Grammar
from tree_sitter import Node, Tree

from supervisor.errors import Unreadable
from supervisor.evidence.reading.syntax_trees import Parsers, parse_in_steps
from supervisor.evidence.reading.tables import table_beside

LANGUAGES = str(Path(__file__).parent / "languages" / "any.yaml")
MAX_STEPS = 8_000  # of tree-sitter, as for Python and JavaScript


class Shape(NamedTuple):
    """What a type of node is, and where its parts are.

    A place is a field's name, the index of a named child, `@type` for the first child of a type, or `*` for all named
    children (`1*`: from the second on).
    """

    role: str
    places: dict[str, str]

    def part(self, node: Node, name: str) -> Node | None:
        """The part of a node; None if it has none."""
        place = self.places.get(name)
        return None if place is None else _at(node, place)

    def parts(self, node: Node, name: str = "parts") -> list[Node]:
        """The parts of a node, without comments."""
        place = self.places.get(name, "*")
        if place.endswith("*"):
            return [child for child in node.named_children[int(place[:-1] or 0) :] if "comment" not in child.type]
        found = _at(node, place)
        return [found] if found is not None else []


def _at(node: Node, place: str) -> Node | None:
    if place[0] == "@":
        return next((child for child in node.named_children if child.type == place[1:]), None)
    if place.lstrip("-").isdecimal():
        children = [child for child in node.named_children if "comment" not in child.type]
        index = int(place)
        return children[index] if -len(children) <= index < len(children) else None
    return node.child_by_field_name(place)


class Language(NamedTuple):
    """One language: `shapes` by type of node; `joins`, `choices` and `compares` are operators; `inert` are the types of
    values that hold no free text; `selves` are the names of an object's own reference. `renames`: a function may be
    imported under another name. `sigil` begins the name of every variable. `shifts`: `a << b` adds to `a`.
    `implicit`: in a block, a plain name may be a member of the object that the block is for.
    `macros`: the arguments of some calls are tokens."""

    name: str
    title: str
    package: str
    grammar: str
    fragment: str
    wraps: tuple[tuple[str, str], ...]
    shapes: dict[str, Shape]
    joins: frozenset[str]
    choices: frozenset[str]
    compares: frozenset[str]
    inert: frozenset[str]
    selves: frozenset[str]
    inline: str
    begins: str
    renames: bool
    sigil: str
    shifts: bool
    implicit: bool
    macros: bool

    def parse(self, source: bytes, *, fragment: bool) -> Tree:
        """The syntax tree of UTF-8 text. Raises Unreadable beyond MAX_STEPS."""
        parsers = _parsers(self.package, self.fragment if fragment and self.fragment else self.grammar)
        tree = parse_in_steps(parsers.own, source, MAX_STEPS)
        if tree is None:
            raise Unreadable(f"{self.title} that takes more than {MAX_STEPS:,} steps to parse")
        return tree


@cache
def _parsers(package: str, grammar: str) -> Parsers:
    return Parsers(Grammar(getattr(_PACKAGES[package](), grammar)()))


# Each import is spelt out: the digest of a specialist covers what is imported, and knows it by its name.
def _c_sharp() -> Any:
    import tree_sitter_c_sharp

    return tree_sitter_c_sharp


def _cpp() -> Any:
    import tree_sitter_cpp

    return tree_sitter_cpp


def _go() -> Any:
    import tree_sitter_go

    return tree_sitter_go


def _java() -> Any:
    import tree_sitter_java

    return tree_sitter_java


def _javascript() -> Any:
    import tree_sitter_javascript

    return tree_sitter_javascript


def _kotlin() -> Any:
    import tree_sitter_kotlin

    return tree_sitter_kotlin


def _php() -> Any:
    import tree_sitter_php

    return tree_sitter_php


def _ruby() -> Any:
    import tree_sitter_ruby

    return tree_sitter_ruby


def _rust() -> Any:
    import tree_sitter_rust

    return tree_sitter_rust


def _typescript() -> Any:
    import tree_sitter_typescript

    return tree_sitter_typescript


_PACKAGES: dict[str, Callable[[], Any]] = {
    f"tree_sitter{load.__name__}": load
    for load in (_c_sharp, _cpp, _go, _java, _javascript, _kotlin, _php, _ruby, _rust, _typescript)
}


SUFFIXES: dict[str, tuple[str, ...]] = {
    "c_sharp": (".cs", ".csx"),
    "cpp": (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ino"),
    "go": (".go",),
    "java": (".java",),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "kotlin": (".kt", ".kts"),
    "php": (".php", ".phtml", ".php5", ".inc"),
    "rust": (".rs",),
    "ruby": (".rb", ".rake", ".ru", ".gemspec"),
    "typescript": (".ts", ".mts", ".cts", ".tsx"),
}


@cache
def language_named(name: str) -> Language:
    """A language by its name, which is that of its file."""
    told: dict[str, Any] = table_beside(LANGUAGES, f"{name}.yaml")["grammar"]
    if "like" in told:
        told = {**table_beside(LANGUAGES, f"{told['like']}.yaml")["grammar"], **told}
    return Language(
        name,
        told["title"],
        told["package"],
        told.get("function", "language"),
        told.get("fragment", ""),
        tuple((before, after) for before, after in told.get("wraps", ())),
        {types: _shape(shape) for key, shape in told["nodes"].items() for types in key.split()},
        frozenset(told.get("joins", "+").split()),
        frozenset(told.get("choices", "").split()),
        frozenset(told.get("compares", "== ===").split()),
        frozenset(told.get("inert", "").split()),
        frozenset(told.get("selves", "this self").split()),
        told.get("inline", ""),
        told.get("begins", ""),
        bool(told.get("renames")),
        told.get("sigil", ""),
        bool(told.get("shifts")),
        bool(told.get("implicit")),
        bool(told.get("macros")),
    )


def _shape(told: str) -> Shape:
    role, *places = told.split()
    return Shape(role, dict(place.split("=", 1) for place in places))
