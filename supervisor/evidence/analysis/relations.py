"""Relations between the tables and the conditions of an analysis, from their names and their syntax."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from supervisor.evidence.analysis.labels import entity_of, is_one_each, is_personal
from supervisor.evidence.analysis.values import Event, Mark, Value

_ONE_EACH: tuple[str, ...] = (
    "unique",
    "pivoted",
    "group_sum",
    "group_mean",
    "group_count",
    "group_max",
    "group_min",
    "group_size",
)
_ONE_EACH += ("group_first", "group_last", "group_nunique", "group_len", "group_median")


def joined(event: Event, left: Value, right: Value) -> str:
    """The key of a join in which one row of a side meets several of the other; empty if that is not sure.

    The note is `key` if both sides have several rows of it, and `key/name` if only the side of that name is multiplied.
    """
    if "validate" in event.options or any(name in event.options for name in ("left_index", "right_index")):
        return ""
    key = event.argument(1, "on", "left_on") if event.receiver.base is not None else event.options.get("on")
    name = key.const if key is not None and isinstance(key.const, str) else ""
    if not name and key is not None and len(key.parts) == 1 and isinstance(key.parts[0].const, str):
        name = key.parts[0].const
    if not entity_of(name) or str(event.const("how") or "") in ("semi", "anti", "cross"):
        return ""
    sides = [(each, each.has(*_ONE_EACH) or is_one_each(each.name, name)) for each in (left, right)]
    if not all(_is_table(each) for each, _ in sides):
        return ""
    many = [each for each, one in sides if not one]
    if len(many) == 2:
        return name
    if len(many) == 1 and not any(each.has(*_ONE_EACH) for each, _ in sides):
        return f"{name}/{next(each.name for each, one in sides if one)}"
    return ""


def _is_table(value: Value) -> bool:
    """Whether a name tells what the rows of a table are: a plural, as `orders`."""
    return value.name.lower().endswith("s") and len(value.name) > 3 and not value.name.lower().endswith("ss")


def equalities(node: ast.expr) -> list[str]:
    """Each `column == literal` that a condition demands, as `column=literal`."""
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
        return []  # an array beside the table
    return [f"{column}={value!r}" for column, value, is_equal in _compared(node, ast.BitAnd) if is_equal]


def contradictions(node: ast.expr) -> Iterator[str]:
    """The columns that a condition wants equal to two things at once, or different from one or another."""
    for operator, equal in ((ast.BitAnd, True), (ast.BitOr, False)):
        seen: dict[str, object] = {}
        for column, value, is_equal in _compared(node, operator):
            if is_equal is equal and seen.setdefault(column, value) != value:
                yield column


def _compared(node: ast.expr, operator: type[ast.operator]) -> Iterator[tuple[str, object, bool]]:
    """The comparisons of a column with a literal that an operator joins: column, literal, whether it is `==`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, operator):
        yield from _compared(node.left, operator)
        yield from _compared(node.right, operator)
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And if operator is ast.BitAnd else ast.Or):
        for each in node.values:
            yield from _compared(each, operator)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        right = node.comparators[0]
        column = column_in(node.left)
        if column and isinstance(right, ast.Constant) and right.value is not None:
            yield column, right.value, isinstance(node.ops[0], ast.Eq)


def column_in(node: ast.expr) -> str:
    """The column that an expression is: `df["a"]`, `df.a`, `pl.col("a")`, `a` in a query; empty if it is none."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return node.slice.value
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return str(node.args[0].value) if name in ("col", "column") else ""
    return node.id if isinstance(node, ast.Name) else ""


def name_of(node: ast.expr) -> str:
    """The name of a variable, an attribute or a column, also of its sum; empty for anything else."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("sum", "mean", "fillna")
    ):
        node = node.func.value
    return column_in(node)


def expression_of(text: str) -> ast.expr | None:
    """A condition that is given as a text, as `query` takes it; None if it is not one."""
    try:
        return ast.parse(text.strip().replace("@", ""), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def rows_of(value: Value, line: int) -> Mark | None:
    """The mark of rows about people that a text tells, with what shows that; None for figures and other rows."""
    if value.base is None or value.has("group_sum", "group_mean", "group_count", "group_size", "pivoted"):
        return None
    columns = {value.column} if value.column else value.only
    if columns is None:
        columns = (value.base.seen | value.base.assigned.keys()) - value.without - value.base.removed
        columns |= {path.replace("\\", "/").rpartition("/")[2] for path in value.notes("read")}
    shows = sorted(filter(is_personal, columns))
    return Mark("rows", line, ", ".join(shows[:3])) if shows else None
