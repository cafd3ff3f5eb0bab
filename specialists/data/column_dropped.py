"""Drops a column, and with it the value of every row in it."""

from supervisor.evidence.actions.queries import is_live
from supervisor.evidence.actions.statements import statements
from supervisor.evidence.changes.ownership import is_own
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.evidence.sql.migrations import alterations
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_NO_COLUMN = frozenset({"CHECK", "CONSTRAINT", "DEFAULT", "FOREIGN", "INDEX", "KEY", "PARTITION", "PRIMARY"})


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def column_dropped(action: Action, context: Context) -> Opinion:
    added: set[tuple[tuple[str, ...], str]] = set()
    for each in statements(action, context):
        if each.verb != "alter" or each.target != "table" or not each.runs or is_own(each, action, context):
            continue
        added.update((each.writes, column) for column in each.columns)
        for column in _dropped(each):
            if (each.writes, column) not in added:
                return _judge(each, column, action, context)
    return ok()


def _judge(each: Statement, column: str, action: Action, context: Context) -> Finding:
    table = ", ".join(each.writes)
    reason = f"Dropping {column} loses its value in every row of {table}, and breaks code that still reads it."
    asked = column in (context.task or "").lower()
    if asked or not is_live(action, context):
        return flag(reason, confidence=0.5, evidence=(each.source[:200],))
    return nudge(
        reason,
        correction=f"Leave {column} where it is, and copy its values into a table of their own with CREATE TABLE"
        f" {table}_{column}_kept AS SELECT …. Drop it in a later change, once no code reads it and the user agrees.",
        evidence=(each.source[:200],),
    )


def _dropped(each: Statement) -> list[str]:
    columns = []
    for part in alterations(each):
        if part[0] == "DROP" and part[1:2] and part[1] not in _NO_COLUMN:
            names = [word for word in part[1:] if word not in ("COLUMN", "IF", "EXISTS", "(")]
            columns += [name.strip('"').lower() for name in names[:1]]
    return columns
