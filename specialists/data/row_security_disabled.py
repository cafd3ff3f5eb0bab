"""Switches off the row level security that separates tenants or users."""

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.changes.ownership import is_own
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def row_security_disabled(action: Action, context: Context) -> Opinion:
    script = statements(action, context)
    for place, each in enumerate(script):
        what = _opens(each) if each.runs and not is_own(each, action, context) else ""
        if not what or any(_closes(later, each) for later in script[place + 1 :]):
            continue
        table = ", ".join(each.writes) or "the table"
        if "row level security" in (context.task or "").lower() or "rls" in (context.task or "").lower().split():
            return flag(f"{what} {table}.", evidence=(each.source[:200],))
        return nudge(
            f"{what} {table}: every reader of the table sees the rows of all.",
            correction="Keep row level security on, and add the one missing policy: CREATE POLICY … ON"
            f" {table} FOR SELECT TO <role> USING (owner_id = current_setting('app.user_id')::int).",
            evidence=(each.source[:200],),
        )
    return ok()


def _opens(each: Statement) -> str:
    if each.has_phrase("DISABLE", "ROW", "LEVEL", "SECURITY"):
        return "It switches row level security off for"
    if each.has_phrase("NO", "FORCE", "ROW", "LEVEL", "SECURITY"):
        return "It exempts the owner from row level security of"
    if (
        each.starts("CREATE|ALTER", "POLICY")
        and each.has_phrase("USING", "(", "TRUE", ")")
        and not each.has_phrase("SELECT")
    ):
        return "It writes a policy that is always true for"
    if each.starts("CREATE|ALTER", "SECURITY", "POLICY") and each.has_phrase("STATE", "=", "OFF"):
        return "It switches the security policy off for"
    return ""


def _closes(later: Statement, each: Statement) -> bool:
    return later.writes == each.writes and later.has_phrase("ENABLE|FORCE", "ROW", "LEVEL", "SECURITY")
