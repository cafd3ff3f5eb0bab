"""What patches do to files, applied by a tool or a command: the files they add, edit, delete, move and copy, and the
modes they set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.patch import Change, FileOperation
from supervisor.evidence.reading.paths import without_glob
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.patching import CODEX, applied, changes_applied

ACTS = frozenset({Act.DELETE, Act.MOVE, Act.PERMISSION, Act.READ, Act.WRITE})
_LINK, _MODULE, _USUAL = "120000", "160000", "100644"
_OnPath = Callable[..., Effect]


def effects_of_changes(changes: Sequence[Change], on_path: _OnPath) -> Iterator[Effect]:
    """The effects of changes; `on_path` makes an effect from an act, a word, a verb and a content."""
    for change in changes:
        if change.operation is FileOperation.DELETE:
            yield on_path(Act.DELETE, change.path)
        elif change.operation is FileOperation.MODE:
            yield on_path(Act.PERMISSION, change.path, verb="mode", content=change.mode[-3:])
        else:
            yield from _written(change, on_path)


def _written(change: Change, on_path: _OnPath) -> Iterator[Effect]:
    content = change.after + "\n" if change.added else None
    if change.operation is FileOperation.MOVE:
        yield on_path(Act.MOVE, change.source, verb="move")
        yield on_path(Act.WRITE, change.path, verb="move", content=content)
    elif change.operation is FileOperation.COPY:
        yield on_path(Act.READ, change.source)
        yield on_path(Act.WRITE, change.path, verb="replace", content=content)
    elif change.mode == _LINK:
        yield on_path(Act.WRITE, change.path, verb="link", content=change.after)
    elif change.mode == _MODULE:
        yield on_path(Act.WRITE, change.path, verb="make")
    else:
        verb = "replace" if change.operation is FileOperation.ADD else "edit"
        whole = "" if change.operation is FileOperation.ADD and not change.is_binary else None
        yield on_path(Act.WRITE, change.path, verb=verb, content=content if content is not None else whole)
    usual = _USUAL if change.operation is FileOperation.ADD else change.old_mode
    if change.mode and change.mode not in (usual, _LINK, _MODULE):
        yield on_path(Act.PERMISSION, change.path, verb="mode", content=change.mode[-3:])


def by_tool(changes: Sequence[Change], ground: Ground, cwd: str) -> Iterator[Effect]:
    """The effects of a patch that a tool applies."""

    def on_path(act: Act, word: str, *, verb: str = "", content: str | None = None) -> Effect:
        target = ground.path(act, word, cwd)
        bare = without_glob(target)
        whole = bare != target
        if verb == "link" and content:
            content = ground.path(Act.MOVE, content, target.rpartition("/")[0] or cwd)
        return Effect(act, bare, ground.scope_of(bare), verb, whole, text=word[:200], content=content)

    return effects_of_changes(changes, on_path)


def _by_command(command: Command, ground: Ground) -> Iterator[Effect]:
    how = applied(command)
    if how is None:
        return
    inside = replace(command, cwd=how.cwd)

    def on_path(act: Act, word: str, *, verb: str = "", content: str | None = None) -> Effect:
        effect = ground.on_path(act, word, inside, verb=verb, content=content)
        effect.command = command
        return effect

    changes = changes_applied(command)
    if how.output:
        yield on_path(Act.WRITE, how.output, verb="replace")
        return
    if how.path and not changes:
        yield on_path(Act.WRITE, how.path, verb="edit")
    yield from effects_of_changes(changes, on_path)


def _applies_nothing(words: Sequence[str]) -> bool:
    return "apply" not in words and "am" not in words


_BY_COMMAND = Reading(ACTS, _by_command)
PROGRAMS = {
    **dict.fromkeys(("patch", "gpatch", *CODEX), _BY_COMMAND),
    "git": Reading(ACTS, _by_command, _applies_nothing),
}
