"""Fits a scaler, an imputer or another transformer on all rows before they are divided, so the test set is known."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot
from supervisor.evidence.analysis.learning import divisions
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def fitted_before_split(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_leaks):
        return nudge(
            f"{found.where}`{found.text}` learns {found.about} from all rows, also from those that test"
            " the model later.",
            correction="Divide the rows first, and fit on the training rows alone; or put the step into"
            " a Pipeline, which cross_val_score and GridSearchCV fit again in each fold.",
            sharper="Call train_test_split before this line, use fit_transform on the training part and"
            " transform on the test part, and report the score that this gives.",
            evidence=(found.text,),
        )
    return ok()


def _leaks(flow: Flow) -> Iterator[Spot]:
    for division in divisions(flow):
        for value in division.data:
            mark = value.mark("fitted")
            if mark is not None:
                yield spot(flow, mark.line, division.event.line, about=_what(mark.note))
    for event in flow.calls_of(("transform",)):
        model, data = event.receiver.model, event.argument(0, "X")
        if model is None or data is None or model.fitted is None or not model.whole or not event.result.has("fitted"):
            continue
        if data.has("part") and data.base is not None and data.base is model.fitted.base:
            yield spot(flow, event.line, about=_what(model.kind))


def _what(note: str) -> str:
    return note if note.startswith("its") else f"the parameters of {note}"
