"""Destroys the reflog or unreachable objects, which git keeps for weeks so that lost commits can be recovered."""

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.session.checkouts import is_throwaway
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY, Act.DELETE])
def unreachable_commits_destroyed(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY, Act.DELETE):
        if _expires(effect) and not is_throwaway(effect, action, context):
            return _judge(effect, action, context)
    return ok()


def _expires(effect: Effect) -> bool:
    if effect.act is Act.REPOSITORY:
        return effect.verb == "expire"
    return f"/{effect.target}/".endswith("/.git/logs/") and effect.whole


def _judge(effect: Effect, action: Action, context: Context) -> Opinion:
    what = effect.target if effect.act is Act.REPOSITORY else "the reflog"
    reason = f"It destroys {what} at once: commits, stashes and branches lost by mistake cannot be recovered."
    evidence = (effect.text[:200],)
    if task_mentions(action, context, "reflog", "unreachable", "dangling", "prun", "gc", "garbage"):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Run `git gc`: it frees nearly as much and keeps what was lost in the last two weeks.",
        evidence=evidence,
    )
