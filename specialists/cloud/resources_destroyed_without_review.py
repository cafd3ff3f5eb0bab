"""Deletes, resets or detaches cloud resources (projects, resource groups, stacks, machines, networks, applications,
records of a payment platform) without a plan, a listing or a dry run that shows what would be lost."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="destroys cloud resources without a review",
    correction="First list what would be destroyed: a saved plan (`terraform plan -destroy -out=destroy.tfplan`), a"
    " preview, a dry run, or the matching `list` or `describe` command. Show that to the owner, and"
    " apply what they confirm.",
    sharper="Leave the resources as they are and ask their owner to decide.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def resources_destroyed_without_review(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.INFRASTRUCTURE, Sort.BILLING, verbs=DESTROYS - {"overwrite"} | HALTS)
    return judged(found, _ADVICE, action, context)
