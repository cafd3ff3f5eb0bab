"""The state of the checkout that a command works in: the agent's own changes, and changes that were saved or kept."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Set

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.changes.past import change_of, effects_of
from supervisor.evidence.changes.writes import is_own, written
from supervisor.evidence.effects import Act, Effect, Effects, Ground, effects_of_script
from supervisor.evidence.history.past_scripts import PastStep, latest_steps, past_command
from supervisor.evidence.history.traces import traces
from supervisor.evidence.reading.paths import Place, place_of, resolve
from supervisor.evidence.shell import Script, code_in
from supervisor.evidence.shell.git import git_calls

_RECENT = 3  # last steps of the history in which a save still counts
_PATH_NAMES = ("path", "file_path", "filename", "file", "notebook_path", "target_file")
_PATH_IN_CODE = re.compile(r"[\w./~-]{1,200}")
_MOST_CODE = 64 * 1024  # characters of a piece of code that are searched for file names
_REPOSITORY_PROGRAMS = ("git", "gh ", "glab", "hub ", "hg ", "jj ")
_COPIES = frozenset({"cp", "mv", "rsync", "install"})


def is_throwaway(effect: Effect, action: Action, context: Context) -> bool:
    """Whether an effect is on a checkout among temporary files, or on one that the agent made itself."""
    if effect.command is None:
        return False
    cwd = effect.command.cwd
    return place_of(cwd, context.workspace) is Place.TEMPORARY or is_own(cwd, action, context)


def saved_before(context: Context, *, untracked: bool = False) -> bool:
    """Whether the last steps of the session saved the changes, or showed that there are none.

    A plain stash does not save untracked files; a commit saves added files.
    """
    for past in latest_steps(context, _RECENT):
        if "working tree clean" in past.step.text or _shows_no_change(past):
            return True
        if any(effect.verb == "save" and saves(effect, untracked) for effect in _past_effects(past)):
            return True
    return False


_SHORT_STATUS = re.compile(r"^\s*git (?:-C \S+ )?status (?:-\S+ )*(?:-s\w*|--short|--porcelain\S*)(?: -\S+)*\s*$")


def _shows_no_change(past: PastStep) -> bool:
    """Whether a step asked for the short status and nothing but the branch came out."""
    command = past_command(past.step)
    if past.step.failed or not isinstance(command, str) or not _SHORT_STATUS.match(command):
        return False
    return all(line.startswith("##") for line in past.step.text.splitlines() if line.strip())


def saves(effect: Effect, untracked: bool) -> bool:
    """Whether a "save" covers the changes that would be lost."""
    committed = effect.command is not None and effect.command.argv[:1] == ("commit",)
    return effect.whole or committed or not untracked


def kept_before(context: Context) -> Set[str]:
    """The refs and stashes whose commits an earlier step gave another name, merged, pushed or applied."""
    return traces(context, _kept, worth=_may_concern_git)


def _kept(past: PastStep) -> set[str]:
    return {effect.target for effect in _past_effects(past) if effect.verb == "keep"}


def _past_effects(past: PastStep) -> Iterator[Effect]:
    with contextlib.suppress(Unreadable):  # the script contains code that cannot be read
        if not past.step.failed and _may_concern_git(past.step):
            yield from effects_of(past).of(Act.REPOSITORY)


def _may_concern_git(step: Step) -> bool:
    """Whether a step's command may concern a repository and is worth parsing. Most steps do not concern one."""
    command = past_command(step)
    return not isinstance(command, str) or any(program in command for program in _REPOSITORY_PROGRAMS)


def is_own_change(path: str, action: Action, context: Context, runs_it: tuple[str, ...] = ()) -> bool:
    """Whether the agent itself changed this file in this session, or copied it first.

    `runs_it` are the programs of the current change; code that they run does not count as a change because it names the
    file.
    """
    if is_own(path, action, context):
        return True
    changed = traces(context, _changed).like(path)
    if any(name == path or name.endswith(f"/{path}") or path.endswith(f"/{name}") for name in changed):
        return True
    if action.kind not in RUNNERS:
        return False
    script = run_by(action, context)
    return path in _handled(script, effects_of_script(script, Ground()), runs_it)


def _changed(past: PastStep) -> set[str]:
    """The files that a step changed, and those that its code names and may have changed."""
    step = past.step
    if step.kind in ("file_write", "file_edit"):
        paths = [step.args[name] for name in _PATH_NAMES if isinstance(step.args.get(name), str)]
        return {resolve(path, past.cwd or ".") for path in paths[:1]}
    if step.failed or (change := change_of(past)) is None:
        return set()
    try:
        return set(_handled(change, effects_of(past)))
    except Unreadable:  # the script contains code that cannot be read
        return set()


def _handled(past: Script, done: Effects, besides: tuple[str, ...] = ()) -> Iterator[str]:
    """The files that a script writes, copies, or names in code run by a program, except the programs `besides`."""
    yield from (write.path for write in written(done))
    for command in past.commands:
        if command.program in _COPIES:
            yield from (command.path(word) for word in command.operands()[:-1])
    for code in code_in(past):
        names = _PATH_IN_CODE.findall(code.text[:_MOST_CODE])
        yield from (code.command.path(name) for name in names if "." in name and code.command.program not in besides)


def made_branches(action: Action, context: Context) -> Set[str]:
    """The names of the branches that the agent made in this session."""
    now = frozenset(_branches(run_by(action, context))) if action.kind in RUNNERS else frozenset()
    return traces(context, _branches_made, now, worth=_may_concern_git)


def _branches_made(past: PastStep) -> set[str]:
    return set(_branches(past.script)) if past.script is not None and not past.step.failed else set()


def _branches(past: Script) -> Iterator[str]:
    for call in git_calls(past):
        yield from (call.options[name] for name in ("b", "create", "orphan") if name in call.options)
        if call.verb == "branch" and call.operands and not call.options:
            yield call.operands[0]
