"""Collects data and tests it again and again, and stops as soon as the result is significant."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot, unless
from supervisor.evidence.analysis.significance import is_planned, rows_grow, stopping_loops
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def stopped_when_significant(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_stopped):
        return nudge(
            f"{found.where}`{found.text}` is repeated on more and more data until it is significant, which it"
            " becomes by chance in the end.",
            correction="Fix the number of observations before, and test once; or use a design that allows"
            " looks (alpha"
            " spending, a sequential test) and name it.",
            evidence=(found.text,),
        )
    return ok()


def _stopped(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: is_planned(flow), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for loop, event in stopping_loops(flow):
        if rows_grow(flow, loop):
            yield spot(flow, event.line, loop.lineno)
