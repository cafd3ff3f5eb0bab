"""Chooses a model, a setting or a threshold by its score on the test set, which then measures nothing."""

import ast
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Mark, Spot, Value, analysis, spot, tables
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def chosen_on_test_set(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_chosen):
        return nudge(
            f"{found.where}`{found.text}` chooses by the score on the test set, so that score is too good for what"
            " is chosen.",
            correction="Choose on a validation part or by cross-validation on the training rows, and"
            " score the chosen one on the test set once, at the end.",
            sharper="Divide the training rows again (X_train, X_val), choose on X_val, and leave X_test alone"
            " until the"
            " last line.",
            evidence=(found.text,),
        )
    return ok()


def _chosen(flow: Flow) -> Iterator[Spot]:
    for event in flow.calls_of(tables.CHOOSES):
        mark = _by_test([*event.given, *(part for each in event.given for part in each.parts)])
        if mark is not None and _is_one_of_many(flow, mark.line):
            yield spot(flow, event.line, mark.line)
    for node, found, loops in flow.compares:
        mark = _by_test([found])
        if mark is not None and loops and _is_one_of_many(flow, mark.line) and _is_kept(node):
            yield spot(flow, node.lineno, mark.line)
    for event in flow.calls_of(("fit", "train")):
        if event.receiver.model is not None and event.receiver.model.kind in tables.SEARCHES:
            if any(each.notes("part") == {"test"} for each in event.args):
                yield spot(flow, event.line)
        elif _stops_early(flow) and any(_is_test(event.options[name]) for name in _WATCHES if name in event.options):
            yield spot(flow, event.line)


_WATCHES = ("eval_set", "validation_data", "evals", "eval_sets", "valid_sets")


def _by_test(values: list[Value]) -> Mark | None:
    """A score on the test rows among what was done to these values."""
    marks = (mark for value in values for mark in value.marks)
    return next((mark for mark in marks if mark.kind == "scored" and mark.note == "test"), None)


def _is_one_of_many(flow: Flow, line: int) -> bool:
    """Whether the score is taken again for each candidate, or is a curve over thresholds."""
    scores = [event for event in flow.events if event.line == line and event.method in tables.METRICS]
    return any(event.method in tables.CURVES or _is_over_candidates(event) for event in scores)


def _is_over_candidates(event: Event) -> bool:
    return any(not _is_over_folds(loop) for loop in event.loops)


def _is_over_folds(loop: ast.AST) -> bool:
    iterated = loop.iter if isinstance(loop, ast.For) else None
    return isinstance(iterated, ast.Call) and "split" in ast.dump(iterated.func)


def _is_kept(node: ast.Compare) -> bool:
    """Whether the other side of a comparison is the best score so far."""
    sides = [node.left, *node.comparators]
    return any("best" in ast.dump(side).lower() for side in sides)


def _is_test(value: Value) -> bool:
    return any("test" in each.notes("part") for each in (value, *value.parts))


def _stops_early(flow: Flow) -> bool:
    return bool(flow.names & {"early", "stopping", "checkpoint"}) or "use_best_model" in flow.text
