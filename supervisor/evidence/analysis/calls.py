"""What the calls, attributes and subscripts of data libraries return, as far as a fault depends on it."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable

from supervisor.evidence.analysis import tables
from supervisor.evidence.analysis.relations import equalities, joined, rows_of
from supervisor.evidence.analysis.values import NO_MARKS, UNKNOWN, Base, Event, Mark, Model, Value

_PLACES = frozenset({"loc", "iloc", "values", "T", "str", "dt", "at", "iat", "cat", "list", "to_numpy"})
_FEW = 1_000_000  # rows up to which a constant number of rows is a sample


def union(values: Iterable[Value]) -> Value:
    """A value made of others: what was done to any of them was done to it."""
    found = [value for value in values if value is not UNKNOWN]
    if not found:
        return UNKNOWN
    if len(found) == 1:
        return found[0]
    base = next((value for value in found if value.base is not None), UNKNOWN)
    sort = next((value.sort for value in found if value.sort in ("frame", "column")), "")
    return Value(
        sort,
        frozenset().union(*(value.marks for value in found)),
        base.base,
        base.only,
        base.without,
        base.column,
        keys=base.keys,
        model=next((value.model for value in found if value.model is not None), None),
    )


class Calls(ABC):
    """The rules by which a value follows from others."""

    masks: list[tuple[ast.expr, Value]]
    compares: list[tuple[ast.Compare, Value, tuple[ast.AST, ...]]]
    _loops: list[ast.AST]

    @abstractmethod
    def value(self, node: ast.expr | None) -> Value:
        """What is known of an expression."""

    # Values made of values

    def element(self, value: Value) -> Value:
        """One element of an iterated value."""
        if value.parts:
            return union(value.parts)
        return value.but(parts=(), const=None, sort="" if value.sort == "groups" else value.sort)

    def collected(self, parts: tuple[Value, ...]) -> Value:
        """A tuple or a list."""
        return union(parts).but(parts=parts, const=None, name="")

    def columns_of(self, value: Value) -> list[str]:
        """The names of columns that a literal names."""
        if isinstance(value.const, str):
            return [value.const]
        return [part.const for part in value.parts if isinstance(part.const, str)]

    def compared(self, node: ast.Compare, found: Value) -> Value:
        self.compares.append((node, found, tuple(self._loops)))
        return found.but(sort="column" if found.base is not None else "", const=None, parts=())

    def computed(self, node: ast.BinOp, left: Value, right: Value) -> Value:
        """The result of arithmetic. A column that is set off against its own average learns from all of its rows."""
        if isinstance(left.const, (int, float)) and isinstance(right.const, (int, float)):
            return Value(const=_number(node.op, left.const, right.const))
        if isinstance(node.op, ast.Div) and isinstance(left.const, str) and isinstance(right.const, str):
            return Value(const=f"{left.const}/{right.const}")  # of a Path
        if isinstance(node.op, ast.Add) and left.parts and right.parts:
            return self.collected((*left.parts, *right.parts))
        found = union((left, right)).but(const=None, parts=(), name="")
        learnt = right.sort == "figure" and left.sort in ("frame", "column", "") and not _is_part(right)
        if learnt and left.base is not None and left.base is right.base and isinstance(node.op, (ast.Sub, ast.Div)):
            found = found.also(Mark("fitted", node.lineno, "its own mean and spread"))
        if "text" in (left.sort, right.sort) or isinstance(left.const, str):
            return self.told((left, right), node.lineno)
        if left.sort == right.sort == "figure":
            return found.but(sort="figure")
        return found.but(column="") if left.column and right.column else found

    def told(self, parts: tuple[Value, ...], line: int) -> Value:
        """A text made of values. Rows of a frame that stand in it are told as they are."""
        marks = {rows_of(part, line) for part in parts if part.base is not None and part.sort in ("frame", "column")}
        return union(parts).also(*filter(None, marks)).but(sort="text", base=None, parts=(), const=None)

    def attribute(self, node: ast.Attribute) -> Value:
        """`df.price`, `df.columns`, `df.shape`, `df.iloc`, `search.best_params_`."""
        value = self.value(node.value)
        name = node.attr
        if name in _PLACES:
            return value
        if name == "columns":
            return value.but(sort="columns", column="", const=None)
        if name in ("shape", "size", "index", "empty"):
            return Value("figure", value.marks, value.base, name=name)
        if value.model is not None:
            return Value("model", value.marks, model=value.model, name=name)
        if value.base is not None and value.sort in ("frame", "") and not value.column:
            return self._column(value, name)
        return value.but(const=None)

    def _column(self, frame: Value, name: str) -> Value:
        own = frame.base.assigned.get(name) if frame.base is not None else None
        if frame.base is not None:
            frame.base.seen.add(name)
        marks = frame.marks | (own.marks if own is not None else NO_MARKS)
        return Value("column", marks, frame.base, column=name, keys=frame.keys)

    def subscript(self, node: ast.Subscript) -> Value:
        """Columns, rows, and rows that a condition selects."""
        value = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._sliced(node.slice, value)
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:  # df.loc[rows, columns], data[:, 1:]
            rows, columns = self.value(node.slice.elts[0]), self.value(node.slice.elts[-1])
            if isinstance(node.slice.elts[0], (ast.Compare, ast.BoolOp, ast.BinOp)):
                value = self._masked(node.slice.elts[0], value, rows)
            if isinstance(node.slice.elts[-1], ast.Slice) or isinstance(columns.const, int):
                return value if _is_all(node.slice.elts[-1]) else value.but(only=frozenset(), parts=(), sort="frame")
            return self._chosen(value, columns)
        key = self.value(node.slice)
        if isinstance(key.const, int) and value.parts and -len(value.parts) <= key.const < len(value.parts):
            return value.parts[key.const]
        if isinstance(node.slice, (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Call)) and key.const is None:
            return self._masked(node.slice, value, key)
        if key.has("part") and key.sort == "indices":
            return value.but(marks=value.marks | key.marks)
        return self._chosen(value, key)

    def _chosen(self, value: Value, key: Value) -> Value:
        if isinstance(key.const, str) and value.sort != "groups":
            return self._column(value, key.const)
        if isinstance(key.const, str):
            return value.but(column=key.const)
        names = self.columns_of(key)
        if names and value.sort != "groups":
            own = value.base.assigned if value.base is not None else {}
            marks = frozenset[Mark]().union(value.marks, *(own[name].marks for name in names if name in own))
            return value.but(sort="frame", marks=marks, only=frozenset(names), column="", parts=())
        if key.sort == "columns" and value.sort != "groups":
            return value.but(sort="frame", only=key.only, without=value.without | key.without, column="", parts=())
        chosen = {Mark("selected", key_mark.line, "a correlation")} if (key_mark := key.mark("correlated")) else set()
        return value.but(marks=value.marks | chosen, only=frozenset(), parts=(), const=None)

    def _masked(self, node: ast.expr, value: Value, key: Value) -> Value:
        self.masks.append((node, value))
        filtered = {Mark("filtered", node.lineno, note) for note in equalities(node)} or {Mark("filtered", node.lineno)}
        return value.but(marks=value.marks | key.marks | filtered, parts=(), const=None)

    def _sliced(self, node: ast.Slice, value: Value) -> Value:
        lower, upper = self.value(node.lower), self.value(node.upper)
        few = isinstance(upper.const, int) and 0 < upper.const < _FEW and value.sort == "frame"
        if node.lower is None and node.upper is not None and few:
            return value.but(marks=value.marks | {Mark("sampled", node.upper.lineno, str(upper.const))}, parts=())
        return value.but(parts=value.parts[lower.const if isinstance(lower.const, int) else 0 :] if value.parts else ())

    # Calls

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
            marks = _marks(event) | {Mark("p", event.line, method)}
            return self.collected((Value("figure", marks, name="statistic"), Value("figure", marks, name="p")))
        if _is_random(event):
            marks = _marks(event) | {Mark("random", event.line, event.name)}
            return Value("frame" if event.args else "", marks, Base(event.target))
        rule = getattr(self, f"_do_{method}", None)
        if rule is not None:
            value: Value = rule(event)
            return value
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

    def _moved(self, event: Event) -> list[Mark]:
        """A figure of a row that depends on the rows around it: in time, or of the same group."""
        marks = [Mark("ordered", event.line, event.method)] if event.method in tables.FOLLOWS_TIME else []
        if event.receiver.keys:
            marks.append(Mark("within", event.line, ",".join(event.receiver.keys)))
        return marks

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
                model.fitted, model.whole = data, not _is_part(data)
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

    # One rule a method

    def _do_groupby(self, event: Event) -> Value:
        keys = event.argument(0, "by")
        named = [*self.columns_of(keys)] if keys is not None else []
        named += [name for each in event.args[1:] for name in self.columns_of(each)]
        if event.receiver.base is not None:
            event.receiver.base.seen.update(named)
        return event.receiver.but(sort="groups", keys=tuple(named), parts=(), column="")

    _do_group_by = _do_groupby

    def _do_agg(self, event: Event) -> Value:
        named = [part for each in event.given for part in (each, *each.parts)]
        kinds = {str(each.const) for each in named if isinstance(each.const, str)} & tables.AGGREGATES
        kinds |= {mark.kind.removeprefix("group_") for each in named for mark in each.marks if "group_" in mark.kind}
        marks = {Mark(f"group_{kind}", event.line, ",".join(event.receiver.keys)) for kind in kinds}
        sort = "frame" if event.receiver.sort == "groups" else "figure"
        return event.receiver.but(sort=sort, marks=_marks(event) | marks, parts=(), const=None)

    _do_aggregate = _do_agg

    def _do_drop(self, event: Event) -> Value:
        named = event.argument(0, "columns", "labels")
        options = [event.options[name] for name in ("columns", "labels") if name in event.options]
        names = [name for each in (*event.args, *options) for name in self.columns_of(each)]
        if named is None or not names or event.receiver.sort == "columns":
            return event.receiver.but(without=event.receiver.without | frozenset(names), parts=())
        if event.const("inplace") is True and event.receiver.base is not None:
            event.receiver.base.removed.update(names)
        return event.receiver.but(without=event.receiver.without | frozenset(names), parts=(), name="")

    _do_difference = _do_drop

    def _do_pop(self, event: Event) -> Value:
        names = self.columns_of(event.args[0]) if event.args else []
        if names and event.receiver.base is not None:
            event.receiver.base.removed.update(names)
            return self._column(event.receiver, names[0])
        return event.receiver

    def _do_fillna(self, event: Event) -> Value:
        by = event.argument(0, "value")
        marks = _marks(event)
        if by is not None and by.const is not None and by.const in (0, 0.0) and by.const is not False:
            marks |= {Mark("zeroed", event.line, event.receiver.column)}
        if by is not None and by.sort == "figure" and by.base is event.receiver.base and not _is_part(by):
            marks |= {Mark("fitted", event.line, "its own mean")}
        value = event.receiver.but(marks=marks, parts=(), const=None)
        if event.const("inplace") is True and event.receiver.base is not None:
            event.receiver.base.assigned[event.receiver.column] = value
        return value

    _do_fill_null = _do_fill_nan = _do_replace_na = _do_fillna

    def _do_dropna(self, event: Event) -> Value:
        narrow = any(name in event.options for name in ("subset", "thresh", "axis", "how")) or event.args
        kind = "thinned_by_column" if narrow or event.receiver.sort == "column" else "dropped"
        return event.receiver.also(Mark(kind, event.line))

    _do_drop_nulls = _do_na_omit = _do_drop_na = _do_dropna

    def _do_merge(self, event: Event) -> Value:
        left, right = event.receiver, event.argument(0, "right", "other")
        if left is UNKNOWN:
            left, right = event.argument(0, "left") or UNKNOWN, event.argument(1, "right")
        marks = _marks(event) | {Mark("merged", event.line, str(event.const("how") or "inner"))}
        bases = tuple(each.base for each in (left, right) if each is not None and each.base is not None)
        if right is not None and (note := joined(event, left, right)):
            marks |= {Mark("multiplied", event.line, note)}
        return Value("frame", marks, Base(event.target, parents=bases))

    _do_join_asof = _do_inner_join = _do_left_join = _do_merge

    def _do_join(self, event: Event) -> Value:
        if isinstance(event.receiver.const, str):
            return union(event.given).but(sort="text", const=None, parts=())
        return self._do_merge(event)

    def _do_concat(self, event: Event) -> Value:
        found = union(event.given)
        return Value("frame", found.marks | {Mark("stacked", event.line)}, Base(event.target), parts=())

    _do_bind_rows = _do_vstack = _do_concat

    def _do_to_numeric(self, event: Event) -> Value:
        data = event.argument(0, "arg") or UNKNOWN
        if str(event.const("errors")).lower() == "coerce":
            return data.also(Mark("coerced", event.line, data.column))
        return data

    def _do_to_datetime(self, event: Event) -> Value:
        return self._do_to_numeric(event)

    _do_to_timedelta = _do_to_datetime

    def _do_cast(self, event: Event) -> Value:
        if event.const("strict") is False:
            return event.receiver.also(Mark("coerced", event.line, event.receiver.column))
        return event.receiver

    def _do_head(self, event: Event) -> Value:
        if event.receiver.sort == "groups":
            return event.receiver.but(sort="frame")
        rows = event.argument(0, "n")
        note = str(rows.const) if rows is not None and rows.const is not None else "5"
        return event.receiver.also(Mark("sampled", event.line, note))

    _do_limit = _do_head
    _do_slice_head = _do_head

    def _do_sample(self, event: Event) -> Value:
        if event.const("replace") is True:
            return event.receiver.also(Mark("copied", event.line, "sample(replace=True)"))
        if event.options.get("frac", UNKNOWN).const in (1, 1.0):
            return event.receiver
        return event.receiver.also(Mark("sampled", event.line, "sample"))

    def _do_resample(self, event: Event) -> Value:
        if event.receiver.base is not None and event.name.count(".") <= 1 and not event.name.startswith("sklearn"):
            return event.receiver.but(sort="groups").also(Mark("ordered", event.line, "resample"))
        data = event.argument(0) or UNKNOWN
        if event.const("replace") is not False and "n_samples" in event.options and not _is_part(data):
            return data.also(Mark("copied", event.line, "resample"))
        return data

    def _do_shift(self, event: Event) -> Value:
        by = event.argument(0, "periods", "n")
        ahead = by is not None and isinstance(by.const, (int, float)) and by.const < 0
        if ahead:
            return event.receiver.but(sort="column").also(Mark("ahead", event.line, event.receiver.column))
        return event.receiver.but(sort="column").also(*self._moved(event))

    def _do_lead(self, event: Event) -> Value:
        return union(event.given).also(Mark("ahead", event.line))

    def _do_sort_values(self, event: Event) -> Value:
        by = event.argument(0, "by", "other")
        named = self.columns_of(by) if by is not None else []
        marks = {Mark("sorted", event.line, ",".join(named))}
        if any(_is_time(name) for name in named):
            marks.add(Mark("ordered", event.line, named[0]))
        return event.receiver.but(marks=event.receiver.marks | marks, parts=())

    _do_sort = _do_arrange = _do_sort_values

    def _do_drop_duplicates(self, event: Event) -> Value:
        named = event.argument(0, "subset")
        return event.receiver.also(Mark("unique", event.line, ",".join(self.columns_of(named)) if named else "*"))

    _do_distinct = _do_unique = _do_drop_duplicates

    def _do_pivot_table(self, event: Event) -> Value:
        return Value("frame", _marks(event) | {Mark("pivoted", event.line)}, Base(event.target))

    _do_crosstab = _do_unstack = _do_reindex = _do_pivot = _do_asfreq = _do_get_dummies = _do_pivot_table

    def _do_assign(self, event: Event) -> Value:
        base = event.receiver.base
        for name, value in event.options.items():
            if base is not None:
                base.assigned[name] = value
        return event.receiver.but(marks=_marks(event), parts=(), name="")

    _do_mutate = _do_assign

    def _do_mode(self, event: Event) -> Value:
        note = str(event.args[0].const) if event.args else ""
        return event.receiver.also(Mark("mode", event.line, note))

    def _do_copy(self, event: Event) -> Value:
        base = event.receiver.base
        if base is None:
            return event.receiver
        own = Base(base.name, dict(base.assigned), set(base.removed))
        return event.receiver.but(base=own)

    def _do_train_test_split_by_time(self, event: Event) -> Value:
        return self._split(event)

    def _do_default_rng(self, event: Event) -> Value:
        return Value("generator")

    _do_RandomState = _do_Random = _do_Faker = _do_default_rng


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None


def _is_class(method: str) -> bool:
    return method[:1].isupper() or method in tables.MAKERS or method in tables.NO_MODELS


def _is_random(event: Event) -> bool:
    if event.receiver.sort == "generator":
        return event.method not in ("shuffle", "permutation", "seed")
    named = event.name.startswith(("numpy.random.", "random.", "torch.rand", "rng."))
    return (named and event.method in tables.RANDOM) or event.method in ("rnorm", "runif", "rbinom", "rpois", "rexp")


def _marks(event: Event) -> frozenset[Mark]:
    return frozenset[Mark]().union(*(value.marks for value in event.given))


def _is_part(value: Value) -> bool:
    """Whether rows are those of a training part or of another single part."""
    return len(value.notes("part")) == 1


def _is_time(name: str) -> bool:
    return any(word in name.lower() for word in ("date", "time", "day", "month", "year", "week", "timestamp", "ts"))


def _number(operator: ast.operator, left: float, right: float) -> float | None:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div() if right:
            return left / right
        case _:
            return None
