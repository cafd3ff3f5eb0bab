"""Files and libraries that a variable makes a program load: `LD_PRELOAD`, `BASH_ENV`, `NODE_OPTIONS='--require …'`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from supervisor.evidence.commands import Role, option_variables, variables
from supervisor.evidence.effects.effect import Act, Effect, Ground
from supervisor.evidence.shell import Command

# The options of Node.js, Java, Perl and Ruby that load a file; `=` and `:` before it are read as a space.
_LOADS = frozenset(
    {"-r", "--require", "--import", "--loader", "--experimental-loader", "-javaagent", "-agentpath", "-I"}
)
_JOINED = ("-r", "-I")


def loads(command: Command) -> bool:
    """Whether a variable that is set for the command makes it load a file."""
    return any(any(_files(name, value)) for name, value in command.environment)


def loaded(command: Command, ground: Ground) -> Iterator[Effect]:
    """The files that variables make a command load. The verb is "load"."""
    for name, value in command.environment:
        for word in _files(name, value):
            path = command.path(word)
            text = f"{name}={word} {command.text}"
            yield Effect(Act.EXECUTE, path, ground.scope_of(path, command), "load", text=text, command=command)


def _files(name: str, value: str) -> Iterator[str]:
    if variables().get(name) is Role.SCRIPT:
        yield from value.replace(":", " ").split()
    elif name in option_variables():
        words = value.replace("=", " ").replace("agent:", "agent ").replace("agentpath:", "agentpath ").split()
        yield from (word for option, word in pairwise(words) if option in _LOADS)
        yield from (word[2:] for word in words if word.startswith(_JOINED) and word[2:3] in ("/", "."))
