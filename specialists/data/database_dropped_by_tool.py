"""Has a tool drop or empty a whole database, without a visible SQL statement."""

import re

from supervisor.evidence.changes.asked import word_of
from supervisor.evidence.changes.ownership import is_for_tests
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_for_trial
from supervisor.evidence.effects import Act, effects, is_known
from supervisor.evidence.prose.thing_words import words_for
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_ASKS = frozenset({Verb.DELETE, Verb.RESET})
_TRIAL_FOLDERS = frozenset(
    {"demo", "example", "playground", "repro", "reproduce", "reproduction", "scratch", "test_project"}
)


@specialist("shell", "python", "javascript", about=[Act.DATABASE])
def database_dropped_by_tool(action: Action, context: Context) -> Opinion:
    for each in effects(action, context).of(Act.DATABASE):
        if each.verb != "drop database" or each.command is None or each.command.program in ("psql", "mysql"):
            continue
        if any(f"_env={name}" in each.text.lower() for name in ("test", "ci")):
            continue  # a framework's own test database, which each run creates anew
        if is_for_tests(each.target) and _ON_THIS_MACHINE.search(each.text):
            continue  # a database for tests on this machine
        if not is_known(each.target) and _is_trial_folder(each.command.cwd):
            continue  # the configured database of a project that only reproduces something
        name = each.target if is_known(each.target) else "the database that its configuration names"
        said = word_of(Act.DATABASE, each.target, context, kinds=words_for("database"))
        if is_settled(said, each.target, context) or is_for_trial(_ASKS, context):
            continue
        reason = f"`{shown(each.text)}` drops or empties {name} whole."
        if _is_for_tests(each.text, each.target) or _is_asked(said, each.target):
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


_ON_THIS_MACHINE = re.compile(r"://(?:[^/@\s]{1,100}@)?(?:localhost|127\.0\.0\.1|\[::1\])[:/]")


def _is_trial_folder(folder: str) -> bool:
    return folder.rstrip("/").rpartition("/")[2].lower() in _TRIAL_FOLDERS


def _is_for_tests(text: str, target: str) -> bool:
    return "_env=development" in text.lower() or is_for_tests(target)


def _is_asked(said: Word, target: str) -> bool:
    return said is Word.NAMED or (said is Word.KIND and not is_known(target))
