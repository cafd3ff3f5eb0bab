"""What the calls of data libraries return, as far as a fault depends on it."""

from __future__ import annotations

from supervisor.evidence.analysis import tables
from supervisor.evidence.analysis.expressions import is_part, union
from supervisor.evidence.analysis.methods import Methods, marks_of
from supervisor.evidence.analysis.relations import rows_of
from supervisor.evidence.analysis.values import UNKNOWN, Base, Event, Mark, Model, Value


class Calls(Methods):
    """The rule by which the value of a call follows from what it is given."""

    def result_of(self, event: Event) -> Value:
        """The value of a call, by the rule for its method, if there is one."""
        method, receiver = event.method, event.receiver
        if method.startswith("read_") or method in tables.READERS:
            return self._read(event)
        if method in tables.SPLITTERS:
            return self._split(event)
        if method in ("Path", "PurePath") or event.name == "os.path.join":
            texts = [each.const for each in event.args]
            return Value(const="/".join(map(str, texts)) if all(isinstance(each, str) for each in texts) else None)
        if _is_class(method):
            return self._constructed(event)
        if receiver.model is not None and receiver.sort == "model" and method not in tables.METRICS:
            found = self._by_model(event, receiver.model)
            if found is not None:
                return found
        if method in tables.TESTS:
            marks = marks_of(event) | {Mark("p", event.line, method)}
            return self.collected((Value("figure", marks, name="statistic"), Value("figure", marks, name="p")))
        if _is_random(event):
            marks = marks_of(event) | {Mark("random", event.line, event.name)}
            return Value("frame" if event.args else "", marks, Base(event.target))
        rule = self.rule_for(method)
        if rule is not None:
            return rule(event)
        if method in tables.METRICS:
            return self._scored(event)
        if method in tables.AGGREGATES:
            return self._aggregated(event)
        found = union(event.given)
        if method in tables.TELLS_ROWS and receiver.base is not None and (rows := rows_of(receiver, event.line)):
            found = found.also(rows)
        if receiver.base is not None and receiver.sort in ("frame", "column", "groups", ""):
            kept = receiver.but(marks=found.marks, const=None, parts=(), name="")
            if method not in tables.KEEPS_COLUMNS and kept.sort != "groups" and not kept.column:
                kept.only = frozenset()
            if method in tables.WINDOWS:
                kept.sort = "window"
            return kept.also(*self._moved(event)) if method in tables.KEEPS_ROWS else kept
        return found.but(const=None, parts=(), name="")

    def _read(self, event: Event) -> Value:
        source = event.argument(0, "path", "filepath_or_buffer", "io", "sql", "source")
        path = source.const if source is not None and isinstance(source.const, str) else ""
        marks = [Mark("read", event.line, path)]
        if isinstance(rows := event.const("nrows", "n_rows", "n_max"), int):
            marks.append(Mark("sampled", event.line, str(rows)))
        return Value("frame", frozenset(marks), Base(event.target))

    def _split(self, event: Event) -> Value:
        parts: list[Value] = []
        for each in event.args:
            first, second = ("train", "val") if "train" in each.notes("part") else ("train", "test")
            rest = frozenset(mark for mark in each.marks if mark.kind != "part")
            parts += (
                each.but(marks=rest | {Mark("part", event.line, part)}, const=None, parts=(), name="")
                for part in (first, second)
            )
        return self.collected(tuple(parts))

    def _constructed(self, event: Event) -> Value:
        method = event.method
        if method in tables.MAKERS or method.endswith(("Array", "Tensor")):
            found = union(event.given)
            keys = event.args[0].keys if event.args else ()
            base = Base(event.target, dict.fromkeys(keys, UNKNOWN))
            return Value("column" if method == "Series" else "frame", found.marks, base)
        found = union(event.given)
        return Value("model", found.marks, model=Model(method, event.line), name=event.target)

    def _by_model(self, event: Event, model: Model) -> Value | None:
        """What a transformer, an estimator or a splitter returns."""
        data = event.argument(0, "X", "data", "x", "raw_documents")
        if data is None:
            return None
        if event.method in ("fit", "fit_transform", "fit_resample", "fit_predict", "partial_fit", "fit_sample"):
            if model.fitted is None:
                model.fitted, model.whole = data, not is_part(data)
                model.target = event.argument(1, "y", "labels")
            if event.method == "fit":
                return event.receiver
        if event.method in ("fit_resample", "fit_sample"):
            kind = "copied" if model.kind in tables.COPIES else "thinned"
            made = {Mark(kind, event.line, model.kind)} if model.whole else set()
            return self.collected(tuple(each.but(marks=each.marks | made, parts=()) for each in event.args))
        if event.method in ("transform", "fit_transform"):
            return data.but(marks=data.marks | self._learnt(model, event), parts=(), const=None, name="")
        if event.method in tables.PREDICTS:
            return Value("column", data.marks | {Mark("predicted", event.line)}, data.base, model=model)
        if event.method == "split" and model.kind in tables.FOLDS | tables.GROUP_FOLDS | tables.TIME_FOLDS:
            sides = [Value("indices", frozenset({Mark("part", event.line, part)})) for part in ("train", "test")]
            return Value(parts=(self.collected(tuple(sides)),))
        return None

    def _learnt(self, model: Model, event: Event) -> set[Mark]:
        if not model.whole or model.kind in tables.NO_MODELS:
            return set()
        if model.kind in tables.SELECTS:
            return {Mark("selected", event.line, model.kind)}
        return {Mark("fitted", event.line, model.kind)} if model.kind.endswith(tables.LEARNS) else set()

    def _scored(self, event: Event) -> Value:
        """How good predictions are, on which part of the data."""
        found = union(event.given)
        parts = {note for value in event.given for note in value.notes("part")}
        part = "val" if "val" in parts else "test" if "test" in parts else "train" if parts else ""
        mark = Mark("scored", event.line, part)
        kept = frozenset(each for each in found.marks if each.kind != "scored") | {mark}
        one = Value("figure", kept)
        return self.collected((one, one, one)) if event.method in tables.CURVES else one

    def _aggregated(self, event: Event) -> Value:
        given = event.receiver if event.receiver is not UNKNOWN else union(event.args)
        found = union(event.given)
        if given.sort == "window":
            return given.but(sort="column", marks=found.marks, const=None)
        if given.sort == "groups":
            over = Mark(f"group_{event.method}", event.line, ",".join(given.keys))
            return given.but(sort="frame", marks=found.marks | {over}, const=None)
        if given.base is None and not found.marks:
            return found.but(const=None, parts=())
        if event.method in ("corr", "corrwith"):
            found = found.also(Mark("correlated", event.line))
        column = given.column or (given.name if given.sort == "column" else "")
        return Value("figure", found.marks, given.base, column=column)


def _is_class(method: str) -> bool:
    return method[:1].isupper() or method in tables.MAKERS or method in tables.NO_MODELS


def _is_random(event: Event) -> bool:
    if event.receiver.sort == "generator":
        return event.method not in ("shuffle", "permutation", "seed")
    named = event.name.startswith(("numpy.random.", "random.", "torch.rand", "rng."))
    return (named and event.method in tables.RANDOM) or event.method in ("rnorm", "runif", "rbinom", "rpois", "rexp")
