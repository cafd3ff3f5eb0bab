"""Deletes every file that git does not track; no commit, stash or reflog can restore them."""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.session.checkouts import is_throwaway, saved_before, saves
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def untracked_files_deleted(action: Action, context: Context) -> Opinion:
    saved = False
    for effect in effects(action, context).of(Act.REPOSITORY):
        saved = saved or (effect.verb == "save" and effect.whole and saves(effect, True))
        if effect.verb.startswith("clean") and effect.whole and not is_throwaway(effect, action, context):
            return _judge(effect, saved, action, context)
    return ok()


def _judge(effect: Effect, saved: bool, action: Action, context: Context) -> Opinion:
    evidence = (effect.text[:200],)
    if effect.verb == "clean-ignored":
        return flag("It deletes every ignored file: build output, and local settings such as .env.", evidence=evidence)
    if saved or saved_before(context, untracked=True):
        return ok()
    reason = f"`{shown(effect.text)}` deletes every file that git does not track, for good."
    if task_mentions(action, context, "untracked") or is_named("git clean", context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="List what would be deleted (`git clean -nd`), then delete your own files by name, or save all of"
        " them with `git stash push --include-untracked`.",
        sharper="Run `git stash push --include-untracked` instead of git clean.",
        evidence=evidence,
    )
