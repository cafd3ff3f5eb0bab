"""Gives an account of a database far more rights than a task can need, or gives rights to everybody."""

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_MIGHTY = "SUPERUSER|CREATEROLE|BYPASSRLS"
_MIGHTY_ROLES = (
    "DBA|SUPER|FILE|PG_READ_SERVER_FILES|PG_WRITE_SERVER_FILES|PG_EXECUTE_SERVER_PROGRAM|RDS_SUPERUSER|ACCOUNTADMIN"
    "|SYSADMIN|CONTROL"
)


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def rights_granted_widely(action: Action, context: Context) -> Opinion:
    for each in statements(action, context):
        what = _granted(each) if each.runs and not each.scratch else ""
        if not what:
            continue
        reason = f"It grants {what}."
        if _is_asked(each, context):
            return flag(reason, evidence=(each.source[:200],))
        return nudge(
            reason,
            correction="Grant only the rights that the work needs, on its tables, to one named account: for example"
            " `GRANT SELECT, INSERT ON shop.orders TO reporting`. Leave roles and superusers to the user.",
            evidence=(each.source[:200],),
        )
    return ok()


def _granted(each: Statement) -> str:
    """The right that is granted too widely, in words; empty if none."""
    if each.starts("CREATE|ALTER", "ROLE|USER") and each.has_phrase(_MIGHTY):
        return "the rights of a superuser"
    if each.starts("ALTER", "SERVER", "ROLE") and each.has_phrase("ADD", "MEMBER"):
        return "a role of the whole server"
    if each.starts("EXEC|EXECUTE") and each.has_phrase("SP_ADDSRVROLEMEMBER"):
        return "a role of the whole server"
    if not each.starts("GRANT"):
        return ""
    if each.has_phrase("ON", "*", ".", "*") and each.has_phrase("ALL"):
        return "all rights on every database of the server"
    if each.has_phrase("TO", "PUBLIC") and not each.has_phrase("USAGE|EXECUTE|CONNECT"):
        return "rights to everybody who can connect"
    if each.has_phrase("WITH", "GRANT|ADMIN", "OPTION"):
        return "the right to grant it further"
    rights = each.words[1 : each.words.index("TO")] if "TO" in each.words else ()
    if set(rights) & set(_MIGHTY_ROLES.split("|")) and (len(rights) == 1 or "*" in rights or "SERVER" in rights):
        return f"{rights[0]}, a right over the whole server,"
    return ""


def _is_asked(each: Statement, context: Context) -> bool:
    """Whether the task itself mentions granting, and this account."""
    task = (context.task or "").lower()
    account = each.words[each.words.index("TO") + 1] if "TO" in each.words[:-1] else each.words[2]
    return account.strip("'\"").lower() in task and any(word in task for word in ("grant", "privilege", "superuser"))
