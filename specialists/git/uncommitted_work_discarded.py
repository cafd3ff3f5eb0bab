"""Throws away changes that are in no commit.

Restoring files that are named one by one is ordinary work and passes; so does a discard of what was put away before.
"""

from supervisor.evidence.git import discarded, git_calls, saves_changes
from supervisor.evidence.paths import Place, place_of
from supervisor.evidence.shell import Command, script, shown
from supervisor.evidence.writes import is_own, past_script
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_RECENT = 3  # steps of the history in which changes put away are still put away


@specialist("shell")
def uncommitted_work_discarded(action: Action, context: Context) -> Opinion:
    saved = applied = False
    for verb, command in git_calls(script(action, context)):
        saved = saved or saves_changes(verb, command)
        applied = applied or (verb == "stash" and command.operands()[:1] == ["apply"])
        lost = discarded(verb, command)
        if not lost or (applied if verb == "stash" else saved or _saved_before(context)):
            continue
        if not _is_harmless(command, action, context):
            return _corrected(lost, verb, command)
    return ok()


def _saved_before(context: Context) -> bool:
    """Whether the last steps of the session put the changes away, or saw that there are none."""
    for step in context.history[-_RECENT:]:
        if "working tree clean" in step.text:
            return True
        past = past_script(step, context.cwd)
        if past and not step.failed and any(saves_changes(verb, command) for verb, command in git_calls(past)):
            return True
    return False


def _is_harmless(command: Command, action: Action, context: Context) -> bool:
    """Help, a throw-away checkout, or a clone that the agent made itself."""
    if command.has_flag("--help", "-h") or place_of(command.cwd, context.workspace) is Place.TEMPORARY:
        return True
    return is_own(command.cwd, action, context)


def _corrected(lost: str, verb: str, command: Command) -> Opinion:
    reason = f"`git {shown(' '.join(command.argv))}` discards {lost}, which no commit holds."
    evidence = (command.text[:200],)
    if verb == "stash":
        return nudge(
            reason,
            correction="Keep the stash: `git stash apply` it, or turn it into a branch with `git stash branch <name>`,"
            " before you drop it.",
            evidence=evidence,
        )
    return nudge(
        reason,
        correction="Keep the changes first: `git stash push --include-untracked`, or commit them to a branch; then do"
        " this again. Or restore only the files that you mean, each by name (`git restore path/to/file`).",
        sharper="Run `git stash push --include-untracked` now, as an action of its own.",
        evidence=evidence,
    )
