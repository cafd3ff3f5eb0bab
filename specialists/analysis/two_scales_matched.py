"""Draws two quantities on two scales that are both set by hand, so that the curves meet or cross as wanted."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Spot, analysis, spot
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def two_scales_matched(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_matched):
        return nudge(
            f"{found.where}`{found.text}` puts two quantities on one plot whose scales are both chosen by hand"
            f" (`{found.about}`), so their crossing means nothing.",
            correction="Draw two panels one above the other (plt.subplots(2, sharex=True)), or one scale"
            " for both: an index with the first value at 100.",
            evidence=(found.text,),
        )
    return ok()


def _matched(flow: Flow) -> Iterator[Spot]:
    second = next(flow.calls_of(("twinx", "twiny", "sec_axis")), None)
    if second is None:
        return
    limits = "set_ylim" if second.method == "twinx" else "set_xlim"
    set_by_hand = [event for event in flow.calls_of((limits, limits.removeprefix("set_"))) if _is_chosen(event)]
    if len({event.name for event in set_by_hand}) > 1:
        yield spot(flow, second.line, *(event.line for event in set_by_hand), about=flow.source(set_by_hand[0].line))


def _is_chosen(event: Event) -> bool:
    """Whether limits are literals, and do not simply begin at zero."""
    values = [part for value in (*event.args, *event.options.values()) for part in (value, *value.parts)]
    numbers = [value.const for value in values if isinstance(value.const, (int, float))]
    return bool(numbers) and numbers[0] != 0
