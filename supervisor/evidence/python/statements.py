"""SQL that Python code builds: which values are inserted where a parameter belongs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.modules import Module
from supervisor.evidence.python.templates import Template
from supervisor.evidence.python.values import is_fixed, is_numeric_parameter

_BEGINS = re.compile(
    r"(?i)[\s(]{0,40}(?:select\s|insert\s|update\s|delete\s+from\s|delete\s|replace\s+into|merge\s+into|with\s|call\s|exec\s"
    r"|create\s|alter\s|drop\s|truncate\s|grant\s|explain\s|where\s|and\s|or\s|order\s+by\s|union\s)"
)
_BEFORE_VALUE = re.compile(r"(?i)(?:[=<>]|\blike|\bilike|\bbetween|\bin\s*\(|\bthen|\bin)\s*[\"(]?$")
_LISTED = re.compile(r"(?i)\b(?:values\s*\(|in\s*\()[^()]*,\s*$|\bvalues\s*\(\s*$")
_QUOTERS = ("ident", "literal", "quote", "escape", "placeholder", "bind", "adapt")
_STATEMENT = re.compile(r"(?i)\s{0,40}(?:select\b.+\bfrom\b|insert\s+into\b|update\b.+\bset\b|delete\s+from\b)")


def is_statement(words: str) -> bool:
    """Whether a text begins as SQL: a whole statement or a further clause."""
    return _BEGINS.match(words) is not None


def is_whole_statement(words: str) -> bool:
    """Whether a text can only be SQL, wherever it is used."""
    return _STATEMENT.match(words[:2_000].replace("\n", " ")) is not None


def inserted(code: Module, template: Template) -> Iterator[Node]:
    """The values in a statement that can change its meaning: from a client, at any position; other values that the code
    does not fix, where a parameter is possible. (The name of a table cannot be a parameter.)"""
    for before, hole in template.holes():
        if is_fixed(code, hole) or _is_made_safe(code, hole):
            continue
        if stands_for_value(before) or origin_of(code, hole) is not None:
            yield hole


def stands_for_value(before: str) -> bool:
    """Whether a value, not a name, follows these words of a statement."""
    tail = before[-400:].rstrip()
    if before.count("'") % 2:
        return True
    return _BEFORE_VALUE.search(tail) is not None or _LISTED.search(before[-400:]) is not None


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
