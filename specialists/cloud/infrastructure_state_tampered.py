"""Edits or unlocks the recorded state of an infrastructure tool."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="changes the recorded state of the infrastructure behind the tool's back",
    correction="Keep a copy (`terraform state pull > before.tfstate`), find out who holds the lock, and write"
    " the change as a `removed`, `moved` or `import` block that the plan shows.",
    sharper="Leave the state alone and show the owner the output of `state list` and the plan.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def infrastructure_state_tampered(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.STATE, verbs=DESTROYS | {"tamper"})
    return judged(found, _ADVICE, action, context)
