"""Gives a model values of later rows as features, which nobody has at the time of the prediction."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot
from supervisor.evidence.analysis.learning import lessons
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def future_value_among_features(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_ahead):
        return nudge(
            f"{found.where}the feature `{found.about}` takes its value from a later row, which is not"
            " known yet when the model has to predict.",
            correction=f"Use earlier rows (shift(1), a trailing window), and leave {found.about} out of X"
            f' unless it is the target: X = df.drop(columns=["{found.about}", "target"]).',
            evidence=(found.text, found.about),
        )
    return ok()


def _ahead(flow: Flow) -> Iterator[Spot]:
    for lesson in lessons(flow):
        base = lesson.features.base
        for column, value in base.assigned.items() if base is not None else ():
            mark = value.mark("ahead")
            if mark is not None and column != lesson.target.column and lesson.features.holds(column):
                yield spot(flow, mark.line, lesson.event.line, about=column)
