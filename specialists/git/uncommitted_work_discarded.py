"""Throws away changes that are in no commit.

Restoring files that are named one by one is ordinary work and passes; so does a discard of what was put away before.
"""

from supervisor.evidence.git import git_calls
from supervisor.evidence.paths import Place, place_of, without_glob
from supervisor.evidence.shell import Command, script
from supervisor.evidence.writes import own_files, past_script
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_EVERYTHING = frozenset({".", "./", "*", ":/", ":/.", ":", "./*", "-A", "--all"})
_RECENT = 3  # steps of the history in which changes put away are still put away
_SAVE = "Keep the changes first: `git stash push --include-untracked`, or commit them to a branch; then do this again."
_NAMED = "Restore only the files that you mean, each by name (`git restore path/to/file`)."


@specialist("shell")
def uncommitted_work_discarded(action: Action, context: Context) -> Opinion:
    saved = _saved_before(context)
    applied = False
    for verb, command in git_calls(script(action, context)):
        operands = command.operands()
        saved = saved or _saves(verb, command)
        applied = applied or (verb == "stash" and operands[:1] == ["apply"])
        lost = _lost(verb, command)
        if lost and not _harmless(command, action, context):
            stashed = verb == "stash"
            if (stashed and not applied) or (not stashed and not saved):
                return _nudge(lost, command, stashed)
    return ok()


def _lost(verb: str, command: Command) -> str:
    """What of the working tree or the stash a git subcommand throws away; empty if nothing."""
    operands = command.operands(frozenset({"-s", "--source", "-b", "-B", "-c", "-C", "-e", "--exclude"}))
    everything = any(without_glob(word) in _EVERYTHING for word in operands)
    forced = command.has_flag("-f", "--force", valued="bBcCe")
    if verb == "reset" and command.has_flag("--hard"):
        return "every uncommitted change to tracked files"
    if verb == "checkout" and (everything or forced):
        return "every uncommitted change to tracked files"
    if verb == "switch" and (forced or command.has_flag("--discard-changes")):
        return "every uncommitted change to tracked files"
    if verb == "restore" and everything and (_touches_files(command)):
        return "every uncommitted change to tracked files"
    if verb == "clean" and forced and not command.has_flag("-n", "--dry-run", "-X") and (everything or not operands):
        return "every file that git does not track"
    if verb == "stash" and operands[:1] in (["drop"], ["clear"]):
        return "changes that only the stash holds"
    if verb == "worktree" and operands[:1] == ["remove"] and forced:
        return "every uncommitted change in that worktree"
    return ""


def _touches_files(command: Command) -> bool:
    return command.has_flag("-W", "--worktree") or not command.has_flag("-S", "--staged")


def _saves(verb: str, command: Command) -> bool:
    """Whether a subcommand puts all changes away where they can be had again."""
    first = next(iter(command.operands()), "push")
    return (verb == "stash" and first in ("push", "save")) or (verb == "commit" and not command.has_flag("--dry-run"))


def _saved_before(context: Context) -> bool:
    """Whether the last steps of the session put the changes away, or saw that there are none."""
    for step in list(context.history)[-_RECENT:]:
        if "working tree clean" in step.text:
            return True
        past = past_script(step, context.cwd)
        if past and not step.failed and any(_saves(verb, command) for verb, command in git_calls(past)):
            return True
    return False


def _harmless(command: Command, action: Action, context: Context) -> bool:
    """Help, a throw-away checkout, or a clone that the agent made itself."""
    if command.has_flag("--help", "-h") or place_of(command.cwd, context.workspace) is Place.TEMPORARY:
        return True
    return any(command.cwd == made or command.cwd.startswith(made + "/") for made in own_files(action, context))


def _nudge(lost: str, command: Command, stashed: bool) -> Opinion:
    drop = (
        "Keep the stash: `git stash apply` it, or `git stash branch <name>` to make it a branch, before it is dropped."
    )
    return nudge(
        f"git {command.program} discards {lost}; no commit holds them.",
        correction=drop if stashed else f"{_SAVE} {_NAMED}",
        sharper="" if stashed else "Run `git stash push --include-untracked` now, as an action of its own.",
        evidence=(command.text[:200],),
    )
