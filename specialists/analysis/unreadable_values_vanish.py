"""Turns what cannot be read into gaps and computes a figure without counting them."""

import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Query, Spot, analysis, spot, tables, unless
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def unreadable_values_vanish(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_vanished, _in_query):
        return nudge(
            f"{found.where}`{found.text}` makes a gap of every value that it cannot read, and `{found.about}`"
            " leaves these rows out in silence.",
            correction="Count them first: bad = values.isna() & raw.notna(); print(bad.sum(),"
            " raw[bad].unique()[:10]); then mend the format or state how many rows are"
            " missing.",
            evidence=(found.text,),
        )
    return ok()


def _vanished(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: _COUNTS.search(flow.text), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(tables.AGGREGATES):
        data = event.receiver if event.receiver.base is not None else event.argument(0)
        mark = data.mark("coerced") if data is not None else None
        if mark is not None:
            yield spot(flow, mark.line, event.line, about=flow.source(event.line))


_COUNTS = re.compile(
    r"(?i)isna\(|isnull\(|notna\(|notnull\(|null_count|\.info\(|is_null|is_not_null|unparsed|invalid|n_bad"
    r"|\.count\(\)"
)


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    if _CHECKED.search(query.text):
        return
    for select in query.selects():
        for figure in (
            each for part in select.expressions for each in part.find_all(exp.Avg, exp.Sum, exp.Max, exp.Min)
        ):
            if figure.find(exp.TryCast) is not None:
                yield Spot(query.line, figure.sql()[:160], figure.sql()[:80])


_CHECKED = re.compile(r"(?i)\bis\s+(?:not\s+)?null\b|countif|count_if|\bcount\s*\(")
