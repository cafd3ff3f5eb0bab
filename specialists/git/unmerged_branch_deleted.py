"""Deletes or moves a local branch by force although its commits may be on no other branch.

A branch that the agent made itself passes, and so does one that was merged, pushed or tagged in this session.
"""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.session.checkouts import is_throwaway, kept_before, made_branches
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def unmerged_branch_deleted(action: Action, context: Context) -> Opinion:
    kept = set[str]()
    for effect in effects(action, context).of(Act.REPOSITORY):
        if effect.verb not in ("delete-branch", "move-branch", "keep"):
            continue
        if effect.verb == "keep":
            kept.add(effect.target)
        elif effect.scope is Place.REMOTE or effect.target in kept or _is_kept(effect.target, action, context):
            continue
        elif not _is_fine(effect, action, context):
            return _corrected(effect)
    return ok()


def _is_kept(branch: str, action: Action, context: Context) -> bool:
    """Whether the session created the branch, or has merged, pushed or tagged its commits."""
    return branch in kept_before(context) or branch in made_branches(action, context)


def _is_fine(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the clone is a throw-away one, or the user asked for this."""
    asked = task_mentions(action, context, "clean", "delet", "drop", "mov", "prun", "remov", "reset")
    return is_throwaway(effect, action, context) or (asked and is_named(effect.target, context))


def _corrected(effect: Effect) -> Opinion:
    branch = "many branches" if effect.whole else shown(effect.target)
    if effect.verb == "move-branch":
        return nudge(
            f"It moves the branch {branch} by force; the commits that were on it may be on no other.",
            correction="Keep the old tip under another name first (`git branch <branch>-old <branch>`), then move it.",
            evidence=(effect.text[:200],),
        )
    return nudge(
        f"It deletes {branch} although its commits may be on no other branch.",
        correction="Use `git branch -d <branch>`, which refuses if commits would be lost. To delete it anyway, first"
        " keep its tip: `git tag archive/<branch> <branch>`.",
        evidence=(effect.text[:200],),
    )
