"""What a parsed statement names: the tables it writes and reads, its columns, and whether its condition narrows it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

Tree = Any  # sqlglot's nodes: the base class goes by other names in other versions
_ROUTINES = ("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT")
_COMPARE: dict[type[Any], Callable[[float, float], bool]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
}
_REFLEXIVE = (exp.EQ, exp.GTE, exp.LTE, exp.NullSafeEQ)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a statement is about. `narrowed`: a join or a LIMIT keeps it from every row. `inner`: writes inside it."""

    target: str = ""
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    narrowed: bool = False
    inner: tuple[Tree, ...] = ()


def parts_of(tree: Tree) -> Parts:
    """The parts of one statement's tree."""
    routine = isinstance(tree, exp.Create) and tree.args.get("kind") in _ROUTINES
    tables = [] if routine else list(tree.find_all(exp.Table))
    inner = () if routine else tuple(_inner(tree))
    names = {table.alias.lower(): table_name(table) for table in tables if table.alias}
    written = [table_name(table) for table in _written(tree)]
    writes = tuple(dict.fromkeys(names.get(name, name) for name in written if name))
    hidden = {cte.alias.lower() for cte in tree.find_all(exp.CTE)} | {name for each in inner for name in _names(each)}
    hidden.update(writes, names, [""])
    reads = dict.fromkeys(name for name in map(table_name, tables) if name not in hidden)
    return Parts(
        target=_target(tree),
        writes=writes,
        reads=tuple(reads),
        columns=tuple(_columns(tree)),
        narrowed=bool(tree.args.get("limit")) or _bounded(tree) or any(map(_narrows, _joins(tree))),
        inner=inner,
    )


def table_name(table: Tree) -> str:
    """A table's name in lower case, unquoted, with its schema where it is written; `#name` where T-SQL marks it so."""
    if not isinstance(table, exp.Table):
        return ""
    parts = [part for part in table.parts if isinstance(part, exp.Identifier)]
    mark = "#" if parts and parts[-1].args.get("temporary") else ""
    return mark + ".".join(part.name.lower() for part in parts)


def always_true(node: Tree) -> bool:
    """Whether a condition holds for every row whatever the data (but for NULLs): `1=1`, `true`, `id = id`, `x OR 1`."""
    node = node.unnest()
    if isinstance(node, exp.Or):
        return any(map(always_true, node.flatten()))
    if isinstance(node, exp.And):
        return all(map(always_true, node.flatten()))
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


def conjuncts(condition: Tree | None) -> Iterator[str]:
    """Each part of a condition that AND joins, as normalised text."""
    if condition is None:
        return
    tree = condition.unnest().copy()
    for identifier in tree.find_all(exp.Identifier):
        identifier.set("this", identifier.name.lower())
        identifier.set("quoted", False)
    for part in tree.flatten() if isinstance(tree, exp.And) else (tree,):
        yield part.unnest().sql(comments=False)


def _written(tree: Tree) -> Iterator[Tree]:
    """The tables a statement changes, as they are named there (perhaps by an alias)."""
    if isinstance(tree, (exp.Drop, exp.TruncateTable)):
        yield from tree.find_all(exp.Table)
    elif isinstance(tree, exp.Delete) and tree.args.get("tables") and not _top(tree):
        yield from tree.args["tables"]
    elif isinstance(tree, (exp.Alter, exp.Copy, exp.Create, exp.Delete, exp.Insert, exp.Merge, exp.Update)):
        named = tree.this
        if isinstance(named, exp.Expression):
            yield from (named,) if isinstance(named, exp.Table) else list(named.find_all(exp.Table))[:1]
    elif isinstance(tree, exp.Select) and isinstance(tree.args.get("into"), exp.Into):
        yield tree.args["into"].this


def _names(tree: Tree) -> Iterator[str]:
    return (table_name(table) for table in _written(tree))


def _inner(tree: Tree) -> Iterator[Tree]:
    writes = (exp.Delete, exp.Insert, exp.Merge, exp.Update)
    yield from (cte.this for cte in tree.find_all(exp.CTE) if isinstance(cte.this, writes))
    if isinstance(tree, exp.Alter):  # ClickHouse: ALTER TABLE t DELETE WHERE …
        yield from (action for action in tree.args.get("actions") or () if isinstance(action, writes))


def _target(tree: Tree) -> str:
    if isinstance(tree, exp.TruncateTable):
        return "database" if tree.args.get("is_database") else "table"
    if not isinstance(tree, (exp.Alter, exp.Create, exp.Drop)):
        return ""
    kind = str(tree.args.get("kind") or "").lower()
    return f"temporary {kind}" if tree.args.get("temporary") else kind


def _columns(tree: Tree) -> Iterator[str]:
    if isinstance(tree, exp.Update):
        set_here = (each.this for each in tree.expressions if isinstance(each, exp.EQ))
        yield from (column.name.lower() for column in set_here if isinstance(column, exp.Column))
    elif isinstance(tree, exp.Alter):
        added = (each for each in tree.args.get("actions") or () if isinstance(each, exp.ColumnDef))
        yield from (column.name.lower() for column in added)


def _top(tree: Tree) -> bool:
    """DELETE TOP (10) FROM t: sqlglot reads TOP as a table."""
    tables = (tree.args.get("tables") if isinstance(tree, exp.Delete) else None) or ()
    return any(table.this is not None and table.this.name.upper() == "TOP" for table in tables)


def _bounded(tree: Tree) -> bool:
    """DELETE TOP (10), or DELETE OPENQUERY (…), where the rows are named by the query inside."""
    named = (tree.this, *(tree.args.get("tables") or ()))
    called = any(isinstance(table, exp.Table) and isinstance(table.this, exp.Func) for table in named)
    return isinstance(tree, (exp.Delete, exp.Update)) and (called or _top(tree))


def _joins(tree: Tree) -> Iterator[Tree]:
    source = tree.args.get("from_")
    for holder in (tree.this, source.this if isinstance(source, exp.From) else None):
        if isinstance(holder, exp.Table):
            yield from holder.args.get("joins") or ()


def _narrows(join: Tree) -> bool:
    """An inner join keeps the rows that match; an outer or a cross join keeps them all."""
    condition = join.args.get("on")
    if join.args.get("side") in ("LEFT", "FULL"):
        return False
    return bool(join.args.get("using")) or (condition is not None and not always_true(condition))
