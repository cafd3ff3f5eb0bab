"""Containers that the session made for itself and that keep nothing: what happens in one ends with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence import reader
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.history.past import names_in_history
from supervisor.evidence.shell import Command

_ENGINES = frozenset({"docker", "podman", "nerdctl"})
_LONGEST = 16 * 1024  # characters of a script
_RUN = re.compile(r"\b(?:docker|podman|nerdctl)\s+(?:container\s+)?run\s([^|;&\n]{1,1000})")
_NAME = re.compile(r"--name[= ]([\w.-]{2,80})")
_KEEPS = re.compile(r"(?<!\S)(?:-v|--volume|--volumes-from|--mount)(?![\w-])")


@reader
def is_in_own_container(action: Action, context: Context) -> bool:
    """Whether all that a shell action runs in named containers runs in such as this session made without a volume.
    Raises Unreadable as `script` does."""
    if action.kind != "shell":
        return False
    entered = [each for each in script(action, context).commands if _enters(each)]
    made = {*_made_in(action.text("command")), *names_in_history(context, _made)} if entered else set[str]()
    return bool(entered) and all(not made.isdisjoint(each.args) for each in entered)


def _enters(command: Command) -> bool:
    return command.program in _ENGINES and "exec" in command.args[:2]


def _made(step: Step) -> Iterator[str]:
    if not step.failed and step.kind == "shell":
        for _, text in strings_in(step.args):
            yield from _made_in(text)


def _made_in(text: str) -> Set[str]:
    runs = _RUN.findall(text[:_LONGEST].replace("\\\n", " "))
    return {name for options in runs if not _KEEPS.search(options) for name in _NAME.findall(options)}
