"""Gives everything in a system's tree to another owner or group."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.machine.vital import is_vital_tree
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist

_VERBS = frozenset({"group", "owner"})
_ACCOUNTS = frozenset({"/root"})  # a home folder may be given to its own account


@specialist("shell", "python", "javascript", about=[Act.PERMISSION])
def owner_changed_en_masse(action: Action, context: Context) -> Opinion:
    trees = [each for each in effects(action, context).of(Act.PERMISSION) if each.whole and each.verb in _VERBS]
    return max((_judge(each, context) for each in trees), key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, context: Context) -> Finding:
    path = effect.target
    if not is_vital_tree(path) or path in _ACCOUNTS or path == context.workspace:
        return ok()
    reason = (
        f"It gives all of {shown(path)} to {shown(effect.content or 'another owner')}. Programs that must belong to"
        " root stop working, and the former owners are not recorded."
    )
    judge = flag if path != "/" and is_named(path, context) else block
    return judge(reason, evidence=(effect.text[:200],))
