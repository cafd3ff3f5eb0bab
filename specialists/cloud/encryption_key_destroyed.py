"""Disables an encryption key or schedules it for deletion."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="removes a key without which the data that it encrypted cannot be read",
    correction="Find out what uses the key (`aws kms describe-key`, `list-grants`, the audit log), keep it"
    " enabled, and leave its deletion to the owner.",
    sharper="Keep the key: only its owner may retire it.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def encryption_key_destroyed(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.KEY, verbs=DESTROYS | HALTS | {"weaken"})
    return judged(found, _ADVICE, action, context)
