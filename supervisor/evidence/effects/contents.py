"""What a program receives to send on: a text, a file, the output of another command, the environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from supervisor.evidence import commands
from supervisor.evidence.commands import Stdout
from supervisor.evidence.effects.effect import Ground
from supervisor.evidence.effects.files.reading import FileRead, files_read
from supervisor.evidence.reading.paths import HOLE, Place, resolve, without_glob
from supervisor.evidence.shell import Command

MOST_STAGES = 256  # of a pipeline that are read, counted from its end


class Payload(NamedTuple):
    """What is sent. `what` is "text", "file", "output", "variable" (one of the environment, by its name) or
    "environment". A file has its resolved path, its place and whether it is a whole tree. `command` is the command that
    prints or reads it."""

    what: str
    path: str = ""
    place: Place = Place.UNKNOWN
    whole: bool = False
    command: Command | None = None


_ENVIRONMENT = frozenset({"env", "printenv", "export", "declare", "set", "compgen", "typeset"})
_TEXT = frozenset({"", "date", "echo", "false", "jo", "printf", "seq", "sleep", "true", "uuidgen", "yes", "cd", "exit"})
_SAYS = frozenset({"echo", "printf"})
_LISTS_ENVIRONMENT = ("/proc/self/environ", "/proc/1/environ")


def payload_in_file(word: str, command: Command, ground: Ground) -> Payload:
    """The file or tree that a word names."""
    path = resolve(word, command.cwd)
    bare = without_glob(path)
    if bare in ground.copies:
        origin, is_tree = ground.copies[bare]
        return Payload("file", origin, ground.scope_of(origin, command), is_tree, command)
    if bare in _LISTS_ENVIRONMENT:
        return Payload("environment", bare, Place.SYSTEM, command=command)
    whole = bare != path or word.endswith("/") or command.has_flag("-r", "-R", "--recursive", "-a", "--archive")
    return Payload("file", bare, ground.scope_of(bare, command), whole, command)


def payloads_of(commands: Sequence[Command], ground: Ground) -> list[Payload]:
    """What the output of some commands contains: the environment and files if there are any, else anything else."""
    found = [payload for command in commands[-MOST_STAGES:] for payload in _printed_by(command, ground)]
    specific = [payload for payload in found if payload.what in ("environment", "file", "variable")]
    return specific or found


def _printed_by(command: Command, ground: Ground) -> list[Payload]:
    program = command.program
    redirected = [each.target for each in command.redirects if each.operator == "<"]
    if program in _TEXT:
        named = payloads_of([by for _, by in command.sources], ground) if program in _SAYS else []
        return (
            named
            or [payload_in_file(word, command, ground) for word in redirected]
            or [Payload("text", command=command)]
        )
    if program in _ENVIRONMENT:
        if command.operands() and program == "printenv":
            return [Payload("variable", command.operands()[0], command=command)]
        shows = not command.operands() or program in ("declare", "typeset", "compgen")
        return [Payload("environment", command=command)] if shows and not command.wraps else []
    line = commands.read(command.argv)
    if line is None or line.stdout is not Stdout.CONTENTS:
        return [] if command.wraps else [Payload("output", command=command)]
    files = [*files_read(command), *(FileRead(word, whole=False) for word in redirected)]
    known = [each for each in files if each.word != "-" and (HOLE not in each.word or each.word.startswith(("/", "~")))]
    return [_whole(payload_in_file(word, command, ground), whole) for word, whole in known]


def _whole(payload: Payload, whole: bool) -> Payload:
    return payload._replace(whole=True) if whole and payload.what == "file" else payload
