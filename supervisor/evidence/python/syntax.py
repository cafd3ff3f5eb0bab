"""Parses Python into a syntax tree, within a limited number of steps, so that hostile text cannot stall it."""

from __future__ import annotations

import tree_sitter_python
from tree_sitter import Language, Tree

from supervisor.errors import Unreadable
from supervisor.evidence.reading.syntax_trees import Parsers, parse_in_steps

MAX_STEPS = 8_000  # of tree-sitter, about 30 µs each. Counted, not timed, so that a replay reaches the same result
MAX_LOOKAHEAD = 4_000_000  # lines that its scanner reads repeatedly; 2,000 comments in a row, 0.15 s

_PARSERS = Parsers(Language(tree_sitter_python.language()))


def parse(source: bytes) -> Tree:
    """The syntax tree of UTF-8 text. Raises Unreadable beyond MAX_STEPS and MAX_LOOKAHEAD."""
    if _lookahead(source) > MAX_LOOKAHEAD:
        raise Unreadable("Python with more comments, or lines that a backslash joins, in a row than are read")
    tree = parse_in_steps(_PARSERS.own, source, MAX_STEPS)
    if tree is None:
        raise Unreadable(f"Python that takes more than {MAX_STEPS:,} steps to parse")
    return tree


def _lookahead(source: bytes) -> int:
    """How many lines the indentation scanner reads: from each comment or joined line to the end of their run.

    This takes quadratic time, which the steps do not count.
    """
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
