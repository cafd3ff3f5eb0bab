"""What single methods of data libraries do: one rule a method, `_do_` and its name."""

from __future__ import annotations

from collections.abc import Callable

from supervisor.evidence.analysis import tables
from supervisor.evidence.analysis.expressions import Expressions, is_part, union
from supervisor.evidence.analysis.relations import joined
from supervisor.evidence.analysis.values import UNKNOWN, Base, Event, Mark, Value


class Methods(Expressions):
    """The rules for methods that do something to data which a fault depends on."""

    def rule_for(self, method: str) -> Callable[[Event], Value] | None:
        """The rule for a method, if there is one."""
        rule: Callable[[Event], Value] | None = getattr(self, f"_do_{method}", None)
        return rule

    def _moved(self, event: Event) -> list[Mark]:
        """A figure of a row that depends on the rows around it: in time, or of the same group."""
        marks = [Mark("ordered", event.line, event.method)] if event.method in tables.FOLLOWS_TIME else []
        if event.receiver.keys:
            marks.append(Mark("within", event.line, ",".join(event.receiver.keys)))
        return marks

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
        return event.receiver.but(sort=sort, marks=marks_of(event) | marks, parts=(), const=None)

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
        marks = marks_of(event)
        if by is not None and by.const is not None and by.const in (0, 0.0) and by.const is not False:
            marks |= {Mark("zeroed", event.line, event.receiver.column)}
        if by is not None and by.sort == "figure" and by.base is event.receiver.base and not is_part(by):
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
        marks = marks_of(event) | {Mark("merged", event.line, str(event.const("how") or "inner"))}
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
        if event.const("replace") is not False and "n_samples" in event.options and not is_part(data):
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
        return Value("frame", marks_of(event) | {Mark("pivoted", event.line)}, Base(event.target))

    _do_crosstab = _do_unstack = _do_reindex = _do_pivot = _do_asfreq = _do_get_dummies = _do_pivot_table

    def _do_assign(self, event: Event) -> Value:
        base = event.receiver.base
        for name, value in event.options.items():
            if base is not None:
                base.assigned[name] = value
        return event.receiver.but(marks=marks_of(event), parts=(), name="")

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

    def _do_default_rng(self, event: Event) -> Value:
        return Value("generator")

    _do_RandomState = _do_Random = _do_Faker = _do_default_rng


def marks_of(event: Event) -> frozenset[Mark]:
    """What was done to anything that a call is given."""
    return frozenset[Mark]().union(*(value.marks for value in event.given))


def _is_time(name: str) -> bool:
    return any(word in name.lower() for word in ("date", "time", "day", "month", "year", "week", "timestamp", "ts"))
