"""The SQL dialect of an action, if the action, its client or the deployment declares it."""

from __future__ import annotations

from sqlglot.dialects.dialect import Dialect

from supervisor.action import Action, Context

_SPOKEN_AS = {
    "cockroachdb": "postgres",
    "greenplum": "postgres",
    "mariadb": "mysql",
    "materialize": "postgres",  # its own parser takes twice as long for each level of nested calls
    "mssql": "tsql",
    "pg": "postgres",
    "postgresql": "postgres",
    "sparksql": "spark",
    "sqlserver": "tsql",
    "sqlite3": "sqlite",
    "vertica": "postgres",
}


def dialect_of(action: Action, context: Context) -> str:
    """The sqlglot name of the dialect that the action or the deployment declares; empty if none or an unknown one."""
    declared = action.text("dialect") or context.facts.get("dialect")
    name = declared.strip().lower() if isinstance(declared, str) else ""
    name = _SPOKEN_AS.get(name, name)
    return name if name and Dialect.get(name) else ""
