"""Chooses features by their relation to the target on all rows, and then tests on some of these rows."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot
from supervisor.evidence.analysis.learning import divisions
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def features_chosen_before_split(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_chosen):
        return nudge(
            f"{found.where}the features are chosen by {found.about} over all rows, so even noise that"
            " happens to fit the test rows is kept.",
            correction="Choose features on the training rows alone: divide first, or put the selector"
            " into a Pipeline that is cross-validated as a whole.",
            evidence=(found.text,),
        )
    return ok()


def _chosen(flow: Flow) -> Iterator[Spot]:
    for division in divisions(flow):
        for value in division.data:
            mark = value.mark("selected")
            if mark is not None:
                yield spot(flow, mark.line, division.event.line, about=mark.note)
