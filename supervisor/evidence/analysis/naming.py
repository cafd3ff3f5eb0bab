"""Names in an analysis: what a name tells of its value, and the dotted names of expressions."""

from __future__ import annotations

import ast
import functools

from supervisor.evidence.python.names import words_of

_LINKS = 12  # of a chain that are named
_TRAINS = frozenset({"train", "training", "tr", "fit"})
_TESTS = frozenset({"test", "testing", "holdout", "unseen", "te", "heldout"})
_VALIDATES = frozenset({"val", "valid", "validation", "dev", "calib", "calibration", "tune", "tuning"})
_PARTS = ((_VALIDATES, "val"), (_TESTS, "test"), (_TRAINS, "train"))


@functools.lru_cache(maxsize=4096)
def part_of(name: str) -> str:
    """The part of a split that a name tells: "train", "test" or "val"; empty if none."""
    given = words_of(name)
    short = name.lower()
    part = next((part for those, part in _PARTS if given & those), "")
    return part or ("train" if short.startswith(("xtr", "ytr")) else "test" if short.startswith(("xte", "yte")) else "")


def target_of(node: ast.expr) -> str:
    """The name that an assignment gives a value; empty for a subscript."""
    return node.id if isinstance(node, ast.Name) else dotted(node)


def dotted(node: ast.expr) -> str:
    """`a.b.c`; empty if anything but names and dots is in it."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(parts))) if isinstance(node, ast.Name) else ""


def loosely_dotted(node: ast.expr) -> str:
    """The names of a chain with calls in it: `a.B().c`; `?` for any other expression."""
    parts: list[str] = []
    for _ in range(_LINKS):
        if isinstance(node, ast.Attribute):
            parts.append(f".{node.attr}")
            node = node.value
        elif isinstance(node, ast.Call):
            parts.append("()")
            node = node.func
        else:
            break
    head = node.id if isinstance(node, ast.Name) else "?"
    return head + "".join(reversed(parts))


def root_of(node: ast.expr) -> str:
    """The first name of a chain; empty if it begins with something else."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
