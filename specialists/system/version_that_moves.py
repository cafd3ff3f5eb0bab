"""Builds on a version that may become another one: `latest`, a branch, a repository without a commit."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="builds on a version that may become another one",
    correction="",
    sharper="",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING])
def version_that_moves(action: Action, context: Context) -> Opinion:
    return set_wrongly(Fault.FLOATING, _LESSON, action, context)
