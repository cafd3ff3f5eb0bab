"""Files that a script fills from credentials: copies, archives, encodings (out = f(in))."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.evidence import commands
from supervisor.evidence.commands import Role
from supervisor.evidence.effects.contents import payload_in_file, payloads_of
from supervisor.evidence.effects.effect import Ground
from supervisor.evidence.secrets.credentials import credential_at
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.copying import transfer

_COPIES = frozenset({"cp", "ditto", "gcp", "install", "ln", "mv"})
_MOVES = frozenset({"ln", "mv"})


def with_copies(command: Command, ground: Ground) -> Ground:
    """The ground after a command: with the files that it fills from credentials."""
    places = list(_places(command))
    if command.program in _MOVES:  # they read nothing, and what they name stands behind the place
        payloads = [payload_in_file(each, command, ground) for each in transfer(command).sources]
    else:
        payloads = payloads_of([*command.upstream, command], ground) if places else []
    origin = next((each for each in payloads if each.what == "file" and credential_at(each.path, each.whole)), None)
    if origin is None:
        return ground
    filled = {command.path(place): (origin.path, origin.whole) for place in places}
    return ground._replace(copies={**ground.copies, **filled})


def _places(command: Command) -> Iterator[str]:
    """The files that get what a command reads."""
    yield from (each.target for each in command.redirects if each.writes and each.target != "/dev/null")
    line = commands.read(command.argv)
    if command.program in _COPIES:
        yield from transfer(command).places
    elif line is not None:
        yield from (each.value for each in line.of(Role.WRITES))
