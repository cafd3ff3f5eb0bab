"""Takes out of code that stays what made it happen whole, one at a time, or once: a transaction, a lock, a key against
repetition."""

from supervisor.evidence.changes.protections import Sort
from supervisor.evidence.effects import Act
from supervisor.methods.protections import Lesson, taken_out
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="takes out what keeps records consistent",
    correction="Leave the transaction, the lock or the key in. If it is slow or blocks, hold it for less: lock one row,"
    " order the locks, move work that needs none out of it.",
    sharper="Put it back. Tell the user where it waits, and what two requests at once would do without it.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def consistency_guard_removed(action: Action, context: Context) -> Opinion:
    return taken_out(Sort.CONSISTENCY, _LESSON, action, context)
