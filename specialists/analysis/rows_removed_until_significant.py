"""Leaves out rows by one rule after another until the result is significant."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot, unless
from supervisor.evidence.analysis.significance import is_planned, rows_grow, rows_shrink, stopping_loops
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def rows_removed_until_significant(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_removed):
        return nudge(
            f"{found.where}`{found.text}` is repeated while rows are left out until it is significant, so the rows"
            " are chosen by the result.",
            correction="Fix one rule for outliers before the test, for a reason that has nothing to do"
            " with the result, and report the test with and without them.",
            evidence=(found.text,),
        )
    return ok()


def _removed(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: is_planned(flow), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for loop, event in stopping_loops(flow):
        if rows_shrink(flow, loop) and not rows_grow(flow, loop):
            yield spot(flow, event.line, loop.lineno)
