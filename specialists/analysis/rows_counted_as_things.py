"""Counts the rows of one table as the number of another thing: orders as customers."""

import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Query, Spot, Value, analysis, spot
from supervisor.evidence.analysis.labels import entity_of, is_one_each, singular
from supervisor.evidence.analysis.queries import column_name, only_ask, sources_of
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def rows_counted_as_things(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_counted, _in_query):
        reason = f"{found.where}`{found.text}` counts rows, and one {found.about} may have several of them."
        if action.kind == "sql" and only_ask(read.queries):  # the schema may rule it out
            return flag(reason, evidence=(found.text,))
        return nudge(
            reason,
            correction=f"Count each {found.about} once: nunique() in pandas, COUNT(DISTINCT …) in SQL, or"
            " drop_duplicates() before.",
            evidence=(found.text,),
        )
    return ok()


def _counted(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(("len", "count", "size")):
        data = event.receiver if event.receiver.base is not None else event.argument(0)
        if data is None or data.base is None or data.has("unique") or data.sort == "groups" or data.has("filtered"):
            continue
        for key in _keys(event, data):
            thing = entity_of(key).split("_")[-1]
            if thing and _claims(flow, event, thing) and not is_one_each(data.base.name or data.name, key):
                yield spot(flow, event.line, about=thing)


def _keys(event: Event, data: Value) -> Iterator[str]:
    if event.method == "count" and data.column:
        yield data.column
    elif event.method == "len" and not data.column and data.base is not None and data.base.name.endswith("s"):
        yield from sorted(data.base.seen | data.base.assigned.keys())


def _claims(flow: Flow, event: Event, thing: str) -> bool:
    """Whether the name or the text that the figure is given speaks of this thing in the plural."""
    line = flow.source(event.node.lineno).lower()
    if "unique(" in line:  # the same line counts each thing once
        return False
    told = event.target.lower() if event.target else line.partition("len(")[0].partition(".count(")[0]
    return any(singular(word) == thing and word != thing for word in _WORD.findall(told.replace("_", " ")))


_WORD = re.compile(r"[a-z]+")


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    for select in query.selects():
        tables = [each.name for each in sources_of(select).values() if isinstance(each, exp.Table)]
        for part in select.expressions:
            figure = part.unalias()
            if not isinstance(figure, exp.Count) or not isinstance(figure.this, exp.Column) or len(tables) != 1:
                continue
            key, alias = column_name(figure.this), part.alias.lower()
            thing = entity_of(key).split("_")[-1]
            if thing and not is_one_each(tables[0], key) and _names(alias, thing):
                yield Spot(query.line, part.sql(), thing)


def _names(alias: str, thing: str) -> bool:
    words = alias.split("_")
    return any(singular(word) == thing and word != thing for word in words) or bool({"unique", "distinct"} & set(words))
