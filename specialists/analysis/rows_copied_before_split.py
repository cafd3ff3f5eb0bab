"""Oversamples before the rows are divided, so copies of a test row are among the training rows."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot
from supervisor.evidence.analysis.learning import divisions
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def rows_copied_before_split(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_copied):
        return nudge(
            f"{found.where}{found.about} multiplies rows before they are divided, so the model is tested"
            " on rows that it has learnt by heart.",
            correction="Divide the rows first and resample the training part alone; in cross-validation,"
            " put the sampler into imblearn.pipeline.Pipeline.",
            evidence=(found.text,),
        )
    return ok()


def _copied(flow: Flow) -> Iterator[Spot]:
    for division in divisions(flow):
        for value in division.data:
            mark = value.mark("copied")
            if mark is not None:
                yield spot(flow, mark.line, division.event.line, about=mark.note)
