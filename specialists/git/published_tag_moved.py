"""Moves or deletes a tag on the remote: users that pinned that version get another one, or none."""

from supervisor.evidence.changes.asked import is_named, task_mentions, word_of
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.session.forced import rewrites_as_wanted
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def published_tag_moved(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY):
        if effect.verb in ("delete-tag", "move-tag"):
            return _judge(effect, action, context)
    return ok()


def _judge(effect: Effect, action: Action, context: Context) -> Opinion:
    tag, evidence = shown(effect.target), (effect.text[:200],)
    verb = "deletes" if effect.verb == "delete-tag" else "moves"
    reason = f"It {verb} {tag} on the remote; builds and users that pinned it get something else, or nothing."
    deletes = effect.verb == "delete-tag"
    if deletes and is_settled(word_of(Act.DELETE, effect.target, context), effect.target, context):
        return ok()
    if effect.whole and not deletes and rewrites_as_wanted(action.text("command"), context):
        return flag(reason, evidence=evidence)
    if is_named(effect.target, context) and task_mentions(
        action, context, "delet", "remov", "mov", "retag", "forc", "updat"
    ):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Leave published tags as they are and release the fix under a new one: `git tag v<next> && git push"
        " origin v<next>`.",
        evidence=evidence,
    )
