"""SQL that Python code builds: which values are inserted where a parameter belongs."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.modules import Module
from supervisor.evidence.python.templates import Template
from supervisor.evidence.python.values import is_fixed, is_numeric_parameter
from supervisor.evidence.reading.sql_texts import stands_for_value

_QUOTERS = ("ident", "literal", "quote", "escape", "placeholder", "bind", "adapt")


def inserted(code: Module, template: Template) -> Iterator[Node]:
    """The values in a statement that can change its meaning: from a client, at any position; other values that the code
    does not fix, where a parameter is possible. (The name of a table cannot be a parameter.)"""
    for before, hole in template.holes():
        if is_fixed(code, hole) or _is_made_safe(code, hole):
            continue
        if stands_for_value(before) or origin_of(code, hole) is not None:
            yield hole


def _is_made_safe(code: Module, hole: Node) -> bool:
    """Whether a value is a constant by its name, a number by its annotation, or quoted by a function."""
    name = code.name_of(hole)
    last = name.removesuffix("()").rpartition(".")[2]
    if hole.type == "call":
        return any(word in name.lower() for word in _QUOTERS)
    if hole.type in ("identifier", "attribute") and last.isupper() and len(last) > 1:
        return True
    if any(word in last.lower() for word in ("placeholder", "quoted", "escaped")):
        return True
    return hole.type == "identifier" and is_numeric_parameter(code, hole)
