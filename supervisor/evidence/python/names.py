"""The words of the names around a node: its function, and the statement that contains it."""

from __future__ import annotations

import re

from tree_sitter import Node

from supervisor.evidence.python.modules import Module

MAX_CLIMB = 24  # levels of nesting
MAX_STATEMENT = 400  # characters of the statement around a place
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of(name: str) -> frozenset[str]:
    """The words of a name: reset and token of `resetToken`, `reset_token` and `RESET_TOKEN`."""
    return frozenset(word.lower() for word in _WORD.findall(name))


def surroundings_of(module: Module, node: Node) -> frozenset[str]:
    """The words of the names in the statement around a node, and in the name of its function."""
    here = node
    for _ in range(MAX_CLIMB):
        around = here.parent
        if around is None or around.type in ("block", "module"):
            break
        here = around
    words = words_of(module.text(here)[:MAX_STATEMENT]) if here.type not in _COMPOUND_STATEMENTS else words_of("")
    function = module.scope_of(node)
    name = function.child_by_field_name("name") if function is not None else None
    return words | (words_of(module.text(name)) if name is not None else frozenset())


_COMPOUND_STATEMENTS = frozenset({"class_definition", "for_statement", "function_definition", "try_statement"})


def words_in(module: Module) -> frozenset[str]:
    """The words of the names of a module's functions."""
    words: frozenset[str] | None = module.cache.get("words")
    if words is None:
        titles = [function.child_by_field_name("name") for function in module.functions]
        names = " ".join(module.text(title) for title in titles if title is not None)
        words = module.cache["words"] = words_of(names)
    return words
