"""Whether a condition narrows a statement, or holds for every row: `1=1`, `id = id`, `id > 0`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

Tree = Any  # sqlglot's nodes: the name of the base class differs between versions
_COMPARE: dict[type[Any], Callable[[float, float], bool]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
}
_REFLEXIVE = (exp.EQ, exp.GTE, exp.LTE, exp.NullSafeEQ)
_MIRRORED: dict[type[Any], type[Any]] = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.NEQ: exp.NEQ}
_KEYS = frozenset({"_id", "ctid", "guid", "id", "pk", "rowid", "uuid"})
_NARROWING = ("distinct", "group", "having", "joins", "limit", "offset", "qualify", "where")


def always_true(node: Tree, tables: Sequence[str] = ()) -> bool:
    """Whether a condition holds for every row whatever the data (but for NULLs): `1=1`, `true`, `id = id`, `x OR 1`.

    For these tables, also if every key fulfils it: `id > 0`, `id IS NOT NULL`, `id IN (SELECT id FROM the_same)`.
    """
    node = node.unnest()
    if isinstance(node, exp.Or):
        return any(always_true(each, tables) for each in node.flatten())
    if isinstance(node, exp.And):
        return all(always_true(each, tables) for each in node.flatten())
    if tables and _holds_for_keys(node, tables):
        return True
    if isinstance(node, exp.Not):
        return _never_true(node.this.unnest())
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Literal):
        return bool(_number(node))
    if isinstance(node, (exp.Like, exp.ILike)):
        return node.expression.is_string and bool(node.expression.name) and not node.expression.name.strip("%")
    if isinstance(node, exp.Exists):
        return isinstance(node.this, exp.Select) and not any(node.this.args.get(part) for part in ("from_", "where"))
    return isinstance(node, exp.Binary) and _holds(node)


def _never_true(node: Tree) -> bool:
    if isinstance(node, exp.Boolean):
        return not node.this
    if isinstance(node, exp.Is):  # 1 IS NOT NULL is parsed as NOT (1 IS NULL)
        return isinstance(node.this, exp.Literal) and isinstance(node.expression, exp.Null)
    left, right = (_number(node.left), _number(node.right)) if isinstance(node, exp.Binary) else (None, None)
    if left is not None and right is not None and type(node) in _COMPARE:
        return not _COMPARE[type(node)](left, right)
    return _number(node) == 0


def _holds(node: exp.Binary) -> bool:
    """Whether a comparison holds between constants, or between a column and itself."""
    left, right = node.left.unnest(), node.right.unnest()
    if isinstance(node, _REFLEXIVE) and isinstance(left, exp.Column) and isinstance(right, exp.Column):
        tables = {left.table.lower(), right.table.lower()} - {""}
        return left.name.lower() == right.name.lower() and len(tables) < 2
    if isinstance(node, exp.Is):
        if node.args.get("negate"):
            return isinstance(left, exp.Literal) and isinstance(right, exp.Null)
        return left == right and isinstance(left, (exp.Boolean, exp.Null))
    if isinstance(left, exp.Literal) and isinstance(right, exp.Literal) and type(node) in _COMPARE:
        if left.is_string and right.is_string:
            return isinstance(node, _REFLEXIVE) if left.name == right.name else isinstance(node, exp.NEQ)
        first, second = _number(left), _number(right)
        return first is not None and second is not None and _COMPARE[type(node)](first, second)
    return isinstance(node, _REFLEXIVE) and isinstance(left, exp.Boolean) and left == right


def _number(node: Tree) -> float | None:
    if not isinstance(node, exp.Literal):
        return None
    try:
        return float(node.name)
    except ValueError:
        return None


def _holds_for_keys(node: Tree, tables: Sequence[str]) -> bool:
    """Whether every key of these tables fulfils a condition: a key is not NULL, and at least 1 or a non-empty text."""
    if (given := _asserted_not_null(node)) is not None:
        return is_key(given, tables)
    if isinstance(node, exp.In):
        return is_key(node.this, tables) and lists_all(node.args.get("query"), tables, node.this.name)
    compared = type(node)
    if not isinstance(node, exp.Binary) or compared not in _COMPARE:
        return False
    key, bound = node.left.unnest(), node.right.unnest()
    if not is_key(key, tables):
        key, bound, compared = bound, key, _MIRRORED.get(compared, exp.EQ)
    if not is_key(key, tables):
        return False
    if isinstance(bound, exp.Literal) and bound.is_string:
        return compared in (exp.NEQ, exp.GT) and not bound.name
    number = -(_number(bound.this) or 0.0) if isinstance(bound, exp.Neg) else _number(bound)
    if number is None:
        return False
    least = {exp.GT: 0, exp.GTE: 1, exp.NEQ: 0}
    return compared in least and number <= least[compared]


def _asserted_not_null(node: Tree) -> Tree | None:
    """The operand of IS NOT NULL, which dialects parse in two ways."""
    test = node.this.unnest() if isinstance(node, exp.Not) else node
    negated = isinstance(node, exp.Not) != bool(test.args.get("negate"))
    return test.this if isinstance(test, exp.Is) and negated and isinstance(test.expression, exp.Null) else None


def is_key(node: Tree, tables: Sequence[str]) -> bool:
    """Whether a column identifies the rows of one of these tables: `id`, or `user_id` of users."""
    if not isinstance(node, exp.Column):
        return False
    name = node.name.lower()
    own = (table.rpartition(".")[2] for table in tables)
    return name in _KEYS or any(name in (f"{table}_id", f"{table.removesuffix('s')}_id", f"{table}id") for table in own)


def lists_all(query: Tree, tables: Sequence[str], column: str = "") -> bool:
    """Whether a subquery reads every row of one of these tables, and only this column, if named."""
    select = query.unnest() if query is not None else None
    if not isinstance(select, exp.Select) or any(select.args.get(part) for part in _NARROWING):
        return False
    source = select.args.get("from_")
    named = source.this.name.lower() if source is not None and isinstance(source.this, exp.Table) else ""
    if source is None or named not in {table.rpartition(".")[2] for table in tables}:
        return False
    return not column or [each.unalias().name.lower() for each in select.expressions] == [column.lower()]
