"""The files that an action changes, and the files that the agent made itself: a view of its effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.actions.patched import changes_of
from supervisor.evidence.changes.past import change_of, effects_of
from supervisor.evidence.effects import Act, Effect, Effects, Ground, effects, effects_of_script, is_known
from supervisor.evidence.history.past_scripts import PastStep, past_action
from supervisor.evidence.history.traces import traces
from supervisor.evidence.patch import FileOperation
from supervisor.evidence.reading.paths import resolve, with_parents
from supervisor.evidence.shell import Script
from supervisor.evidence.shell.git import git_calls

__all__ = ["Write", "is_own", "own_files", "writes", "written"]

_PATH_NAMES = ("path", "file_path", "filename", "file", "notebook_path")
# How each act and verb changes an existing file; other verbs keep its content or make another file.
_HOWS = {
    Act.DELETE: {"": "delete", "shred": "delete", "pick": "delete"},
    Act.MOVE: {"move": "delete"},
    Act.WRITE: {
        "replace": "replace",
        "link": "replace",
        "move": "replace",
        "extend": "extend",
        "edit": "edit",
        "truncate": "edit",
    },
}
_MAKES = frozenset({"link", "make", "replace", "touch"})


@dataclass(frozen=True, slots=True)
class Write:
    """One changed file. `how` is replace (its whole content), extend, edit (in place) or delete. `all/*` stands for all
    files in a directory whose names are not known."""

    path: str
    how: str


@reader
def writes(action: Action, context: Context) -> tuple[Write, ...]:
    """The files that an action changes, in order, as resolved paths, without those that are known only at run time.

    Raises Unreadable as `effects` does.
    """
    return tuple(written(effects(action, context)))


def written(found: Effects) -> Iterator[Write]:
    """The files that effects change."""
    for effect in found.of(Act.WRITE, Act.DELETE, Act.MOVE):
        how = _HOWS[effect.act].get(effect.verb)
        if how and _is_on_disk(effect):
            yield Write(effect.target, how)
            if effect.whole:
                yield Write(f"{effect.target}/*", how)


def _is_on_disk(effect: Effect) -> bool:
    """Whether an effect is on a file of this machine whose path is known, not on a device."""
    return is_known(effect.target) and not effect.is_remote and not effect.target.startswith("/dev/")


@reader
def own_files(action: Action, context: Context) -> Set[str]:
    """The files and directories that the agent made itself, as resolved paths.

    They come from the fact `files_created_by_agent`, from files that earlier steps of the session wrote whole or made,
    and from the directories that the action itself makes.
    """
    stated = context.facts.get("files_created_by_agent")
    made = {resolve(name, context.cwd or ".") for name in _texts(stated)}
    if action.kind in RUNNERS:
        script = run_by(action, context)
        made.update(_made(script, effects_of_script(script, Ground()), frozenset({"make", "touch"})))
    return traces(context, _made_before, frozenset(made))


def is_own(path: str, action: Action, context: Context) -> bool:
    """Whether the agent made the file at a resolved path, or a directory above it, itself."""
    own = own_files(action, context)
    return any(each in own for each in with_parents(path))


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, Sequence) else []


def _made_before(past: PastStep) -> set[str]:
    step = past.step
    if step.failed:
        return set()
    if step.kind == "file_write":
        paths = [step.args[name] for name in _PATH_NAMES if isinstance(step.args.get(name), str)]
        return {resolve(path, past.cwd or ".") for path in paths[:1]}
    try:
        if step.kind == "file_edit":
            changes = changes_of(past_action(step), Context())
            return {resolve(each.path, past.cwd or ".") for each in changes if each.operation is FileOperation.ADD}
        return set(_made(change, effects_of(past), _MAKES)) if (change := change_of(past)) is not None else set()
    except Unreadable:  # the script contains code that cannot be read
        return set()


def _name_of_clone(url: str) -> str:
    return url.rstrip("/").replace(":", "/").rpartition("/")[2].removesuffix(".git")


def _made(script: Script, done: Effects, verbs: frozenset[str]) -> Iterator[str]:
    """The paths that a script makes or clones."""
    for effect in done.of(Act.WRITE):
        if effect.verb in verbs and _is_on_disk(effect):
            yield effect.target
    for call in git_calls(script):
        if call.verb == "clone" and call.words:
            yield call.command.path(call.words[1] if len(call.words) > 1 else _name_of_clone(call.words[0]))
        elif call.verb == "init":
            yield from (call.command.path(word) for word in call.words[:1])
        elif call.verb == "worktree" and call.operands[:1] == ("add",):
            yield from (call.command.path(word) for word in call.words[1:2])
