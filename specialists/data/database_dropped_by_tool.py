"""Has a tool drop or empty a whole database, without a visible SQL statement."""

from supervisor.evidence.changes.asked import asks_to, is_named
from supervisor.evidence.changes.ownership import is_for_tests
from supervisor.evidence.effects import Act, effects, is_known
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.DATABASE])
def database_dropped_by_tool(action: Action, context: Context) -> Opinion:
    for each in effects(action, context).of(Act.DATABASE):
        if each.verb != "drop database" or each.command is None or each.command.program in ("psql", "mysql"):
            continue
        if any(f"_env={name}" in each.text.lower() for name in ("test", "ci")):
            continue  # a framework's own test database, which each run creates anew
        name = each.target if is_known(each.target) else "the database that its configuration names"
        reason = f"`{shown(each.text)}` drops or empties {name} whole."
        if _is_for_tests(each.text, each.target) or _is_asked(each.target, action, context):
            return flag(reason, confidence=0.5, evidence=(each.text[:200],))
        return nudge(
            reason,
            correction="Update the schema and keep the data: apply the missing migrations"
            " (`prisma migrate deploy`, `rails db:migrate`, `python manage.py migrate`), or work in a database of your"
            " own that you create with another name.",
            sharper="Do not drop it. Tell the user what blocks you, and have the user decide and run it.",
            evidence=(each.text[:200],),
        )
    return ok()


def _is_for_tests(text: str, target: str) -> bool:
    return "_env=development" in text.lower() or is_for_tests(target)


def _is_asked(target: str, action: Action, context: Context) -> bool:
    if not asks_to(Act.DATABASE, action, context):
        return False
    return is_named(target, context) if is_known(target) else "database" in (context.task or "").lower()
