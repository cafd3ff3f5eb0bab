"""Gives a user, a role or a service account rights over everything."""

from supervisor.evidence.effects import Act
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="grants far more rights than a task needs",
    correction="Grant the narrowest role that holds the permissions in question, on the one resource"
    " (`roles/storage.objectViewer`, `ReadOnlyAccess`, a namespaced `rolebinding`), or propose it to"
    " the owner.",
    sharper="Do not widen privileges: tell the owner which permission is missing.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def privileges_widened(action: Action, context: Context) -> Opinion:
    found = changes(action, context, verbs=("grant",))
    return judged(found, _ADVICE, action, context)
