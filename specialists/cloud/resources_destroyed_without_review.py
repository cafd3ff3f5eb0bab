"""Deletes, resets or detaches what runs in a cloud (projects, resource groups, stacks, machines, networks,
applications, records of a payment platform) where a plan, a listing or a dry run would have shown what goes."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="destroys cloud resources that nobody has reviewed",
    correction="Look first at what would go: a saved plan (`terraform plan -destroy -out=destroy.tfplan`), a"
    " preview, a dry run, or the matching `list` or `describe` command. Show that to the owner, and"
    " apply what they confirm.",
    sharper="Leave the resources as they are and ask their owner to decide.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def resources_destroyed_without_review(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.INFRASTRUCTURE, Sort.BILLING, verbs=DESTROYS - {"overwrite"} | HALTS)
    return judged(found, _ADVICE, action, context)
