"""Where an analysis divides its rows, learns from them, and scores what it has learnt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from supervisor.evidence.analysis import tables
from supervisor.evidence.analysis.flow import Flow
from supervisor.evidence.analysis.values import Event, Value

_DIVIDES = tables.FOLDS | tables.GROUP_FOLDS | tables.TIME_FOLDS


class Division(NamedTuple):
    """One division of rows into parts: by a function, by folds, or inside a search. `fold` is the class of the folds,
    `random` whether rows are drawn at random."""

    event: Event
    data: tuple[Value, ...]
    fold: str = ""
    random: bool = True


class Lesson(NamedTuple):
    """Features and a target that a model learns from or that are divided together."""

    event: Event
    features: Value
    target: Value


def divisions(flow: Flow) -> Iterator[Division]:
    """Every division of rows, in the order of evaluation by kind."""
    for event in flow.calls_of(tables.SPLITTERS):
        shuffled = event.const("shuffle") is not False
        yield Division(event, event.args, "grouped" if _groups(event) else "", shuffled)
    for event in flow.calls_of(tables.CROSS):
        fold = event.options.get("cv")
        kind = fold.model.kind if fold is not None and fold.model is not None else "KFold"
        yield Division(event, event.args[1:], "GroupKFold" if _groups(event) else kind, False)
    for event in flow.calls_of(("split",)):
        if event.receiver.model is not None and event.receiver.model.kind in _DIVIDES:
            yield Division(event, event.args, event.receiver.model.kind, _is_shuffled(flow, event.receiver))
    for event in flow.calls_of(("fit",)):
        if event.receiver.model is not None and event.receiver.model.kind in tables.SEARCHES:
            yield Division(event, event.args, "KFold", False)


def lessons(flow: Flow) -> Iterator[Lesson]:
    """Every place where features meet their target."""
    for event in flow.calls_of(("fit", "partial_fit", "fit_predict")):
        if event.receiver.model is not None:
            features, target = event.argument(0, "X", "x"), event.argument(1, "y")
            if features is not None and target is not None:
                yield Lesson(event, features, target)
    for event in flow.calls_of(tables.SPLITTERS):
        if len(event.args) > 1:
            yield Lesson(event, event.args[0], event.args[1])
    for event in flow.calls_of(tables.CROSS):
        if len(event.args) > 2:
            yield Lesson(event, event.args[1], event.args[2])


def is_judged_elsewhere(flow: Flow) -> bool:
    """Whether the code divides its rows, or scores a part that the model has not learnt from."""
    if next(divisions(flow), None) is not None:
        return True
    parts = (value.notes("part") for event in flow.events for value in event.given)
    return any("test" in each or "val" in each for each in parts)


def _groups(event: Event) -> bool:
    return "groups" in event.options or "group" in event.options


def _is_shuffled(flow: Flow, splitter: Value) -> bool:
    if splitter.model is not None and "Shuffle" in splitter.model.kind:
        return True
    made = (event for event in flow.events if event.result.model is splitter.model and event.method[:1].isupper())
    return any(event.const("shuffle") is True for event in made)
