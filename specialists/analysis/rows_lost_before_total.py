"""Gives a total over rows of which an unknown number was dropped before."""

import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Spot, Value, analysis, spot, tables, unless
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def rows_lost_before_total(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_lost):
        return nudge(
            f"{found.where}`{found.text}` may drop rows, nobody counts how many, and `{found.about}` gives the"
            " figure as if all were there.",
            correction="Count before and after (print(len(df))), drop only for the columns in use"
            ' (dropna(subset=[…])), or keep the rows: merge(how="left", indicator=True); then'
            " state how many are missing.",
            evidence=(found.text,),
        )
    return ok()


def _lost(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: _COUNTS.search(flow.text), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(tables.TOTALS | tables.AVERAGES):
        data = event.receiver if event.receiver.base is not None else event.argument(0)
        if data is None or data.sort == "model":
            continue
        mark = data.mark("dropped")
        if mark is not None:
            yield spot(flow, mark.line, event.line, about=flow.source(event.line))
        mark = data.mark("merged")
        if mark is not None and mark.note == "inner" and event.method == "sum" and _is_grand(flow, event, data):
            yield spot(flow, mark.line, event.line, about=flow.source(event.line))


_COUNTS = re.compile(
    r"\.shape\b|\blen\(|\.isna\(|\.isnull\(|\.notna\(|null_count|indicator|validate=|nrow\(|\.height\b"
    r"|\.info\(|is_null"
)
_GRAND = re.compile(
    r"(?i)\b(?:grand|overall|entire|whole|company.?wide|total_\w+|all[ _](?:orders|customers|sales|rows|payments))"
)


def _is_grand(flow: Flow, event: Event, data: Value) -> bool:
    """Whether a sum is given as one over everything."""
    line = flow.source(event.line)
    return data.sort != "groups" and not data.has("filtered") and _GRAND.search(line) is not None
