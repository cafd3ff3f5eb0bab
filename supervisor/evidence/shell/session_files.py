"""The texts of files as the session's own past tells them: what was written whole, and what was read."""

from __future__ import annotations

from supervisor.action import Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.paths import resolve
from supervisor.evidence.session.past import Growing, grown
from supervisor.evidence.shell.commands import Script

_PATHS = ("path", "file_path", "filename", "file")
_CONTENTS = ("content", "contents", "file_text", "text")
_COMMANDS = ("command", "cmd", "commands", "script")
_LONGEST = 64 * 1024


class _Texts(Growing):
    """For each path, the numbers of the steps that tell of it, each with the text that it has from then on."""

    def __init__(self, cwd: str | None) -> None:
        self._cwd = cwd
        self.told: dict[str, dict[int, str | None]] = {}

    def take(self, number: int, step: Step) -> None:
        if step.failed:
            return
        for path, text in self._told(step):
            known = text if text is not None and len(text) <= _LONGEST else None
            self.told.setdefault(path, {})[number] = known

    def _told(self, step: Step) -> list[tuple[str, str | None]]:
        if step.kind == "shell":
            return self._of_script(step)
        path = _first(step, _PATHS)
        if path is None or not step.kind.startswith("file_"):
            return []
        text = {"file_write": _first(step, _CONTENTS), "file_read": step.text or None}.get(step.kind)
        return [(resolve(path, self._cwd or "."), text)]

    def _of_script(self, step: Step) -> list[tuple[str, str | None]]:
        from supervisor.evidence.shell import read_script

        command = next((step.args[name] for name in _COMMANDS if name in step.args), None)
        if isinstance(command, str) and not any(mark in command for mark in (">", "tee", "cat ")):
            return []
        try:
            script = read_script(command, self._cwd)
        except Unreadable:
            return []
        return [*script.files.items(), *_shown(script, step.text)]


def _shown(script: Script, output: str) -> list[tuple[str, str | None]]:
    """`cat file` alone shows all of it."""
    cat = [each for each in script.commands if each.program != "cd"]
    operands = cat[0].operands() if len(cat) == 1 and cat[0].program == "cat" else []
    return [(cat[0].path(operands[0]), output)] if len(operands) == 1 and output else []


def _first(step: Step, names: tuple[str, ...]) -> str | None:
    return next((value for name in names if isinstance(value := step.args.get(name), str)), None)


def text_of_file(context: Context, path: str) -> str | None:
    """The text of a file at a resolved path, as the last step that tells it has it; None where none does."""
    told = grown(context, _Texts, context.cwd).told.get(path, {})
    steps = [number for number in told if number < len(context.history)]
    return told[max(steps)] if steps else None
