"""Adds or subtracts quantities of different units or currencies."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Query, Spot, analysis, spot
from supervisor.evidence.analysis.labels import different_units
from supervisor.evidence.analysis.queries import Tree, column_name
from supervisor.evidence.analysis.relations import name_of
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def units_added(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_added, _in_query):
        return nudge(
            f"{found.where}`{found.text}` adds {found.about} as if they were one unit.",
            correction="Convert one of them first, with the factor or the rate in the code and the unit in the name:"
            " total_usd = amount_usd + amount_eur * usd_per_eur.",
            evidence=(found.text,),
        )
    return ok()


def _added(flow: Flow) -> Iterator[Spot]:
    for node, _, _ in flow.sums:
        units = different_units(name_of(node.left), name_of(node.right))
        if units:
            yield spot(flow, node.lineno, about=units)
    for event in flow.calls_of(("sum", "sum_horizontal")):
        if event.const("axis") in (1, "columns") and event.receiver.only:
            first, *others = sorted(event.receiver.only)
            units = next(filter(None, (different_units(first, other) for other in others)), "")
            if units:
                yield spot(flow, event.line, about=units)


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    for node in query.tree.find_all(exp.Add, exp.Sub):
        left, right = (_quantity(side) for side in (node.left, node.right))
        units = different_units(left, right)
        if units:
            yield Spot(query.line, node.sql()[:160], units)


def _quantity(node: Tree) -> str:
    """The name of a column, also of its sum."""
    from sqlglot import exp

    inner = node.this if isinstance(node, (exp.Sum, exp.Avg, exp.Coalesce, exp.Paren)) else node
    return column_name(inner)
