"""Changes the modes of everything in a system's tree or a home."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.machine.vital import is_home, is_vital_tree
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_VERBS = frozenset({"acl", "attributes", "mode"})


@specialist("shell", "python", "javascript", about=[Act.PERMISSION])
def permissions_changed_en_masse(action: Action, context: Context) -> Opinion:
    trees = [each for each in effects(action, context).of(Act.PERMISSION) if each.whole and each.verb in _VERBS]
    return max((_judge(each, context) for each in trees), key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, context: Context) -> Finding:
    path = effect.target
    evidence = (effect.text[:200],)
    if not (is_vital_tree(path) or is_home(path)) or path == context.workspace:
        return ok()
    reason = f"It sets the {effect.verb} {shown(effect.content or '')} on all of {shown(path)}, at once for every file."
    if path != "/" and is_named(path, context):
        return flag(reason, evidence=evidence)
    if is_vital_tree(path):
        return block(f"{reason} The system relies on their present modes.", evidence=evidence)
    return nudge(
        f"{reason} Keys and scripts there need modes of their own.",
        correction="Change only the file or directory that the task is about, by its name.",
        evidence=evidence,
    )
