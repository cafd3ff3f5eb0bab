"""Resamples the test set, so that its classes are no longer as frequent as where the model will work."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def test_set_rebalanced(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_rebalanced):
        return nudge(
            f"{found.where}`{found.text}` changes how frequent the classes of the test set are, so precision and"
            " accuracy on it hold nowhere else.",
            correction="Leave the test set as it was drawn, resample the training rows alone, and report a"
            " measure that"
            " suits rare classes (recall and precision, average precision).",
            evidence=(found.text,),
        )
    return ok()


def _rebalanced(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(("fit_resample", "fit_sample")):
        if event.args and event.args[0].notes("part") == {"test"}:
            yield spot(flow, event.line)
    for event in flow.calls_of(("sample", "resample")):
        data = event.receiver if event.receiver.base is not None else event.argument(0)
        if data is None or data.notes("part") != {"test"} or event.loops:
            continue
        if data.sort == "groups" or data.has("filtered"):  # so many rows of each class
            yield spot(flow, event.line)
