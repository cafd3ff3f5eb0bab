"""Selects rows by conditions that exclude each other, so that none or all of them remain."""

import ast
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Query, Spot, analysis, spot
from supervisor.evidence.analysis.queries import Tree
from supervisor.evidence.analysis.relations import contradictions, equalities, expression_of
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def filter_contradicts_itself(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_never, _in_query):
        return nudge(
            f"{found.where}`{found.text}` compares `{found.about}` with two values at once, which no row fulfils,"
            " or every row does.",
            correction="If either value will do, use isin([…]), `|` or IN (…); if neither will, use"
            " ~isin([…]), `&` or NOT IN (…).",
            evidence=(found.text,),
        )
    return ok()


def _never(flow: Flow) -> Iterator[Spot]:
    for node, value in flow.masks:
        for column in contradictions(node):
            yield spot(flow, node.lineno, about=column)
        given = dict(note.split("=", 1) for note in value.notes("filtered") if "=" in note)
        for note in equalities(node):
            column, _, literal = note.partition("=")
            if given.get(column, literal) != literal:
                yield spot(flow, node.lineno, about=column)
    for event in flow.calls_of(("filter", "query")):
        for column in _in_call(event):
            yield spot(flow, event.line, about=column)


def _in_call(event: Event) -> Iterator[str]:
    if event.method == "query" and event.args and isinstance(event.args[0].const, str):
        condition = expression_of(event.args[0].const)
        yield from contradictions(condition) if condition is not None else ()
    elif event.method == "filter" and event.node.args:
        joined = event.node.args[0]
        for each in event.node.args[1:]:
            joined = ast.BinOp(joined, ast.BitAnd(), each)
        yield from contradictions(joined)


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    for where in query.tree.find_all(exp.Where, exp.Having):
        for joined, compared in ((exp.And, exp.EQ), (exp.Or, exp.NEQ)):
            for group in where.find_all(joined):
                if not isinstance(group.parent, joined):
                    yield from (Spot(query.line, group.sql()[:160], name) for name in _opposed(group, compared))


def _opposed(group: Tree, compared: type[Tree]) -> Iterator[str]:
    """The columns that a group of conditions compares with two different literals."""
    from sqlglot import exp

    seen: dict[str, str] = {}
    for part in group.flatten():
        inner = part.unnest()
        if type(inner) is compared and isinstance(inner.left, exp.Column) and isinstance(inner.right, exp.Literal):
            name, literal = inner.left.sql().lower(), inner.right.sql()
            if seen.setdefault(name, literal) != literal:
                yield name
