"""Deletes namespaces, deployments or releases of a cluster, drains or removes nodes, or scales a workload to zero."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="removes or stops what runs in a cluster",
    correction="Run it with `--dry-run=server` first, or list what it holds (`kubectl get all -n <namespace>`,"
    " `helm get all <release>`), and show the owner what would be removed.",
    sharper="Leave the workload as it is and ask its owner to decide.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def workload_removed_or_stopped(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.WORKLOAD, verbs=DESTROYS - {"overwrite"} | HALTS | {"tamper"})
    return judged(found, _ADVICE, action, context)
