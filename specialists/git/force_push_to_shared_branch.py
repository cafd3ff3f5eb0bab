"""Overwrites the history of a branch that others build on.

`--force` together with `--force-with-lease` counts as `--force`: it makes git ignore the lease. The lease alone refuses
to overwrite commits that this clone has not seen, so on a shared branch it is only flagged.
"""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.session.forced import commits_to_be_lost, rewrites_as_wanted
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.git import is_shared
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY], facts=["branch"])
def force_push_to_shared_branch(action: Action, context: Context) -> Opinion:
    pushes = (each for each in effects(action, context).of(Act.REPOSITORY) if each.verb == "force-push")
    return max((_judge(each, action, context) for each in pushes), key=lambda finding: finding.verdict, default=ok())


def _judge(push: Effect, action: Action, context: Context) -> Finding:
    branch = _branch(push, context)
    if not branch:
        return _over_commits_of_others(push, context)
    evidence = (push.text[:200],)
    if push.reversible:
        reason = f"It rewrites the shared branch {shown(branch)}, but only commits that this clone has seen."
        return flag(reason, evidence=evidence) if is_known(push.target) else ok()
    reason = f"A forced push replaces the history of {shown(branch)} on the remote; others' commits there are lost."
    named = task_mentions(action, context, "forc") and is_named(branch, context)
    if named or (push.whole and rewrites_as_wanted(action.text("command"), context)):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Push your work to a branch of your own (`git push origin HEAD:refs/heads/<your-branch>`) and open a"
        " pull request. To update a branch that is yours alone, name it and use `git push --force-with-lease origin"
        " <your-branch>`.",
        sharper=f"Do not force {shown(branch)}: integrate what is there (`git pull --rebase`), then push without it.",
        evidence=evidence,
    )


def _over_commits_of_others(push: Effect, context: Context) -> Finding:
    lost = None if push.reversible else commits_to_be_lost(context)
    if lost is None:
        return ok()
    return nudge(
        f"The remote branch has commits that this forced push discards: “{shown(lost.shown)}”.",
        correction="Take them in first (`git fetch`, `git rebase`), and push with `--force-with-lease`.",
        sharper="Do not force this push. Tell the user whose commits are on the remote.",
        evidence=(push.text[:200], lost.shown),
    )


def _branch(push: Effect, context: Context) -> str:
    """The shared branch that is overwritten. An unnamed branch counts as shared unless the context shows otherwise."""
    if push.whole or is_shared(push.target):
        return push.target
    if is_known(push.target):
        return ""
    known = context.facts.get("branch")
    if isinstance(known, str):
        return known if is_shared(known) else ""
    return "the current branch" if push.target == HOLE else "a branch that is not named"
