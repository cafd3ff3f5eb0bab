"""Takes out of the selection of recipients what keeps those out who did not agree or who unsubscribed."""

from supervisor.evidence.changes.protections import Sort
from supervisor.evidence.effects import Act
from supervisor.methods.protections import Lesson, taken_out
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="writes to people who did not agree or who unsubscribed, because it takes out the filter",
    correction="Keep the filter on consent, and look elsewhere for why few were reached: the provider's limit, failed"
    " deliveries, the size of the list itself.",
    sharper="Put the filter back. Only the user may say that this is a message that needs no consent.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE])
def consent_filter_removed(action: Action, context: Context) -> Opinion:
    return taken_out(Sort.CONSENT, _LESSON, action, context)
