"""An UPDATE or DELETE has changed more rows than its condition names, or than were counted before."""

from supervisor.evidence.actions.affected import rows_changed, rows_counted, rows_named
from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_GROWN = 2  # times as many rows as were counted, and at least
_MORE = 10  # rows more, because a table in use grows meanwhile


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def more_rows_changed_than_named(action: Action, context: Context) -> Opinion:
    changes = [each for each in statements(action, context) if each.verb in ("update", "delete") and each.runs]
    if len(changes) != 1:  # the output does not assign rows to one of several statements
        return ok()
    (change,) = changes
    changed = rows_changed(action, context)
    if changed is None:
        return refuse("the output does not say how many rows it changed")
    named, counted = rows_named(change), rows_counted(change, context.history)
    if named is not None and changed > named:
        why = f"its condition names {named} by their keys"
    elif counted is not None and changed > max(counted * _GROWN, counted + _MORE):
        why = f"a count with the same condition had found {counted}"
    else:
        return ok()
    return nudge(
        f"This {change.verb.upper()} changed {changed:,} rows of {', '.join(change.writes)}, but {why}.",
        correction="Change nothing more. Roll this back if its transaction is still open; otherwise tell the user how"
        " many rows were changed, and by which statement, so that they can be restored.",
        evidence=(change.source[:200], str(changed)),
    )
