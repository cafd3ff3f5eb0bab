"""Takes a check of who may do something out of code that stays, or opens to everybody what was closed."""

from supervisor.evidence.changes.protections import Sort
from supervisor.evidence.effects import Act
from supervisor.methods.protections import Lesson, taken_out
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="takes out a check of who may do this",
    correction="Leave the check in and mend what it meets: give the test a user with the role, the caller its token,"
    " the account its right. If the check moves, put it in its new place in the same change.",
    sharper="Put the check back. Tell the user what it stops, and let them decide.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def access_check_removed(action: Action, context: Context) -> Opinion:
    return taken_out(Sort.ACCESS, _LESSON, action, context)
