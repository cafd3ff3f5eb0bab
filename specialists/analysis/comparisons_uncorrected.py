"""Tests many hypotheses against one bar without a correction, so that chance alone passes some."""

import ast
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot, unless
from supervisor.evidence.analysis.significance import MANY, is_corrected, is_planned, loop_of, tests
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def comparisons_uncorrected(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_uncorrected):
        return nudge(
            f"{found.where}`{found.text}` is tested {found.about} against the same bar; of twenty tests without"
            " any effect, one passes 0.05 by chance.",
            correction="Correct for the number of tests,"
            ' statsmodels.stats.multitest.multipletests(pvalues, method="holm") or "fdr_bh",'
            " and say how many were made.",
            evidence=(found.text,),
        )
    return ok()


def _uncorrected(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: is_corrected(flow) or is_planned(flow), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    judged = {mark.line for _, value, _ in flow.compares for mark in value.marks if mark.kind == "p"}
    taken = [event for event in tests(flow) if event.line in judged]
    for event in taken:
        loop = loop_of(event)
        if isinstance(loop, ast.While) or (loop is None and len({each.line for each in taken}) < MANY):
            continue
        yield spot(flow, event.line, about="once for each" if loop is not None else f"{len(taken)} times")
