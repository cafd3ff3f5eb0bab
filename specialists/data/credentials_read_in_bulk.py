"""Reads the passwords, tokens or keys of many accounts at once."""

from typing import Any

from sqlglot import exp

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_COLUMNS_NAMES = (
    "access_token api_key api_secret apikey auth_token authentication_string client_secret encrypted_password "
    "hashed_password mfa_secret otp_secret passhash passwd password password_digest password_hash passwordhash "
    "private_key pwd refresh_token reset_token rolpassword secret_key session_token totp_secret "
    "user_password"
)
_COLUMNS = frozenset(_COLUMNS_NAMES.split())
_TABLES_NAMES = (
    "access_tokens all_api_keys api_keys api_tokens apikeys auth_tokens credentials dba_users integration_tokens "
    "mysql.user oauth_tokens pg_authid pg_catalog.pg_authid pg_catalog.pg_shadow pg_shadow refresh_tokens secrets "
    "sys.sql_logins user_credentials user_secrets vault.decrypted_secrets vault.secrets"
)
_TABLES = frozenset(_TABLES_NAMES.split())


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def credentials_read_in_bulk(action: Action, context: Context) -> Opinion:
    for each in statements(action, context):
        if each.verb != "select" or each.scratch or not isinstance(each.tree, exp.Select) or _names_one(each.tree):
            continue
        what = _credentials(each)
        if not what:
            continue
        reason = f"It reads {what} of every row of {', '.join(each.reads) or 'a table'}."
        if what.split(".")[-1] in (context.task or "").lower():
            return flag(reason, evidence=(each.source[:200],))
        return nudge(
            reason,
            correction="Leave out the columns with passwords, tokens and keys: name the others one by one, or ask only"
            " for a count. If one secret is needed, name its row in the WHERE.",
            evidence=(each.source[:200],),
        )
    return ok()


def _credentials(each: Statement) -> str:
    """The column of secrets that is selected, or `all columns` of a table of secrets; empty if there is none."""
    for shown in each.tree.expressions if each.tree is not None else ():
        inner = shown.unalias()
        if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)):
            if not _TABLES.isdisjoint(name for name in each.reads):
                return "all columns"
        elif not isinstance(inner, (exp.AggFunc, exp.Predicate)) and (name := _secret_in(inner)):
            return name
    return ""


def _secret_in(shown: Any) -> str:
    columns = (column.name.lower() for column in shown.find_all(exp.Column) if not column.find_ancestor(exp.AggFunc))
    return next((name for name in columns if name in _COLUMNS), "")


def _names_one(tree: Any) -> bool:
    """Whether the WHERE names the row by a value, or only the column names are read (LIMIT 0)."""
    limit = tree.args.get("limit")
    if limit is not None and limit.expression is not None and limit.expression.name in ("0", "1"):
        return True
    where = tree.args.get("where")
    if where is None:
        return False
    return any(
        isinstance(each.left, exp.Column) and isinstance(each.right, (exp.Literal, exp.Parameter, exp.Placeholder))
        for each in where.this.find_all(exp.EQ)
    )
