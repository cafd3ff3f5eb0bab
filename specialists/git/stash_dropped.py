"""Drops stashed changes that were not applied: the stash is the only copy."""

from supervisor.evidence.changes.asked import word_of
from supervisor.evidence.changes.word import Word
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.session.checkouts import is_throwaway, kept_before
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def stash_dropped(action: Action, context: Context) -> Opinion:
    kept = set[str]()
    for effect in effects(action, context).of(Act.REPOSITORY):
        if effect.verb == "keep":
            kept.add(effect.target)
        elif effect.verb == "drop-stash" and effect.target not in kept and not _is_harmless(effect, action, context):
            return _judge(effect, action, context)
    return ok()


def _is_harmless(effect: Effect, action: Action, context: Context) -> bool:
    return effect.target in kept_before(context) or is_throwaway(effect, action, context)


def _judge(effect: Effect, action: Action, context: Context) -> Opinion:
    what = "every stash" if effect.whole else "a stash"
    reason = f"It drops {what} that was not applied in this session; the stash is the only copy of those changes."
    evidence = (effect.text[:200],)
    if word_of(Act.REPOSITORY, "", context, whole=effect.whole, kinds=("stash",)) is Word.KIND:
        return flag(reason, evidence=evidence) if effect.whole else ok()
    return nudge(
        reason,
        correction="Leave the stash, or keep what is in it before you drop it: `git stash apply` it, or turn it into a"
        " branch with `git stash branch <name>`.",
        sharper="Leave the stash where it is, and go on with the task.",
        evidence=evidence,
    )
