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


class Held(NamedTuple):
    """What is sent. `what` is "text", "file", "output", "variable" (one of the environment, by its name) or "environment". A file has its resolved path, its place and
    whether it is a whole tree. `command` is the command that prints or reads it."""

    what: str
    path: str = ""
    place: Place = Place.UNKNOWN
    whole: bool = False
    command: Command | None = None


_ENVIRONMENT = frozenset({"env", "printenv", "export", "declare", "set", "compgen", "typeset"})
_TEXT = frozenset({"", "date", "echo", "false", "jo", "printf", "seq", "sleep", "true", "uuidgen", "yes", "cd", "exit"})
_SAYS = frozenset({"echo", "printf"})
_LISTS_ENVIRONMENT = ("/proc/self/environ", "/proc/1/environ")


def held_in_file(word: str, command: Command, ground: Ground) -> Held:
    """The file or tree that a word names."""
    path = resolve(word, command.cwd)
    bare = without_glob(path)
    if bare in ground.copies:
        origin, is_tree = ground.copies[bare]
        return Held("file", origin, ground.scope_of(origin, command), is_tree, command)
    if bare in _LISTS_ENVIRONMENT:
        return Held("environment", bare, Place.SYSTEM, command=command)
    whole = bare != path or word.endswith("/") or command.has_flag("-r", "-R", "--recursive", "-a", "--archive")
    return Held("file", bare, ground.scope_of(bare, command), whole, command)


def held_by(commands: Sequence[Command], ground: Ground) -> list[Held]:
    """What the output of some commands contains: the environment and files if there are any, else anything else."""
    found = [held for command in commands[-MOST_STAGES:] for held in _printed_by(command, ground)]
    specific = [held for held in found if held.what in ("environment", "file", "variable")]
    return specific or found


def _printed_by(command: Command, ground: Ground) -> list[Held]:
    program = command.program
    redirected = [each.target for each in command.redirects if each.operator == "<"]
    if program in _TEXT:
        named = held_by([by for _, by in command.sources], ground) if program in _SAYS else []
        return named or [held_in_file(word, command, ground) for word in redirected] or [Held("text", command=command)]
    if program in _ENVIRONMENT:
        if command.operands() and program == "printenv":
            return [Held("variable", command.operands()[0], command=command)]
        shows = not command.operands() or program in ("declare", "typeset", "compgen")
        return [Held("environment", command=command)] if shows and not command.wraps else []
    line = commands.read(command.argv)
    if line is None or line.stdout is not Stdout.CONTENTS:
        return [] if command.wraps else [Held("output", command=command)]
    files = [*files_read(command), *(FileRead(word, whole=False) for word in redirected)]
    known = [each for each in files if each.word != "-" and (HOLE not in each.word or each.word.startswith(("/", "~")))]
    return [_whole(held_in_file(word, command, ground), whole) for word, whole in known]


def _whole(held: Held, whole: bool) -> Held:
    return held._replace(whole=True) if whole and held.what == "file" else held
