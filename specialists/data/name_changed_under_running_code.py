"""Renames a table or a column of a database in production while running code still uses the old name."""

from supervisor.evidence.actions.queries import is_live
from supervisor.evidence.actions.statements import statements
from supervisor.evidence.changes.ownership import is_named_in_task, is_own
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.evidence.sql.migrations import alterations
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def name_changed_under_running_code(action: Action, context: Context) -> Opinion:
    if not is_live(action, context):
        return ok()
    for each in statements(action, context):
        if not each.runs or is_own(each, action, context) or not (what := _renamed(each)):
            continue
        reason = f"{what} of {', '.join(each.writes) or 'a table'} changes while code still uses the old one."
        evidence = (each.source[:200],)
        if is_named_in_task(each, context) and "renam" in (context.task or "").lower():
            return flag(reason, evidence=evidence)
        return nudge(
            reason,
            correction="Add the new name beside the old one and keep both: ALTER TABLE … ADD COLUMN … and copy in"
            " batches, or CREATE VIEW with the new name. Remove the old name once no code uses it.",
            evidence=evidence,
        )
    return ok()


def _renamed(each: Statement) -> str:
    """The kind of name that changes. Names of indexes and constraints do not count: code does not use them."""
    if each.starts("RENAME", "TABLE") or (each.starts("EXEC|EXECUTE") and each.has_phrase("SP_RENAME")):
        return "The name"
    if each.verb != "alter" or each.target not in ("table", "view", "schema"):
        return ""
    for part in alterations(each):
        if part[0] == "RENAME" and part[1:2] not in (("CONSTRAINT",), ("INDEX",), ("KEY",)):
            return "The name" if part[1:2] in (("TO",), ("AS",)) else "The name of a column"
        if part[0] == "CHANGE":
            names = [word for word in part[1:4] if word != "COLUMN"]
            if len(names) > 1 and names[0] != names[1]:
                return "The name of a column"
    return ""
