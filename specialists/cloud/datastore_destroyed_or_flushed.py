"""Removes a database server, a search index, a cache or all their entries through a cloud's or the store's own tool,
without a last snapshot and without the owner's consent."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="destroys a database or all its entries",
    correction="Take a snapshot or a dump first (for RDS, name `--final-db-snapshot-identifier <name>`), list"
    " what is in it, and have the owner confirm; delete single keys or documents instead of all.",
    sharper="Leave the data store as it is and ask its owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def datastore_destroyed_or_flushed(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.DATABASE)
    return judged(found, _ADVICE, action, context)
