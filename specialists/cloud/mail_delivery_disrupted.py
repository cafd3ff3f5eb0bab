"""Deletes verified senders, domains, templates, routes or lists of those who must not be written to."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="takes away what mail is sent with, or the list of those who opted out",
    correction="List it first (`list-email-identities`, `GET /suppressions`), export it, and have the owner"
    " confirm; take single addresses off a list only at their owner's wish.",
    sharper="Leave it as it is and ask the owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def mail_delivery_disrupted(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.MAIL, verbs=DESTROYS | HALTS)
    return judged(found, _ADVICE, action, context)
