"""What a parsed statement names: the tables it writes and reads, its columns, and whether its condition narrows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from supervisor.evidence.sql.conditions import always_true, lists_all

Tree = Any  # sqlglot's nodes: the name of the base class differs between versions
_ROUTINES = ("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a statement names. `narrowed`: a join or a LIMIT excludes rows. `inner`: writes inside it."""

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
    """A table's name in lower case, unquoted, with its schema if written; `#name` for a temporary table of T-SQL."""
    if not isinstance(table, exp.Table):
        return ""
    parts = [part for part in table.parts if isinstance(part, exp.Identifier)]
    mark = "#" if parts and parts[-1].args.get("temporary") else ""
    return mark + ".".join(part.name.lower() for part in parts)


def rewrites_all(tree: Tree) -> bool:
    """Whether a MERGE changes every row of its table, or a REPLACE replaces all of them."""
    if isinstance(tree, exp.Merge):
        whens = tree.args["whens"].expressions if tree.args.get("whens") else ()
        on = tree.args.get("on")
        changing = any(when.args.get("matched") and _changes(when) and not when.args.get("condition") for when in whens)
        return changing and on is not None and always_true(on)
    if isinstance(tree, exp.Insert) and tree.args.get("alternative") == "REPLACE":
        return lists_all(tree.expression, [table_name(each) for each in _written(tree)])
    return False


def _changes(when: Tree) -> bool:
    done = when.args.get("then")
    return isinstance(done, exp.Update) or (isinstance(done, exp.Var) and done.name.upper() == "DELETE")


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
    """The tables that a statement changes, as it names them (perhaps by an alias)."""
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
    properties = tree.args.get("properties")
    is_temporary = tree.args.get("temporary") or (properties and properties.find(exp.TemporaryProperty))
    return f"temporary {kind}" if is_temporary else kind


def _columns(tree: Tree) -> Iterator[str]:
    if isinstance(tree, exp.Update):
        set_here = (each.this for each in tree.expressions if isinstance(each, exp.EQ))
        yield from (column.name.lower() for column in set_here if isinstance(column, exp.Column))
    elif isinstance(tree, exp.Alter):
        added = (each for each in tree.args.get("actions") or () if isinstance(each, exp.ColumnDef))
        yield from (column.name.lower() for column in added)


def _top(tree: Tree) -> bool:
    """Whether a tree is DELETE TOP (10) FROM t: sqlglot reads TOP as a table."""
    tables = (tree.args.get("tables") if isinstance(tree, exp.Delete) else None) or ()
    return any(table.this is not None and table.this.name.upper() == "TOP" for table in tables)


def _bounded(tree: Tree) -> bool:
    """Whether a tree is DELETE TOP (10), or DELETE OPENQUERY (…), whose inner query selects the rows."""
    named = (tree.this, *(tree.args.get("tables") or ()))
    called = any(isinstance(table, exp.Table) and isinstance(table.this, exp.Func) for table in named)
    return isinstance(tree, (exp.Delete, exp.Update)) and (called or _top(tree))


def _joins(tree: Tree) -> Iterator[Tree]:
    source = tree.args.get("from_")
    for holder in (tree.this, source.this if isinstance(source, exp.From) else None):
        if isinstance(holder, exp.Table):
            yield from holder.args.get("joins") or ()


def _narrows(join: Tree) -> bool:
    """Whether a join excludes rows: an inner join keeps those that match; an outer or a cross join keeps all."""
    condition = join.args.get("on")
    if join.args.get("side") in ("LEFT", "FULL"):
        return False
    return bool(join.args.get("using")) or (condition is not None and not always_true(condition))
