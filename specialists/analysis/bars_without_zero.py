"""Draws bars on an axis that does not begin at zero, so that their lengths lie."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Spot, analysis, spot
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def bars_without_zero(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_cut):
        return nudge(
            f"{found.where}`{found.text}` lets the bars begin at {found.about}, so a small difference looks like a"
            " multiple.",
            correction="Let the axis of bars begin at zero; to show small differences, draw points or a"
            " line, or plot the difference itself.",
            evidence=(found.text,),
        )
    return ok()


def _cut(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(("ylim", "set_ylim", "coord_cartesian", "update_yaxes", "xlim", "set_xlim")):
        low = _lower(event)
        if low is None or low <= 0:
            continue
        kinds = _UPRIGHT if "x" not in event.method.removesuffix("lim")[-1:] else ("barh",)
        before = [each for each in flow.events if _is_drawn(each) and each.line <= event.line]
        after = [each for each in flow.events if _is_drawn(each) and each.line > event.line]
        nearest = before[-1] if before else next(iter(after), None)
        if nearest is not None and (nearest.method in kinds or nearest.const("kind") in kinds):
            yield spot(flow, event.line, nearest.line, about=f"{low:g}")
    for event in flow.calls_of(("bar", "histogram")):
        span = event.options.get("range_y")
        first = span.parts[0].const if span is not None and span.parts else None
        if isinstance(first, (int, float)) and first > 0:
            yield spot(flow, event.line, about=f"{first:g}")


_UPRIGHT = ("bar", "barplot", "countplot", "bar_chart", "geom_bar", "geom_col", "hist", "histplot")
_DRAWN = frozenset(
    (*_UPRIGHT, "barh", "plot", "scatter", "boxplot", "lineplot", "violinplot", "errorbar", "scatterplot")
)


def _is_drawn(event: Event) -> bool:
    return event.method in _DRAWN


def _lower(event: Event) -> float | None:
    """Where an axis begins, if the code tells."""
    span = event.argument(0, "bottom", "ymin", "left", "ylim", "range")
    low = span.parts[0].const if span is not None and span.parts else span.const if span is not None else None
    return float(low) if isinstance(low, (int, float)) and not isinstance(low, bool) else None
