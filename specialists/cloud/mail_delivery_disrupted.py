"""Deletes verified senders, domains, templates, routes or lists of people who must not be written to."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="removes what mail delivery depends on, or the list of people who opted out",
    correction="List it first (`list-email-identities`, `GET /suppressions`), export it, and have the owner"
    " confirm; remove a single address from a list only at the request of its owner.",
    sharper="Leave it as it is and ask the owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def mail_delivery_disrupted(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.MAIL, verbs=DESTROYS | HALTS)
    return judged(found, _ADVICE, action, context)
