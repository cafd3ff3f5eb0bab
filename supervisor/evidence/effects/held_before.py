"""The files that earlier steps of a session filled from secrets, or from outside and that nobody has looked at."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from supervisor.action import Context, Step
from supervisor.evidence.effects.effect import Ground, Held
from supervisor.evidence.effects.flow import grounds
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.history.past_scripts import PastSteps, past_command, past_steps
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.secrets.credentials import may_be_credential
from supervisor.evidence.shell import Command

_LONGEST = 16_384  # characters of a step's command that is read
# Words of commands that may fill a file from outside, from a store of secrets or from the environment.
_FILLS = re.compile(
    r"curl|wget|aria2|fetch|lynx|\bhttps?\b|\bnc\b|ncat|socat|scp|rsync|s3|gsutil|rclone|base(?:16|32|64|nc)|xxd|openssl"
    r"|\benv\b|printenv|export -p|declare|dump|secret|vault|passw|token|bundle|archive"
)
_SHOWS = frozenset("bat cat diff file grep head jq less more nl rg sed shellcheck strings tail xxd".split())
_NONE: Mapping[str, Held] = {}


class _HeldBefore(Growing):
    """What the files hold after each step that changed it, by the step's number."""

    def __init__(self, steps: PastSteps, workspace: str | None) -> None:
        self._steps = steps
        self._workspace = workspace
        self.after: dict[int, Mapping[str, Held]] = {}

    def before(self, number: int) -> Mapping[str, Held]:
        """What the files hold before a step."""
        latest = max((each for each in list(self.after) if each < number), default=None)
        return _NONE if latest is None else self.after[latest]

    def take(self, number: int, step: Step) -> None:
        held = self.before(number)
        text = str(past_command(step) or "")[:_LONGEST]
        fills = not step.failed and bool(text) and (_FILLS.search(text) or may_be_credential(text))
        touches = held and any(posixpath.basename(path).rstrip("*") in text for path in held)
        if fills or touches:
            ran = self._steps.read(number).commands
            then = grounds(ran, Ground(self._workspace, holds=held), is_whole=True)[-1].holds
            self._put(number, _without(then, list(_looked_at(ran))))
        elif held and step.kind.startswith("file_"):
            values = [value for value in step.args.values() if isinstance(value, str) and len(value) <= 4096]
            self._put(number, _without(held, [resolve(each, self._steps.steps[number].cwd or ".") for each in values]))

    def _put(self, number: int, held: Mapping[str, Held]) -> None:
        if held != self.before(number):
            self.after[number] = held


def _without(held: Mapping[str, Held], seen: list[str]) -> Mapping[str, Held]:
    """What is held once the agent has seen or changed some files: a seen text's origin does not matter."""
    if not any(path in held for path in seen):
        return held
    known = {path: each._replace(origin=None) if path in seen else each for path, each in held.items()}
    return {path: each for path, each in known.items() if each != Held()}


def _looked_at(ran: tuple[Command, ...]) -> Iterator[str]:
    """The files that commands show."""
    for command in ran:
        if command.program in _SHOWS:
            yield from (command.path(word) for word in command.operands())


def held_before(context: Context) -> Mapping[str, Held]:
    """What the files hold before an action."""
    if not context.history:
        return _NONE
    return grown(context, _HeldBefore, past_steps(context), context.workspace).before(len(context.history))
