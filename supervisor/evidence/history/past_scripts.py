"""The commands that earlier steps of a session ran, each parsed once and only on demand.

A long session has run a thousand commands, and to parse one takes as long as to search the text of them all for a name.
So a search for a name parses only the commands that may mention it (`surfaces`), and parses are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeVar, cast

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.history.surfaces import QUOTES, surface, surface_of
from supervisor.evidence.shell import Command, Script, read_script
from supervisor.intake.call_kinds import fields_of
from supervisor.intake.roles import shape_of

T = TypeVar("T")
_COMMAND_NAMES = ("command", "cmd", "commands", "script", "code", "input")
_LONGEST_PATH = 4096  # characters
_LEAST = 64  # characters that every step counts as at least
_MOST_PARSED = 256 * 1024  # characters of commands whose parse is kept; a parse takes up to 100 bytes a character


class PastStep:
    """An earlier step of the session. Its command is parsed on first use."""

    def __init__(self, step: Step, cwd: str | None) -> None:
        self.step = step
        self.cwd = cwd
        self._kept: dict[Callable[[PastStep], object], object] = {}

    @cached_property
    def script(self) -> Script | None:
        """The parsed script; None if the step did not run a shell, or its command cannot be read."""
        command = past_command(self.step)
        try:
            return None if command is None else read_script(command, self.cwd)
        except Unreadable:
            return None

    def once(self, read: Callable[[PastStep], T]) -> T:
        """The result of `read`, kept as long as the parse."""
        kept = self._kept  # one reference, since another thread may replace the attribute
        if read not in kept:
            kept[read] = read(self)
        return cast(T, kept[read])

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """The commands that the step ran in a shell, in order."""
        return self.script.commands if self.script is not None else ()

    @cached_property
    def surface(self) -> str | None:
        """A text that contains every name the step mentions; None if only a full reading shows the names."""
        if self._plain is not None:
            return self._plain
        return surface_of(self.script) if self.script is not None else ""

    @property
    def is_plain(self) -> bool:
        """Whether the surface is known without a parser."""
        return self._plain is not None

    @cached_property
    def _plain(self) -> str | None:
        if self.step.kind.startswith("file_"):
            values = [value for value in self.step.args.values() if isinstance(value, str)]
            return "\n".join([value for value in values if _may_be_path(value)]).translate(QUOTES)
        command = past_command(self.step)
        return surface(command) if isinstance(command, str) else None

    @property
    def size(self) -> int:
        """The characters that the step's command counts as."""
        return _LEAST + len(str(past_command(self.step) or ""))

    def forget(self) -> None:
        """Drops the parse. It is parsed again on the next use."""
        self._kept = {}
        for name in ("script", "commands"):
            self.__dict__.pop(name, None)


def _may_be_path(value: str) -> bool:
    return len(value) <= _LONGEST_PATH and "\n" not in value


class PastSteps(Growing):
    """All earlier steps, with a bounded store of parses."""

    def __init__(self, cwd: str | None) -> None:
        self._cwd = cwd
        self._parsed: dict[int, None] = {}  # oldest first
        self._room = _MOST_PARSED
        self._ahead = 0
        self.steps: list[PastStep] = []

    def take(self, number: int, step: Step) -> None:
        self.steps[number : number + 1] = [PastStep(step, self._cwd)]

    def read(self, number: int) -> PastStep:
        """The command of a step that is about to be parsed. The oldest parses are dropped to make room."""
        past = self.steps[number]
        if number not in self._parsed:
            self._parsed[number] = None
            self._room -= past.size
            for oldest in list(self._parsed) if self._room < 0 else ():
                if self._room >= 0 or oldest == number:
                    break
                self._parsed.pop(oldest, None)
                self.steps[oldest].forget()
                self._room += self.steps[oldest].size
        return past

    def parse_next(self) -> bool:
        """Parses the oldest step not yet seen whose surface needs a parser; False if none is left."""
        while (number := self._ahead) < len(self.steps):
            self._ahead = number + 1
            if not self.steps[number].is_plain:
                _ = self.read(number).surface
                return True
        return False


def past_steps(context: Context) -> PastSteps:
    """The commands of a session's steps."""
    return grown(context, PastSteps, context.cwd)


def latest_steps(context: Context, most: int) -> Iterator[PastStep]:
    """The commands of the last steps before an action, the latest first."""
    steps, end = past_steps(context), len(context.history)
    return (steps.read(number) for number in range(end - 1, max(-1, end - 1 - most), -1))


def past_command(step: Step) -> object:
    """The command of an earlier step, in its original form; None if the step did not run a shell."""
    if step.kind != "shell":
        return None
    _, fields = shape_of(step.tool, step.args)
    if "command" in fields:
        return past_action(step).get("command")
    return next((step.args[name] for name in _COMMAND_NAMES if name in step.args), None)


def past_action(step: Step) -> Action:
    """An earlier step, converted back to an action."""
    kind, fields = shape_of(step.tool, step.args)
    own = fields if kind == step.kind else {}
    return Action(step.tool, step.args, step.kind, own or fields_of(step.kind, step.args))
