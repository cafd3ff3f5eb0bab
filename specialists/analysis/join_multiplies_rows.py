"""Adds up a column after a join that repeats its rows, so each value is counted several times."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Query, Spot, Value, analysis, spot
from supervisor.evidence.analysis.labels import entity_of, is_one_each
from supervisor.evidence.analysis.queries import Tree, is_grouped_by, only_ask, sources_of
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def join_multiplies_rows(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_added, _in_query):
        reason = (
            f"{found.where}`{found.text}` adds up rows that the join on `{found.about}` repeats, so the figure is"
            " too large."
        )
        if action.kind == "sql" and only_ask(read.queries):  # the schema may rule it out
            return flag(reason, evidence=(found.text,))
        return nudge(
            reason,
            correction=f"Aggregate each table to one row for each {found.about} before the join, and"
            ' state what you expect: merge(…, validate="one_to_one"); in SQL join a subquery'
            " with GROUP BY.",
            evidence=(found.text,),
        )
    return ok()


def _added(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(_ADDS):
        data = event.receiver if event.receiver.base is not None else event.argument(0)
        mark = data.mark("multiplied") if data is not None else None
        if data is None or mark is None or any(each.line > mark.line for each in data.marks if each.kind == "unique"):
            continue
        key, _, side = mark.note.partition("/")
        if not side or (event.method != "count" and _is_of(data, side, key)):
            yield spot(flow, event.line, mark.line, about=key)


_ADDS = ("sum", "mean", "agg", "aggregate", "count")


def _is_of(data: Value, side: str, key: str) -> bool:
    """Whether a column belongs to the side of a join whose rows are repeated."""
    column = data.column
    if not column or data.base is None or column == key:
        return False
    if column.lower().startswith(f"{entity_of(key)}_"):
        return True
    named = {base.name: column in base.seen | base.assigned.keys() for base in data.base.parents}
    return named.get(side, False) and not any(has for name, has in named.items() if name != side)


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    for select in query.selects():
        sources = sources_of(select)
        repeated = {one: key for one, key, many in _fans(select, sources) if not _is_grouped_by(select, many, one)}
        for figure in (each for part in select.expressions for each in part.find_all(exp.Sum, exp.Avg, exp.Count)):
            column = figure.this
            owner = column.table.lower() if isinstance(column, exp.Column) else ""
            if owner in repeated and figure.find_ancestor(exp.Select) is select:
                key = repeated[owner]
                if not isinstance(figure, exp.Count) or column.name.lower() == key:
                    yield Spot(query.line, figure.sql(), key)


def _is_grouped_by(select: Tree, many: str, one: str) -> bool:
    """Whether the groups are those of the repeating table or of one that is joined through it: then each group has the
    rows that belong to it."""
    from sqlglot import exp

    joined = {many}
    for join in select.args.get("joins") or ():
        condition = join.args.get("on")
        tables = {each.table.lower() for each in condition.find_all(exp.Column)} if condition is not None else set()
        if tables & joined and one not in tables:
            joined |= tables
    group = select.args.get("group")
    columns = group.find_all(exp.Column) if group is not None else ()
    return any(each.table.lower() in joined for each in columns)


def _fans(select: Tree, sources: dict[str, Tree]) -> Iterator[tuple[str, str, str]]:
    """The tables with one row for each key of which a join certainly repeats rows, each with the key and the table that
    repeats them."""
    from sqlglot import exp

    for join in select.args.get("joins") or ():
        condition = join.args.get("on")
        equals = list(condition.find_all(exp.EQ)) if condition is not None else []
        if len(equals) != 1 or str(join.args.get("kind") or "") in ("SEMI", "ANTI"):
            continue
        sides = (equals[0].left, equals[0].right)
        if not all(isinstance(side, exp.Column) and side.table.lower() in sources for side in sides):
            continue
        one = [_has_one(sources[side.table.lower()], side.name.lower()) for side in sides]
        for place, side in enumerate(sides):
            if one[place] and not one[1 - place]:
                yield side.table.lower(), side.name.lower(), sides[1 - place].table.lower()


def _has_one(source: Tree, column: str) -> bool:
    """Whether a table or a subquery has one row for each value of a column."""
    from sqlglot import exp

    return is_one_each(source.name, column) if isinstance(source, exp.Table) else is_grouped_by(source, column)
