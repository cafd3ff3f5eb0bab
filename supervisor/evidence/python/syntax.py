"""Parses Python into a syntax tree, within a number of steps that hostile text cannot stretch."""

from __future__ import annotations

from collections.abc import Iterable

import tree_sitter_python
from tree_sitter import Language, Node, Tree

from supervisor.errors import Unreadable
from supervisor.evidence.syntax_trees import Parsers, walk

MAX_STEPS = 8_000  # of tree-sitter, of about 30 µs. Counted, not timed, so that a replay agrees
MAX_LOOKAHEAD = 4_000_000  # lines that its scanner reads over and over; 2,000 comments in a row, 0.15 s

_PARSERS = Parsers(Language(tree_sitter_python.language()))


def parse(source: bytes) -> Tree:
    """The syntax tree of UTF-8 text. Raises Unreadable beyond MAX_STEPS and MAX_LOOKAHEAD.

    (The parser asks its progress callback only where the source is a callable.)
    """
    if _lookahead(source) > MAX_LOOKAHEAD:
        raise Unreadable("Python with more comments, or lines that a backslash joins, in a row than are read")
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


def _lookahead(source: bytes) -> int:
    """How many lines the scanner of indentation looks at: from each comment or joined line to the end of their run,
    which takes quadratic time, and which no step counts."""
    if source.count(b"\n") ** 2 <= MAX_LOOKAHEAD:
        return 0
    looked = run = 0
    for line in source.splitlines():
        text = line.strip()
        if not text or text.startswith(b"#") or text.endswith(b"\\"):
            run += 1
        else:
            looked, run = looked + run * run, 0
    return looked + run * run


def nodes_of(tree: Tree, kinds: Iterable[str]) -> dict[str, list[Node]]:
    """The nodes of each kind, in order. A walk: tree-sitter's queries take quadratic time on broken code."""
    found: dict[str, list[Node]] = {kind: [] for kind in kinds}
    for node in walk(tree):
        if node.type in found:
            found[node.type].append(node)
    return found
