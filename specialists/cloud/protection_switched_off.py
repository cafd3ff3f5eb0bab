"""Switches off a protection of data or resources against loss or access."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="switches off a protection of resources against loss",
    correction="Leave the protection on and work with it: read its setting (`get-bucket-versioning`,"
    " `describe-db-instances`, `az lock list`), and tell the owner what it prevents you from doing.",
    sharper="Leave the protection on. Only the owner may switch it off.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def protection_switched_off(action: Action, context: Context) -> Opinion:
    found = [
        *changes(action, context, Sort.PROTECTION, verbs=DESTROYS | HALTS | {"weaken"}),
        *changes(action, context, Sort.DATABASE, Sort.STORAGE, Sort.QUEUE, verbs=("weaken",)),
    ]
    return judged(found, _ADVICE, action, context)
