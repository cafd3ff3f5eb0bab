"""Tests of significance in an analysis: how often they are taken, on which rows, and what their p-value decides."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from supervisor.evidence.analysis import tables
from supervisor.evidence.analysis.flow import Flow
from supervisor.evidence.analysis.values import Event
from supervisor.regexes import compile_later

MANY = 5  # tests from which on a result by chance is likely
_CORRECTED = compile_later(
    r"(?i)multipletests|bonferroni|holm\b|fdr|hochberg|sidak|p_?adjust|/\s*len\(|/\s*n_(?:tests|comparisons|pairs)"
    r"|corrected|q_?values?\b|false_discovery|tukey|dunnett|family.?wise"
)
_PLANNED = compile_later(
    r"(?i)sequential|alpha.?spend|o'?brien|pocock|sprt|always.?valid|simulat|false.?positive|type.?i\b|monte.?carlo|power"
    r"|sensitivity|robust"
)
_GROWS = frozenset("append extend concat concatenate hstack vstack fetch recruit read_more next bind_rows".split())
_SHRINKS = frozenset("drop dropna query filter trim winsorize trimboth nlargest pop remove delete clip".split())
Loop = ast.For | ast.While


def is_corrected(flow: Flow) -> bool:
    """Whether the code corrects p-values for their number."""
    return _CORRECTED.search(flow.text) is not None


def is_planned(flow: Flow) -> bool:
    """Whether the code tells of a design in which repeated looks are allowed for, or of a simulation."""
    return _PLANNED.search(flow.text) is not None


def tests(flow: Flow) -> list[Event]:
    """The tests on data that was not drawn at random by the code itself."""
    return [event for event in flow.calls_of(tables.TESTS) if not _is_simulated(event)]


def _is_simulated(event: Event) -> bool:
    given = event.given
    return any(value.has("random") for value in given) and not any(value.has("read") for value in given)


def loop_of(event: Event) -> ast.AST | None:
    """The innermost loop around a test, if it goes through more than two things."""
    for loop in reversed(event.loops):
        iterated = loop.iter if isinstance(loop, ast.For) else None
        if not (isinstance(iterated, (ast.List, ast.Tuple)) and len(iterated.elts) < 3):
            return loop
    return None


def stopping_loops(flow: Flow) -> Iterator[tuple[Loop, Event]]:
    """The loops that end once a p-value is small, each with its test."""
    by_line = {node.lineno for node, value in flow.conditions if value.has("p")}
    for event in tests(flow):
        for loop in event.loops:
            if (isinstance(loop, ast.While) and loop.test.lineno in by_line) or (
                isinstance(loop, (ast.For, ast.While)) and any(_ends(node, by_line) for node in ast.walk(loop))
            ):
                yield loop, event


def _ends(node: ast.AST, by_line: set[int]) -> bool:
    """Whether a condition on a p-value ends the loop around it."""
    if not isinstance(node, ast.If) or node.test.lineno not in by_line:
        return False
    return any(isinstance(each, (ast.Break, ast.Return)) for each in node.body)


def rows_grow(flow: Flow, loop: Loop) -> bool:
    """Whether each pass of a loop tests more rows than the last: `a[:n]`, `extend`, another batch."""
    if any(event.method in _GROWS or event.method.startswith(("collect", "fetch")) for event in _within(flow, loop)):
        return True
    return any(
        isinstance(node, ast.Slice) and node.lower is None and isinstance(node.upper, ast.Name)
        for node in ast.walk(loop)
    )


def rows_shrink(flow: Flow, loop: Loop) -> bool:
    """Whether each pass of a loop leaves rows out: by a condition or a method that drops them."""
    inside = {id(node) for node in ast.walk(loop)}
    if any(id(node) in inside for node, _ in flow.masks):
        return True
    return any(event.method in _SHRINKS for event in _within(flow, loop))


def _within(flow: Flow, loop: Loop) -> Iterator[Event]:
    return (event for event in flow.events if loop in event.loops)
