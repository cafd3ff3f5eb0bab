"""Fills missing measurements with zero and then takes their mean, spread or correlation."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Query, Spot, analysis, spot
from supervisor.evidence.analysis.labels import is_counted
from supervisor.evidence.analysis.queries import column_name
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def gaps_filled_with_zero(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_filled, _in_query):
        return nudge(
            f"{found.where}`{found.text}` counts what was not measured as zero, which pulls `{found.about}`"
            " towards zero.",
            correction="Leave the gaps empty (mean() and AVG skip them) and state how many there are, or"
            " impute and say how; zero only where it is a true value.",
            evidence=(found.text,),
        )
    return ok()


def _filled(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(_SKEWED):
        data = event.receiver if event.receiver.base is not None else event.argument(0)
        if (
            data is None
            or data.has(*_TRUE_ZEROS)
            or any(kind.kind == "merged" and kind.note == "left" for kind in data.marks)
        ):
            continue
        mark = data.mark("zeroed")
        column = data.column or (mark.note if mark is not None else "")
        if mark is not None and mark.line <= event.line and not is_counted(column):
            yield spot(flow, mark.line, event.line, about=flow.source(event.line))


_SKEWED = ("mean", "median", "std", "var", "corr", "corrwith", "nanmean", "average", "quantile", "min", "agg")
# What a count of nothing, or of a combination that did not occur, really is.
_TRUE_ZEROS = ("pivoted", "group_count", "group_size", "group_sum", "group_nunique", "group_value_counts", "group_len")


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    for select in query.selects():
        if any(join.args.get("side") for join in select.args.get("joins") or ()):
            continue  # what an outer join did not find is zero
        for figure in (each for part in select.expressions for each in part.find_all(exp.Avg, exp.Stddev, exp.Corr)):
            filled = figure.this
            if isinstance(filled, exp.Coalesce) and [each.name for each in filled.expressions] in (["0"], ["0.0"]):
                name = column_name(filled.this)
                if name and not is_counted(name):
                    yield Spot(query.line, figure.sql(), figure.sql())
