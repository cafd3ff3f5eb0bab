"""Deletes or archives a repository on its host, with the issues, releases and settings that no clone holds."""

from supervisor.evidence.changes.asked import asks_for, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_VERBS = ("delete-repository", "archive-repository")


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def hosted_repository_deleted(action: Action, context: Context) -> Opinion:
    found = (each for each in effects(action, context).of(Act.REPOSITORY) if each.verb in _VERBS)
    return max((_judge(each, action, context) for each in found), key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    repository, evidence = shown(effect.target), (effect.text[:200],)
    asked = asks_for(Act.RESOURCE, effect.target, action, context)
    if effect.verb == "archive-repository":
        reason = f"It makes {repository} read-only for everybody."
        if task_mentions(action, context, "archiv"):
            return flag(reason, evidence=evidence)
        return nudge(
            reason,
            correction=f"Leave it as it is: find out who works on it (`gh repo view {repository}`, the open pull"
            " requests) and have its owner archive it.",
            sharper="Do not archive it. Ask its owner.",
            evidence=evidence,
        )
    reason = f"It deletes the repository {repository} on its host, with issues, releases and settings."
    return flag(reason, evidence=evidence) if asked else block(reason, evidence=evidence)
