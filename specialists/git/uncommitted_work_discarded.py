"""Discards all changes to tracked files that are in no commit.

A discard after the changes were saved passes, and so does one in a throw-away checkout. `file_changes_discarded` judges
files that are named one by one.
"""

from supervisor.evidence.actions.commands import run_by
from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.changes.clauses import fold, said_by_user
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.prose.given_up import asks_to_discard, gives_up_changes, speaks_of_checkout
from supervisor.evidence.session.checkouts import is_throwaway, saved_before, saves
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_RESETS = frozenset({Verb.RESET, Verb.DELETE})


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def uncommitted_work_discarded(action: Action, context: Context) -> Opinion:
    saved = False
    for effect in effects(action, context).of(Act.REPOSITORY):
        saved = saved or (
            effect.verb == "save" and saves(effect, False) and not _needs_failure(effect, action, context)
        )
        lost = (effect.verb == "discard" and effect.whole and not saved) or effect.verb == "remove-worktree"
        if lost and not _is_harmless(effect, action, context):
            return _judge(effect, action, context)
    return ok()


def _needs_failure(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the discard runs only if the command before it fails: `git stash || git reset --hard`."""
    texts = run_by(action, context).texts
    return any(text.partition(effect.text)[2].lstrip().startswith("||") for text in texts)


def _is_harmless(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the changes were saved before, or the checkout is a throw-away one."""
    put_away = effect.verb == "discard" and saved_before(context)
    is_ours = effect.verb == "remove-worktree" and is_own(effect.target, action, context)
    return put_away or is_ours or is_throwaway(effect, action, context)


def _judge(effect: Effect, action: Action, context: Context) -> Opinion:
    reason = f"`{shown(effect.text)}` discards every uncommitted change {_where(effect)}, which no commit holds."
    evidence = (effect.text[:200],)
    said = fold(said_by_user(context))
    if gives_up_changes(said) and effect.verb == "discard":
        return ok()
    if effect.verb == "discard" and speaks_of_checkout(said) and is_asked(_RESETS, context):
        return flag(reason, evidence=evidence)
    if (
        asks_to_discard(said)
        or task_mentions(action, context, "discard", "throw", "uncommit")
        or _is_spelled_out(effect, context)
    ):
        return flag(reason, evidence=evidence)
    if effect.verb == "remove-worktree":
        return nudge(
            reason,
            correction="Remove the worktree without --force (`git worktree remove <path>`): git refuses if work would"
            " be lost. Commit the files that it names, then remove it.",
            evidence=evidence,
        )
    return nudge(
        reason,
        correction="First save the changes: `git stash push --include-untracked`, or commit them to a branch; then run"
        " this again.",
        sharper="Run `git stash push --include-untracked` now, as an action of its own.",
        evidence=evidence,
    )


def _where(effect: Effect) -> str:
    return "in that worktree" if effect.verb == "remove-worktree" else "to tracked files"


def _is_spelled_out(effect: Effect, context: Context) -> bool:
    """Whether the user's task contains the command: "run git reset --hard"."""
    command = effect.command
    return command is not None and is_named(f"git {' '.join(command.argv[:2])}", context)
