"""Gives a user, a role or a service account rights over everything, by a command or in a configuration."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="grants far more rights than a task needs",
    correction="Grant the narrowest role that holds the permissions in question, on the one resource"
    " (`roles/storage.objectViewer`, `ReadOnlyAccess`, a namespaced `rolebinding`), or propose it to"
    " the owner.",
    sharper="Do not widen privileges: tell the owner which permission is missing.",
)

_LESSON = Lesson(
    fault="grants far more rights than a task needs",
    correction="Name the actions and the one resource (`s3:GetObject` on `arn:aws:s3:::reports/*`), the verbs"
    " and kinds of"
    " a namespaced Role, or a role that holds these alone.",
    sharper="Write the statement for the one action that fails today, and ask the user about the rest.",
)


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.RESOURCE, Act.SETTING])
def privileges_widened(action: Action, context: Context) -> Opinion:
    found = changes(action, context, verbs=("grant",))
    judgements = (judged(found, _ADVICE, action, context), set_wrongly(Fault.RIGHTS, _LESSON, action, context))
    return max(judgements, key=lambda finding: finding.verdict)
