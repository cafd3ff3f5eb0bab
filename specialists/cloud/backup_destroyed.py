"""Deletes backups, snapshots or recovery points, or expires them without a rule of how many to keep."""

from supervisor.evidence.changes.retention import forgets_as_asked, keeps_as_asked
from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Resource, Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="destroys backups, after which nothing can be restored",
    correction="List the backups, rehearse with `--dry-run`, and thin them out by a rule (`--keep-last`,"
    " `--keep-daily`) that the owner has confirmed.",
    sharper="Keep every backup and ask the owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def backup_destroyed(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.BACKUP, verbs=DESTROYS | HALTS | {"tamper"})
    return judged((each for each in found if not _is_as_asked(each, context)), _ADVICE, action, context)


def _is_as_asked(effect: Resource, context: Context) -> bool:
    command = effect.command
    return command is not None and (forgets_as_asked(command, context) or keeps_as_asked(command, context))
