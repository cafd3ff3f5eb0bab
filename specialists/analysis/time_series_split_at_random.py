"""Divides rows that follow each other in time at random, so the model learns from the days after those it predicts."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot, tables
from supervisor.evidence.analysis.learning import divisions
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def time_series_split_at_random(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_shuffled):
        return nudge(
            f"{found.where}`{found.text}` draws rows at random although they follow each other in time"
            f" (`{found.about}`), so the test rows lie between known neighbours.",
            correction="Divide by time: train on the rows before a date and test on those after it, or"
            " use TimeSeriesSplit; train_test_split needs shuffle=False.",
            evidence=(found.text,),
        )
    return ok()


def _shuffled(flow: Flow) -> Iterator[Spot]:
    for division in divisions(flow):
        if not division.random or division.fold in tables.TIME_FOLDS:
            continue
        for value in division.data:
            mark = value.mark("ordered")
            if mark is not None:
                yield spot(flow, division.event.line, mark.line, about=flow.source(mark.line))
                break
