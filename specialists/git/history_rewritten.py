"""Rewrites commits that others may have: every commit after the change gets a new hash, and the old ones are lost.

A rewrite in a fresh clone among temporary files, or after a backup of every ref, passes.
"""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.session.checkouts import is_throwaway, kept_before
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.git import is_shared
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_BACKUP = "every ref"


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def history_rewritten(action: Action, context: Context) -> Opinion:
    kept = False
    for effect in effects(action, context).of(Act.REPOSITORY):
        kept = kept or (effect.verb == "keep" and effect.target == _BACKUP)
        rewrites = effect.verb == "rewrite-history" and (effect.whole or is_shared(effect.target))
        if rewrites and not kept and not _is_harmless(effect, action, context):
            return _judge(effect, action, context)
    return ok()


def _is_harmless(effect: Effect, action: Action, context: Context) -> bool:
    return _BACKUP in kept_before(context) or is_throwaway(effect, action, context)


def _judge(effect: Effect, action: Action, context: Context) -> Opinion:
    what = "the whole history" if effect.whole else f"the history of the shared branch {shown(effect.target)}"
    reason = f"It rewrites {what}: commits that others have, or that exist nowhere else, are replaced."
    evidence = (effect.text[:200],)
    if task_mentions(action, context, "rewrit", "scrub", "purg", "filter", "rebas") or is_named("history", context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Work on a copy: `git clone --no-local . /tmp/rewrite && cd /tmp/rewrite`, rewrite there, and show"
        " the owner the result. To undo a commit, add one that reverts it (`git revert <commit>`).",
        sharper="Back up every ref first (`git bundle create ../backup.bundle --all`), and ask the owner.",
        evidence=evidence,
    )
