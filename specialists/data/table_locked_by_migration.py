"""Changes the schema of a PostgreSQL database in production in a way that locks a table while all its rows are read."""

from supervisor.evidence.actions.queries import is_live
from supervisor.evidence.actions.statements import statements
from supervisor.evidence.changes.ownership import is_own
from supervisor.evidence.effects import Act
from supervisor.evidence.history.past import mentions
from supervisor.evidence.sql import Statement
from supervisor.evidence.sql.migrations import locks
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def table_locked_by_migration(action: Action, context: Context) -> Opinion:
    if not is_live(action, context):
        return ok()
    validated = False
    for each in statements(action, context):
        validated = validated or each.has_phrase("VALIDATE", "CONSTRAINT")
        if each.dialect not in ("", "postgres") or not each.runs or is_own(each, action, context):
            continue
        for lock in locks(each):
            if lock.part == "SET NOT NULL" and (validated or mentions(context, "VALIDATE CONSTRAINT")):
                continue
            return _corrected(each, lock.part, lock.blocks, lock.instead)
    return ok()


def _corrected(each: Statement, part: str, blocks: str, instead: str) -> Opinion:
    table = ", ".join(each.writes) or "its table"
    return nudge(
        f"In production, {part} on {table} locks out {blocks} until every row has been read.",
        correction=f"Instead: {instead}.",
        sharper=f"The fault is the lock, not the wording. Run one statement after the other: {instead}.",
        evidence=(each.source[:200],),
    )
