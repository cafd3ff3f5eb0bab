"""What arithmetic, attributes and subscripts of frames are, as far as a fault depends on it."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable

from supervisor.evidence.analysis.relations import equalities, rows_of
from supervisor.evidence.analysis.values import NO_MARKS, UNKNOWN, Mark, Value

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


class Expressions(ABC):
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
        learnt = right.sort == "figure" and left.sort in ("frame", "column", "") and not is_part(right)
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


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None


def is_part(value: Value) -> bool:
    """Whether rows are those of a training part or of another single part."""
    return len(value.notes("part")) == 1


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
