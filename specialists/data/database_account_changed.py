"""Removes an account of a database, or changes its login."""

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_MASTERS = frozenset({"admin", "dbo", "mysql.sys", "postgres", "rdsadmin", "root", "sa", "sys", "system"})
_NO_NAMES = frozenset({"=", "BY", "CREDENTIAL", "EXISTS", "FOR", "IF", "NOT", "SCOPED"})


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def database_account_changed(action: Action, context: Context) -> Opinion:
    script = statements(action, context)
    made = {_account(each) for each in script if each.starts("CREATE", "ROLE|USER|LOGIN")}
    for place, each in enumerate(script):
        what, account = (_change(each) if each.runs else ""), _account(each)
        if not what or account in made or _made_again(account, script[place + 1 :]):
            continue
        reason = f"It {what} the account {account}."
        evidence = (each.source[:200],)
        if account not in _MASTERS and (account in (context.task or "").lower() or what.startswith("gives")):
            return flag(reason, evidence=evidence)
        return nudge(
            reason,
            correction="Leave existing accounts as they are, and ask the user. For work of your own, CREATE ROLE with a"
            " new name and only the rights that it needs.",
            evidence=evidence,
        )
    return ok()


def _change(each: Statement) -> str:
    if each.starts("DROP", "ROLE|USER|LOGIN") or _is_credential(each):
        return "removes"
    if each.starts("DROP", "OWNED", "BY"):
        return "drops everything that belongs to"
    if each.starts("ALTER", "ROLE|USER|LOGIN") and each.has_phrase("NOLOGIN|DISABLE"):
        return "locks out"
    if each.starts("ALTER", "ROLE|USER|LOGIN") and each.has_phrase("PASSWORD|IDENTIFIED"):
        return "gives another password to"
    return "gives another password to" if each.starts("SET", "PASSWORD") else ""


def _is_credential(each: Statement) -> bool:
    """Whether it is one of SQL Server's stored logins for other services, whose secrets cannot be read back."""
    return each.starts("DROP", "CREDENTIAL") or each.starts("DROP", "DATABASE", "SCOPED", "CREDENTIAL")


def _account(each: Statement) -> str:
    names = [word for word in each.words[2:] if word not in _NO_NAMES]
    return names[0].strip("'\"").lower() if names else ""


def _made_again(account: str, later: tuple[Statement, ...]) -> bool:
    return any(each.starts("CREATE", "ROLE|USER|LOGIN") and _account(each) == account for each in later)
