"""Excludes by NOT IN over a subquery that may return NULL, in which case no row remains."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Query, Spot, analysis
from supervisor.evidence.analysis.labels import is_one_each
from supervisor.evidence.analysis.queries import Tree, only_ask
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def not_in_with_nulls(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(None, _nullable):
        reason = (
            f"{found.where}`{found.text}` keeps no row at all as soon as one `{found.about}` of the subquery is NULL."
        )
        if action.kind == "sql" and only_ask(read.queries):  # the schema may rule it out
            return flag(reason, evidence=(found.text,))
        return nudge(
            reason,
            correction="Use NOT EXISTS or a LEFT JOIN with IS NULL, or keep NULL out of the subquery:"
            f" {found.about} IS NOT NULL.",
            evidence=(found.text,),
        )
    return ok()


def _nullable(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    for each in query.tree.find_all(exp.Not):
        inside = each.this.unnest() if each.this is not None else None
        subquery = inside.args.get("query") if isinstance(inside, exp.In) else None
        select = subquery.unnest() if subquery is not None else None
        if isinstance(select, exp.Select) and len(select.expressions) == 1 and _may_be_null(select):
            yield Spot(query.line, each.sql()[:160], select.expressions[0].unalias().name)


def _may_be_null(select: Tree) -> bool:
    """Whether a subquery may return NULL: its only column is no key of its own table, and nothing keeps NULL out."""
    from sqlglot import exp

    column = select.expressions[0].unalias()
    if not isinstance(column, exp.Column):
        return False
    source = select.args.get("from_")
    table = source.this.name if source is not None and isinstance(source.this, exp.Table) else ""
    if is_one_each(table, column.name) or column.name == "x":
        return False
    condition = select.args.get("where")
    tested = condition.find_all(exp.Column) if condition is not None else ()
    return not table or all(each.name.lower() != column.name.lower() for each in tested)
