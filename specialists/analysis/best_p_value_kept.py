"""Tries many groups or models and keeps the one with the smallest p-value."""

import ast
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot, unless
from supervisor.evidence.analysis.significance import is_corrected, is_planned, loop_of, tests
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def best_p_value_kept(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_kept):
        return nudge(
            f"{found.where}`{found.text}` keeps the smallest of the p-values of `{found.about}`, which is small"
            " because so many were tried.",
            correction="Report all that was tried, correct their p-values (multipletests), and confirm"
            " the best one on data that had no part in the choice.",
            evidence=(found.text,),
        )
    return ok()


def _kept(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: is_corrected(flow) or is_planned(flow), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    repeated = {event.line for event in tests(flow) if loop_of(event) is not None}
    for event in flow.calls_of(("min", "argmin", "idxmin", "nsmallest", "nanargmin")):
        marks = [mark for value in event.given for mark in value.marks if mark.kind == "p" and mark.line in repeated]
        if marks:
            yield spot(flow, event.line, marks[0].line, about=flow.source(marks[0].line))
    for node, value, loops in flow.compares:
        marks = [mark for mark in value.marks if mark.kind == "p" and mark.line in repeated]
        if marks and loops and "best" in ast.dump(node).lower():
            yield spot(flow, node.lineno, marks[0].line, about=flow.source(marks[0].line))
