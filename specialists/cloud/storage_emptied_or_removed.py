"""Deletes buckets, volumes, file systems or everything below a prefix, or mirrors onto a target so that files that
exist only there are deleted."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="deletes stored data that was not listed before",
    correction="List what would be deleted, or rehearse it (`--dryrun`, `--dry-run`, `-n`), make sure that a copy or"
    " versioning keeps it, and have the owner confirm.",
    sharper="Keep the data and ask the owner which of it may go.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def storage_emptied_or_removed(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.STORAGE)
    return judged(found, _ADVICE, action, context)
