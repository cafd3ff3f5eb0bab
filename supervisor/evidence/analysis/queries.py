"""Queries of an analysis: the parts of a SELECT that a figure depends on, from the syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
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
_JINJA_BLOCK = compile_later(r"(?s)\{%.*?%\}|\{#.*?#\}")
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

    plain = _JINJA_BLOCK.sub(" ", _JINJA_VALUE.sub("x", _JINJA_NAME.sub(r"\1", text))) if "{" in text else text
    plain = _INSERTED.sub("x", plain)
    found: list[Query] = []
    for statement in read(plain, "bigquery" if "`" in plain else ""):
        if statement.tree is not None:
            before = tuple(each.tree for each in found)
            found.append(Query(statement.source, statement.tree, line, path, before))
    return tuple(found)
