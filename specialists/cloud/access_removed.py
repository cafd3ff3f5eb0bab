"""Deletes users, roles, policies, service accounts, keys or tokens, or revokes access that people and programs work
with."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="removes accounts or access that others work with",
    correction="Find out when it was last used and by whom (`get-access-key-last-used`,"
    " `list-entities-for-policy`, `kubectl get rolebinding`), and have the owner confirm.",
    sharper="Leave accounts and access as they are and ask the owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def access_removed(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.IDENTITY)
    return judged(found, _ADVICE, action, context)
