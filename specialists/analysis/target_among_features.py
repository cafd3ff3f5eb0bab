"""Leaves the target, or a column that is computed from it, among the features."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot
from supervisor.evidence.analysis.learning import Lesson, lessons
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def target_among_features(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_leaks):
        return nudge(
            f"{found.where}the features contain `{found.about}`, which is the target or computed from it, so the score"
            " says nothing.",
            correction=f'Take it out before the fit: X = df.drop(columns=["{found.about}", …]), together'
            " with everything that is known only once the target is.",
            evidence=(found.text, found.about),
        )
    return ok()


def _leaks(flow: Flow) -> Iterator[Spot]:
    for lesson in lessons(flow):
        for column in _leaked(lesson):
            yield spot(flow, lesson.event.line, about=column)


def _leaked(lesson: Lesson) -> Iterator[str]:
    target, features = lesson.target.column, lesson.features
    base = features.base
    if not target or base is None or base is not lesson.target.base or features.column:
        return
    if features.holds(target):
        yield target
    for column, value in base.assigned.items():
        own = value.base is base and value.column == target and not value.has("ordered", "within", "ahead")
        if column != target and own and features.holds(column):
            yield column
