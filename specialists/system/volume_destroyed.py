"""Destroys a pool, a volume or its snapshots, and with it all data on it."""

from supervisor.evidence.changes.asked import asks_to, is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.SYSTEM])
def volume_destroyed(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.SYSTEM)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb not in ("volume", "snapshots"):
        return ok()
    lost = (
        "the snapshots from which things could be restored" if effect.verb == "snapshots" else "all that is kept there"
    )
    asked = asks_to(Act.DELETE, action, context) or task_mentions(action, context, "format", "drop", "detach")
    named = not effect.target or is_named(effect.target, context)
    judge = flag if asked and named else block
    return judge(
        f"With {shown(effect.target) or 'it'} go {lost}: `{shown(effect.text)}`.", evidence=(effect.text[:200],)
    )
