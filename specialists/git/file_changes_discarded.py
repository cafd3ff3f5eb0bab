"""Resets named files to a committed state, and so loses changes to them that no commit holds.

For an agent that changed the file itself this is ordinary work. If no step of the session changed it, the changes are
somebody else's.
"""

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.clauses import fold, said_by_user
from supervisor.evidence.changes.names import is_described
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.session.checkouts import is_own_change, is_throwaway, saved_before, saves
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def file_changes_discarded(action: Action, context: Context) -> Opinion:
    worst: Finding = ok()
    put_away = set[str]()
    for effect in effects(action, context).of(Act.REPOSITORY):
        if effect.verb == "save" and saves(effect, False):
            break
        if effect.verb == "save-file":
            put_away.add(effect.target)
        elif effect.verb.startswith("discard") and not effect.whole and effect.target not in put_away:
            worst = max(worst, _judge(effect, action, context), key=lambda finding: finding.verdict)
    return worst if worst.verdict and not saved_before(context) else ok()


def _is_described(path: str, context: Context) -> bool:
    """Whether the request has all words of a file's name without its ending: "the terraform lock file"."""
    name = path.rpartition("/")[2].strip(".").rpartition(".")[0].lstrip(".")
    return is_described(fold(said_by_user(context)), name)


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    runs_it = effect.command.wrappers if effect.command else ()
    if is_throwaway(effect, action, context) or is_own_change(effect.target, action, context, runs_it):
        return ok()
    path, evidence = shown(effect.target), (effect.text[:200],)
    reason = f"It discards the uncommitted changes to {path}, and nothing in this session shows that you made them."
    if effect.verb == "discard-or-switch":  # `git checkout word`: a branch or a file, which only git can tell apart
        return flag(reason, confidence=0.5, evidence=evidence) if context.history else ok()
    named = effect.target.removeprefix(f"{resolve(context.cwd or '.')}/")
    if task_mentions(action, context, "discard", "restor", "revert", "throw", "undo") and (
        is_named(named, context) or _is_described(named, context)
    ):
        return ok()
    return nudge(
        reason,
        correction=f"Stash the changes instead of losing them: `git stash push -- {path}` restores the file too.",
        sharper=f"Run `git stash push -- {path}`; the user can have the changes back with `git stash pop`.",
        evidence=evidence,
    )
