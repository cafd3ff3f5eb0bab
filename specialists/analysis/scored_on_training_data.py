"""Scores a model on the rows that it has learnt, and on no others."""

import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, analysis, spot, tables, unless
from supervisor.evidence.analysis.learning import is_judged_elsewhere
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def scored_on_training_data(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_scored):
        return nudge(
            f"{found.where}`{found.text}` measures the model on the rows that it was fitted on, which shows memory"
            " and not prediction.",
            correction="Hold rows back: fit on X_train and score on X_test from train_test_split, or use"
            " cross_val_score.",
            evidence=(found.text,),
        )
    return ok()


def _scored(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: is_judged_elsewhere(flow) or _ADMITS.search(flow.text), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(tables.METRICS):
        model = next((value.model for value in event.given if value.model is not None), None)
        if model is None or model.fitted is None or model.target is None or model.fitted.base is None:
            continue
        data = [value for value in event.args if value.base is not None and value.base is model.fitted.base]
        if data and (event.method == "score" or any(value.has("predicted") for value in event.args)):
            yield spot(flow, event.line, model.line, about=model.kind)


_ADMITS = re.compile(
    r"(?i)\b(?:in.?sample|train(?:ing)?.?(?:set|score|accuracy|error|fit|data)|goodness|resubstitution|assert)\b"
)
