"""Applies infrastructure code or overwrites a deployment before the difference can be reviewed."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="changes infrastructure without a reviewed plan",
    correction="Save the plan (`terraform plan -out=change.tfplan`, `pulumi preview`, `helm diff`, `kubectl"
    " diff`), show it to the owner, then apply exactly that plan, without forcing.",
    sharper="Stop at the plan: the owner applies it.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def infrastructure_applied_unreviewed(action: Action, context: Context) -> Opinion:
    found = [
        *changes(action, context, verbs=("apply",)),
        *changes(action, context, Sort.WORKLOAD, verbs=("overwrite",)),
    ]
    return judged(found, _ADVICE, action, context)
