"""What a session tells of the checkout that a command works in: whose changes it holds, what was put away or kept."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context, Step
from supervisor.evidence.effects import Act, Effect, Ground, effects_of_script
from supervisor.evidence.git import git_calls
from supervisor.evidence.paths import Place, place_of, resolve
from supervisor.evidence.session.past import names_told
from supervisor.evidence.session.past_scripts import past_change, past_command
from supervisor.evidence.shell import RUNNERS, Script, code_in, run_by
from supervisor.evidence.writes import is_own, past_script, writes_of

_RECENT = 3  # steps of the history in which changes put away are still put away
_PATH_NAMES = ("path", "file_path", "filename", "file", "notebook_path", "target_file")
_PATH_IN_CODE = re.compile(r"[\w./~-]{1,200}")
_MOST_CODE = 64 * 1024  # characters of a piece of code in which file names are looked for
_REPOSITORY_PROGRAMS = ("git", "gh ", "glab", "hub ", "hg ", "jj ")
_COPIES = frozenset({"cp", "mv", "rsync", "install"})


def is_throwaway(effect: Effect, action: Action, context: Context) -> bool:
    """Whether an effect is on a checkout among temporary files, or on one that the agent made itself."""
    if effect.command is None:
        return False
    cwd = effect.command.cwd
    return place_of(cwd, context.workspace) is Place.TEMPORARY or is_own(cwd, action, context)


def saved_before(context: Context, *, untracked: bool = False) -> bool:
    """Whether the last steps of the session put the changes away, or saw that there are none.

    A plain stash leaves untracked files where they are; a commit holds what was added.
    """
    for step in context.history[-_RECENT:]:
        if "working tree clean" in step.text:
            return True
        if any(effect.verb == "save" and saves(effect, untracked) for effect in _past_effects(step, context.cwd)):
            return True
    return False


def saves(effect: Effect, untracked: bool) -> bool:
    """Whether a "save" puts away what is about to be lost."""
    committed = effect.command is not None and effect.command.argv[:1] == ("commit",)
    return effect.whole or committed or not untracked


def kept_before(context: Context) -> frozenset[str]:
    """The refs and stashes whose commits an earlier step gave another name, merged, pushed or applied."""
    return frozenset(names_told(context, _kept_by_step, context.cwd))


def _kept_by_step(step: Step, cwd: str | None) -> set[str]:
    return {effect.target for effect in _past_effects(step, cwd) if effect.verb == "keep"}


def _past_effects(step: Step, cwd: str | None) -> Iterator[Effect]:
    past = past_script(step, cwd) if _may_concern_git(step) else None
    if past and not step.failed:
        yield from effects_of_script(past, Ground()).of(Act.REPOSITORY)


def _may_concern_git(step: Step) -> bool:
    """Whether it is worth while to parse what a step ran: most of a session has nothing to do with a repository."""
    command = past_command(step)
    return not isinstance(command, str) or any(program in command for program in _REPOSITORY_PROGRAMS)


def is_own_change(path: str, action: Action, context: Context, runs_it: tuple[str, ...] = ()) -> bool:
    """Whether the agent itself changed this very file in this session, or copied it away first.

    `runs_it` are the programs that what changes it now runs in: code of theirs names the file for that alone.
    """
    if is_own(path, action, context):
        return True
    changed = names_told(context, _changed_by_step, context.cwd)
    if path in changed or any(name.endswith(f"/{path}") or path.endswith(f"/{name}") for name in changed):
        return True
    return action.kind in RUNNERS and path in set(_handled(run_by(action, context), runs_it))


def _changed_by_step(step: Step, cwd: str | None) -> set[str]:
    """The files that a step changed; of those that its code names, all that it may have changed."""
    if step.kind in ("file_write", "file_edit"):
        paths = [step.args[name] for name in _PATH_NAMES if isinstance(step.args.get(name), str)]
        return {resolve(path, cwd or ".") for path in paths[:1]}
    past = past_change(step, cwd)
    return set(_handled(past)) if past and not step.failed else set()


def _handled(past: Script, besides: tuple[str, ...] = ()) -> Iterator[str]:
    """The files that a script writes, copies, or names in code that it has a program run, `besides` some."""
    yield from (write.path for write in writes_of(past))
    for command in past.commands:
        if command.program in _COPIES:
            yield from (command.path(word) for word in command.operands()[:-1])
    for code in code_in(past):
        names = _PATH_IN_CODE.findall(code.text[:_MOST_CODE])
        yield from (code.command.path(name) for name in names if "." in name and code.command.program not in besides)


def made_branches(action: Action, context: Context) -> frozenset[str]:
    """The branches that the agent made in this session, by name."""
    names = frozenset(names_told(context, _branches_made))
    return names | (frozenset(_branches(run_by(action, context))) if action.kind in RUNNERS else frozenset())


def _branches_made(step: Step) -> set[str]:
    past = past_script(step, None) if _may_concern_git(step) else None
    return set(_branches(past)) if past and not step.failed else set()


def _branches(past: Script) -> Iterator[str]:
    for call in git_calls(past):
        yield from (call.options[name] for name in ("b", "create", "orphan") if name in call.options)
        if call.verb == "branch" and call.operands and not call.options:
            yield call.operands[0]
