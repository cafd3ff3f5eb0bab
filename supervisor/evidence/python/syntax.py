"""Parses Python into a syntax tree, within a number of steps that hostile text cannot stretch."""

from __future__ import annotations

from collections.abc import Iterable

import tree_sitter_python
from tree_sitter import Language, Node, Tree

from supervisor.errors import Unreadable
from supervisor.evidence.syntax_trees import Parsers, walk

MAX_STEPS = 8_000  # of tree-sitter, of about 30 µs. Counted, not timed, so that a replay agrees

_PARSERS = Parsers(Language(tree_sitter_python.language()))


def parse(source: bytes) -> Tree:
    """The syntax tree of UTF-8 text. Raises Unreadable beyond MAX_STEPS.

    (The parser asks its progress callback only where the source is a callable.)
    """
    parser = _PARSERS.own
    steps = iter(range(MAX_STEPS))
    try:
        return parser.parse(
            lambda offset, _: source[offset:],
            encoding="utf8",
            progress_callback=lambda *_: next(steps, None) is None,
        )
    except ValueError:
        parser.reset()
        raise Unreadable(f"Python that takes more than {MAX_STEPS:,} steps to parse") from None


def nodes_of(tree: Tree, kinds: Iterable[str]) -> dict[str, list[Node]]:
    """The nodes of each kind, in order. A walk: tree-sitter's queries take quadratic time on broken code."""
    found: dict[str, list[Node]] = {kind: [] for kind in kinds}
    for node in walk(tree):
        if node.type in found:
            found[node.type].append(node)
    return found
