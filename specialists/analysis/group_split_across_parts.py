"""Divides the rows of one person or thing at random, so the model is tested on those whom it knows."""

from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Flow, Spot, Value, analysis, spot, tables
from supervisor.evidence.analysis.labels import is_entity
from supervisor.evidence.analysis.learning import divisions
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def group_split_across_parts(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_apart):
        return nudge(
            f"{found.where}`{found.text}` puts rows of one {found.about} on both sides, so the test shows how well"
            " the model knows it, not how it does on a new one.",
            correction=f"Divide by {found.about}: GroupShuffleSplit or GroupKFold with"
            f" groups=df['{found.about}'], so that each is on one side alone.",
            evidence=(found.text,),
        )
    return ok()


def _apart(flow: Flow) -> Iterator[Spot]:
    for division in divisions(flow):
        if division.fold in tables.GROUP_FOLDS | tables.TIME_FOLDS or division.fold == "grouped":
            continue
        for value in division.data:
            key = next((key for key in _repeated(flow, value) if is_entity(key)), "")
            if key:
                yield spot(flow, division.event.line, about=key)
                break


def _repeated(flow: Flow, value: Value) -> Iterator[str]:
    """The keys of which a table is known to have several rows each."""
    if value.has("unique") or value.has("ordered"):
        return
    for mark in value.marks:
        if mark.kind == "within":
            yield from mark.note.split(",")
    for event in flow.calls_of(("nunique", "value_counts", "n_unique")):
        if value.base is not None and event.receiver.base is value.base and event.receiver.column:
            yield event.receiver.column
