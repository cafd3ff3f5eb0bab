"""Changes who may see a repository: making it public reveals its whole history, making it private loses stars and
forks."""

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def repository_visibility_changed(action: Action, context: Context) -> Opinion:
    found = (each for each in effects(action, context).of(Act.REPOSITORY) if each.verb in ("publish", "conceal"))
    return max((_judge(each, action, context) for each in found), key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    evidence = (effect.text[:200],)
    if effect.verb == "conceal":
        return flag(f"It hides {shown(effect.target)}; stars, watchers and forks are lost for good.", evidence=evidence)
    reason = f"It shows {shown(effect.target)} with its whole history to people who could not see it."
    asked = task_mentions(action, context, "public", "publish", "visib")
    return (flag if asked else block)(reason, evidence=evidence)
