"""Destroys a table, a schema or a database, or empties one whole."""

from supervisor.evidence.sql import statements, tables_made_before
from supervisor.specialist import Action, Context, Opinion, block, nudge, ok, specialist

_HOLDS_DATA = frozenset({"database", "keyspace", "schema", "table"})


@specialist("sql")
def table_dropped(action: Action, context: Context) -> Opinion:
    script = statements(action, context)
    for place, each in enumerate(script):
        destroys = each.verb in ("drop", "truncate") and each.target in _HOLDS_DATA
        if not destroys or not each.runs or each.scratch:
            continue
        if each.writes and all(name in tables_made_before(action, context) for name in each.writes):
            continue
        names = ", ".join(each.writes) or "(unnamed)"
        what = f"{each.verb.upper()} {each.target.upper()} {names}"
        rebuilt = {name for later in script[place + 1 :] if later.verb == "create" for name in later.writes}
        if each.verb == "drop" and each.writes and rebuilt.issuperset(each.writes):
            return nudge(
                f"{what} loses the rows of the old table before the new one is made.",
                correction=f"Keep the rows: change {names} with ALTER TABLE, use CREATE TABLE IF NOT EXISTS, or create"
                " the new table under another name and copy the rows into it.",
                evidence=(each.source[:200],),
            )
        return block(f"{what} destroys its data, and nothing brings it back.", evidence=(each.source[:200],))
    return ok()
