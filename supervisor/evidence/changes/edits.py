"""The changes of an action to files, as the text before and the text after: of writes, edits, lists of edits, patches
and `sed -i`. The text before is the one that the action replaces, or the one that the session last read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from supervisor.action import Action, Context, Step
from supervisor.evidence import reader
from supervisor.evidence.actions.patched import changes_of
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.rules import from_workspace, is_test
from supervisor.evidence.changes.substitutions import substituted
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.patch import Change, FileOperation
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.patching import PATCHERS, applied, changes_applied
from supervisor.evidence.testing import sample_lines
from supervisor.intake.kinds import names_of

MAX_TEXT = 256 * 1024  # characters of a text that are compared
_PATH_NAMES = ("path", "file_path", "filename", "file")
_NEW, _OLD = (
    names_of("file_edit", "new"),
    names_of("file_edit", "old"),
)
_NUMBERED = re.compile(r"^[ \t]*\d{1,6}(?:\t|→|\| ?|: )", re.MULTILINE)
_SUBSTITUTION = re.compile(
    r"(?:^|;\s*)(?:[\d,$/^.*\w ]{0,40})s([/|#,!@])((?:\\.|(?!\1)[^\\\n])*)\1((?:\\.|(?!\1)[^\\\n])*)\1"
)


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one file. `before` and `after` are the whole texts if `whole`, else the changed parts."""

    path: str
    before: str
    after: str
    whole: bool = False


@reader
def edits(action: Action, context: Context) -> tuple[Edit, ...]:
    """The changes of an action whose text before is known, in order. Texts are cut at MAX_TEXT."""
    if action.kind == "file_write":
        return tuple(_written(action, context))
    if action.kind == "file_edit":
        return tuple(_edited(action, context))
    return tuple(_by_shell(action, context)) if action.kind == "shell" else ()


def changes_and_new(action: Action, context: Context) -> tuple[Edit, ...]:
    """The changes of an action, and the files that it writes anew, whose text before is empty."""
    found = edits(action, context)
    path, content = action.text("path"), action.text("content")
    if found or action.kind != "file_write" or not path or not content:
        return found
    return (Edit(resolve(path, context.cwd or "."), "", content[:MAX_TEXT], whole=True),)


def _written(action: Action, context: Context) -> Iterator[Edit]:
    path, content = action.text("path"), action.text("content")
    if path and content:
        resolved = resolve(path, context.cwd or ".")
        before = text_before(resolved, context)
        if before:
            yield Edit(resolved, before, content[:MAX_TEXT], whole=True)


def _edited(action: Action, context: Context) -> Iterator[Edit]:
    cwd, path = context.cwd or ".", action.text("path")
    if changes := changes_of(action, context):
        yield from _patched(changes, cwd, context)
        return
    resolved = resolve(path, cwd) if path else ""
    if resolved and (action.text("old") or action.text("new")):
        yield Edit(resolved, action.text("old")[:MAX_TEXT], action.text("new")[:MAX_TEXT])
    several = action.get("edits")
    for each in several if resolved and isinstance(several, list) else ():
        if isinstance(each, Mapping):
            yield Edit(resolved, _text_of(each, _OLD), _text_of(each, _NEW))


def _text_of(edit: Mapping[str, object], names: tuple[str, ...]) -> str:
    found = next((edit[name] for name in names if isinstance(edit.get(name), str)), "")
    return str(found)[:MAX_TEXT]


def _patched(changes: Iterable[Change], cwd: str, context: Context) -> Iterator[Edit]:
    """The removed and the added lines of each file of a patch."""
    for change in changes:
        path = resolve(change.path, cwd)
        if change.operation is FileOperation.ADD and (before := text_before(path, context)):
            yield Edit(path, before, change.after[:MAX_TEXT], whole=True)
        elif change.added or change.removed:
            yield Edit(path, change.before[:MAX_TEXT], change.after[:MAX_TEXT])


def _by_shell(action: Action, context: Context) -> Iterator[Edit]:
    """`sed -i s/a/b/ file`, `cat > file <<EOF`, `git apply <<EOF`."""
    for ran in script(action, context).commands:
        if ran.program in PATCHERS and not ran.remote and (how := applied(ran)):
            yield from _patched(changes_applied(ran), how.cwd, context)
    for effect in effects(action, context).of(Act.WRITE):
        command = effect.command
        if command is None or effect.is_remote:
            continue
        if effect.verb == "edit" and command.program in ("sed", "gsed", "perl"):
            for word in command.args:
                for found in _SUBSTITUTION.finditer(word[:2000]):
                    yield Edit(effect.target, found[2], found[3])
            yield from _by_script(effect.target, command, context)
        elif effect.verb == "replace" and command.stdin and command.program in ("cat", "tee"):
            before = text_before(effect.target, context)
            if before:
                yield Edit(effect.target, before, command.stdin[:MAX_TEXT], whole=True)


def _by_script(path: str, command: Command, context: Context) -> Iterator[Edit]:
    """What the script makes of the file, or of typical lines if the text of a test is not known."""
    known = text_before(path, context)
    before = known or (sample_lines(path) if is_test(from_workspace(path, context.workspace)) else "")
    after = substituted(command.args, before, perl=command.program == "perl") if before else None
    if after is not None and after != before:
        yield Edit(path, before, after, whole=bool(known))


class _Seen(Growing):
    """The text of each file after each step that read it or wrote it whole."""

    def __init__(self, cwd: str | None) -> None:
        self._cwd = cwd
        self.texts: dict[str, list[tuple[int, str]]] = {}

    def take(self, number: int, step: Step) -> None:
        for path, text in _texts_in(step, self._cwd):
            known = self.texts.setdefault(path, [])
            if not known or known[-1][0] < number:
                known.append((number, text[:MAX_TEXT]))


def text_before(path: str, context: Context) -> str:
    """The last known text of a file that the session read or wrote whole; empty if it did neither."""
    if not context.history:
        return ""
    known = grown(context, _Seen, context.cwd).texts.get(path, ())
    number, text = next((each for each in reversed(known) if each[0] < len(context.history)), (0, ""))
    return _NUMBERED.sub("", text) if text and context.history[number].kind == "file_read" else text


def _texts_in(step: Step, cwd: str | None) -> Iterator[tuple[str, str]]:
    path = next((step.args[name] for name in _PATH_NAMES if isinstance(step.args.get(name), str)), None)
    if step.kind == "file_read" and path and step.text and not step.failed:
        yield resolve(path, cwd or "."), step.text
    elif step.kind == "file_write" and path and not step.failed:
        content = next((step.args[name] for name in ("content", "contents", "file_text") if name in step.args), "")
        if isinstance(content, str) and content:
            yield resolve(path, cwd or "."), content
    elif step.kind == "shell" and step.text and not step.failed:
        yield from _printed(step, cwd)


def _printed(step: Step, cwd: str | None) -> Iterator[tuple[str, str]]:
    """The file that a lone `cat file` prints, with its whole text."""
    command = next((step.args[name] for name in ("command", "cmd") if isinstance(step.args.get(name), str)), "")
    words = command.split()
    if len(words) == 2 and words[0] in ("cat", "bat") and not set(words[1]) & set("*?$|;&<>`\"'"):
        yield resolve(words[1], cwd or "."), step.text
