"""Judges a classifier of a rare class by accuracy alone, which a constant answer reaches as well."""

import ast
import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, Value, analysis, spot, unless
from supervisor.evidence.effects import Act
from supervisor.evidence.python.names import words_of
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def accuracy_hides_rare_class(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_hidden):
        return nudge(
            f"{found.where}`{found.text}` gives accuracy alone where `{found.about}` is rare: to answer `no` each"
            " time would score almost as well.",
            correction="Give recall and precision of the rare class, average precision or balanced accuracy,"
            " beside the"
            " score of a constant answer (DummyClassifier).",
            evidence=(found.text,),
        )
    return ok()


def _hidden(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: _OTHERS.search(flow.text), _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(("accuracy_score", "score")):
        if event.method == "score" and not (event.receiver.model and _CLASSIFIES.search(event.receiver.model.kind)):
            continue
        rare = next((name for value in event.given for name in _names(value) if _RARE & words_of(name)), "")
        if rare:
            yield spot(flow, event.line, about=rare)
    for event in flow.calls_of(("accuracy_score",)):
        guess = event.argument(1, "y_pred")
        if (
            guess is not None
            and isinstance(event.node.args[-1], ast.Call)
            and _CONSTANT.search(ast.dump(event.node.args[-1]))
        ):
            yield spot(flow, event.line, about="a constant answer")


_RARE = frozenset(
    (
        "fraud fraudulent anomaly anomalies rare intrusion stroke cancer tumour tumor sepsis defect"
        " defects defective failure default defaulted bankrupt malignant hiv malware attack outage"
        " breakdown"
    ).split()
)
_OTHERS = re.compile(
    r"(?i)f1_score|recall|precision|roc_auc|average_precision|balanced_accuracy|confusion"
    r"|classification_report|matthews"
    r"|value_counts|baseline|dummy|undersampl|fbeta|sensitivity|auc\b|bincount|majority"
)
_CLASSIFIES = re.compile(r"Classifier|Logistic|SVC|NB$|Bayes")
_CONSTANT = re.compile(r"zeros|ones|full|most_common")


def _names(value: Value) -> Iterator[str]:
    """The column, the name and the files of a value."""
    yield from (value.column, value.name, *value.notes("read"))
    if value.model is not None and value.model.target is not None:
        yield from (value.model.target.column, value.model.target.name)
