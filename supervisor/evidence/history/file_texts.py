"""The texts of files that earlier steps of the session wrote whole or read."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.action import Action, Context, Step, strings_in
from supervisor.errors import Unreadable
from supervisor.evidence.history.past import grown
from supervisor.evidence.history.past_scripts import PastStep, PastSteps, past_action, past_command, past_steps
from supervisor.evidence.history.traces import Sought
from supervisor.evidence.patch import FileOperation
from supervisor.evidence.patch.arguments import changes_in
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import Script

_RECENT = 40  # steps whose outputs may show a file
_PATHS = ("path", "file_path", "filename", "file")
_CONTENTS = ("content", "contents", "file_text", "text")
_LONGEST = 64 * 1024


class _Texts(Sought):
    """For each path, the numbers of the steps that wrote or read it, each with the file's text after that step."""

    def __init__(self, steps: PastSteps, cwd: str | None) -> None:
        super().__init__(steps, cwd)
        self.texts: dict[str, dict[int, str | None]] = {}

    def is_worth(self, step: Step) -> bool:
        if step.failed or step.kind != "shell":
            return not step.failed and step.kind.startswith("file_")
        command = past_command(step)
        return not isinstance(command, str) or any(mark in command for mark in (">", "tee", "cat "))

    def read(self, number: int, past: PastStep) -> None:
        for path, text in _texts_in(past):
            if text is None and past.step.kind == "file_edit":
                text = self._edited(number, path, past_action(past.step))
            known = text if text is not None and len(text) <= _LONGEST else None
            self.texts.setdefault(path, {})[number] = known

    def _edited(self, number: int, path: str, edit: Action) -> str | None:
        """The known text of a file after an edit of old to new text; None if the text is not known."""
        earlier = [each for each in self.texts.get(path, {}) if each < number]
        before, old = self.texts[path][max(earlier)] if earlier else None, edit.text("old")
        return before.replace(old, edit.text("new")) if before is not None and old and old in before else None


def _texts_in(past: PastStep) -> list[tuple[str, str | None]]:
    step = past.step
    if step.kind == "shell":
        return [*past.script.files.items(), *_shown(past.script, step.text)] if past.script is not None else []
    path = _first(step, _PATHS)
    if path is None:
        return list(_patched(step, past.cwd))
    text = {"file_write": _first(step, _CONTENTS), "file_read": step.text or None}.get(step.kind)
    return [(resolve(path, past.cwd or "."), text)]


def _patched(step: Step, cwd: str | None) -> Iterator[tuple[str, str | None]]:
    """The files that a patch adds or changes. The text of a changed file is not known."""
    if step.kind != "file_edit":
        return
    edit = past_action(step)
    try:
        changes = changes_in(edit.text("patch"), edit.args, edit.text("path"))
    except Unreadable:
        return
    for change in changes:
        added = change.after + "\n" if change.operation is FileOperation.ADD else None
        yield resolve(change.path, cwd or "."), added


def _shown(script: Script, output: str) -> list[tuple[str, str | None]]:
    """The file that a lone `cat file` prints, with its whole text."""
    cat = [each for each in script.commands if each.program != "cd"]
    operands = cat[0].operands() if len(cat) == 1 and cat[0].program == "cat" else []
    return [(cat[0].path(operands[0]), output)] if len(operands) == 1 and output else []


def _first(step: Step, names: tuple[str, ...]) -> str | None:
    return next((value for name in names if isinstance(value := step.args.get(name), str)), None)


def text_of_file(context: Context, path: str) -> str | None:
    """The text of the file at a resolved path after the last step that wrote or read it; None if it is not known."""
    texts = grown(context, _Texts, past_steps(context), context.cwd)
    texts.look_for(path)
    by_step = texts.texts.get(path, {})
    steps = [number for number in list(by_step) if number < len(context.history)]
    return by_step[max(steps)] if steps else None


def text_shown_of(context: Context, path: str) -> str | None:
    """The output of the last step that names the file of a path by its last part, for programs that `text_of_file`
    does not know to show files; None if there is none."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    for step in reversed(context.history[-_RECENT:]):
        if step.text and any(name in text.lower() for _, text in strings_in(step.args)):
            return step.text
    return None
