"""Takes a check of what comes in out of code that stays: a validation, a signature, an escape, a limit of calls."""

from supervisor.evidence.changes.protections import Sort
from supervisor.evidence.effects import Act
from supervisor.methods.protections import Lesson, taken_out
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="takes out a check of what comes in",
    correction="Leave the check in, and mend what fails it: the caller, the schema, the key. If it is wrong for one"
    " value, let that value through and nothing else.",
    sharper="Put the check back. Tell the user which input fails it.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def input_check_removed(action: Action, context: Context) -> Opinion:
    return taken_out(Sort.INPUT, _LESSON, action, context)
