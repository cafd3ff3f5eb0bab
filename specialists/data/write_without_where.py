"""Updates or deletes every row of a table, because nothing narrows the statement."""

import re

from supervisor.evidence.actions.statements import statements, tables_made_before
from supervisor.evidence.changes.ownership import is_asked_for
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_SKELETON = {
    "delete": "DELETE FROM {table} WHERE <condition>",
    "merge": "MERGE INTO {table} USING … ON <the same key on both sides>",
    "replace": "REPLACE INTO {table} SELECT … WHERE <condition>",
    "update": "UPDATE {table} SET … WHERE <condition>",
}
_EVERY = frozenset({"all", "every", "everything", "everyone", "whole"})
_EMPTIES = re.compile(
    r"(?i)\b(?:empty|truncate|wipe|leere|leer|vide[rz]?|vac[ií]a\w*|esvazi\w*|svuota\w*|opr[oó]żnij|leeg|tyhjenn\w*|töm"
    r"|очист\w*|boşalt)\b|비워|空に|清空"
)


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def write_without_where(action: Action, context: Context) -> Opinion:
    added: set[tuple[str, str]] = set()  # a column that this script itself added holds no data to lose
    for each in statements(action, context):
        if each.verb == "alter":
            added.update((table, column) for table in each.writes for column in each.columns)
        if not each.every_row or not each.runs or each.scratch:
            continue
        fills = each.columns and all((table, column) in added for table in each.writes for column in each.columns)
        if fills or (each.writes and all(name in tables_made_before(action, context) for name in each.writes)):
            continue
        task = context.task or ""
        means_every = not _EVERY.isdisjoint(task.lower().split()) or (each.verb == "delete" and _EMPTIES.search(task))
        if is_asked_for(each, action, context) and means_every:
            return flag(f"This {each.verb.upper()} changes every row, as the task asks.", evidence=(each.source[:200],))
        table = ", ".join(each.writes) or "its table"
        why = "its WHERE holds for each of them" if each.condition is not None else "no condition narrows it"
        repaired = each.narrowed() or _SKELETON[each.verb].format(table=table)
        return nudge(
            f"This {each.verb.upper()} changes every row of {table}: {why}.",
            correction=f"Name the rows to change: `{repaired}`.",
            sharper=f"Count the rows of {table} that a condition matches, then write with that same condition:"
            f" `{repaired}`. If every row is meant, stop and ask the user to run it.",
            evidence=(each.source[:200],),
        )
    return ok()
