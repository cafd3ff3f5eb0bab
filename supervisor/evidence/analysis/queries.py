"""Queries of an analysis: the parts of a SELECT that a figure depends on, from the syntax tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from supervisor.regexes import compile_later

Tree = Any  # sqlglot's nodes
_WORTH = compile_later(
    r"(?is)\bnot\s+in\b|\b(?:sum|avg|count|mean|total)\s*\(|\bwhere\b.*\band\b|\bunion\b|\bdrop\b|\balter\b|\breplace\b"
    r"|\btruncate\b|[a-z0-9]\s*[+-]\s*[a-z]|\binsert\s+overwrite\b"
)
_JINJA_NAME = compile_later(r"""\{\{\s*(?:ref|source)\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]+)['"]\s*\)\s*\}\}""")
_JINJA_VALUE = compile_later(r"\{\{.*?\}\}")
_JINJA_BLOCK = compile_later(r"(?s)\{%.*?%\}|\{#.*?#\}|\{\{-?\s*config\(.*?\}\}")
_INSERTED = compile_later(r"\{[^{}\n]{0,80}\}")


@dataclass(frozen=True, slots=True)
class Query:
    """One statement. `line` is its first line in the code around it, 0 if it stands alone."""

    text: str
    tree: Tree
    line: int = 0
    path: str = ""
    before: tuple[Tree, ...] = ()

    def selects(self) -> Iterator[Tree]:
        """Every SELECT in it, outer ones first."""
        from sqlglot import exp

        yield from self.tree.find_all(exp.Select)


def queries_in(text: str, line: int = 0, path: str = "") -> tuple[Query, ...]:
    """The statements of a script or a dbt model that compute a figure or change a table. Raises Unreadable as
    `sql.read` does."""
    if not _WORTH.search(text):
        return ()
    from supervisor.evidence.sql import read

    plain = text
    if "{" in text:
        plain = _JINJA_VALUE.sub("x", _JINJA_NAME.sub(r"\1", _JINJA_BLOCK.sub(" ", text)))
    plain = _INSERTED.sub("x", plain)
    found: list[Query] = []
    for statement in read(plain, "bigquery" if "`" in plain else ""):
        if statement.tree is not None:
            before = tuple(each.tree for each in found)
            found.append(Query(statement.source, statement.tree, line, path, before))
    return tuple(found)


def column_name(node: Tree) -> str:
    """The name of a column in lower case; empty for any other expression."""
    from sqlglot import exp

    return str(node.name).lower() if isinstance(node, exp.Column) else ""


def sources_of(select: Tree) -> dict[str, Tree]:
    """The tables and subqueries of a SELECT by the name that it calls them, in lower case; CTEs as their SELECT."""
    from sqlglot import exp

    ctes = {cte.alias.lower(): cte.this for cte in select.root().find_all(exp.CTE)}
    found: dict[str, Tree] = {}
    source = select.args.get("from_") or select.args.get("from")
    named = [source.this] if source is not None else []
    named += [join.this for join in select.args.get("joins") or ()]
    for each in named:
        name = (each.alias or each.name or "").lower()
        if isinstance(each, exp.Subquery):
            found[name] = each.this
        elif isinstance(each, exp.Table):
            found[name] = ctes.get(each.name.lower(), each)
    return found


def is_grouped_by(source: Tree, column: str) -> bool:
    """Whether a subquery has one row for each value of a column."""
    from sqlglot import exp

    if not isinstance(source, exp.Select):
        return False
    group = source.args.get("group")
    keys = [column_name(each) for each in group.expressions] if group is not None else []
    listed = [each.alias_or_name.lower() for each in source.expressions]
    return keys == [column] or (bool(source.args.get("distinct")) and listed == [column])


def only_ask(queries: Iterable[Query]) -> bool:
    """Whether all statements only read."""
    from sqlglot import exp

    return all(isinstance(each.tree, exp.Query) for each in queries)
