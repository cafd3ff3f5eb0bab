"""What a program receives to send on: a text, a file, the output of another command, the environment."""

from __future__ import annotations

from collections.abc import Sequence

from supervisor.evidence import commands
from supervisor.evidence.commands import Line, Stdin, Stdout
from supervisor.evidence.effects.credentials import prints_secret
from supervisor.evidence.effects.effect import Ground, Payload
from supervisor.evidence.effects.files.reading import FileRead, files_read
from supervisor.evidence.reading.paths import HOLE, Place, resolve, without_glob
from supervisor.evidence.secrets.credentials import credential_at
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.found import find_roots
from supervisor.evidence.shell.state import SECRET_VARIABLE

MOST_STAGES = 256  # of a pipeline that are read, counted from its end


_ENVIRONMENT = frozenset({"env", "printenv", "export", "declare", "set", "compgen", "typeset"})
_TEXT = frozenset({"", "date", "echo", "false", "jo", "printf", "seq", "sleep", "true", "uuidgen", "yes", "cd", "exit"})
_RECURSES = ("-r", "-R", "--recursive", "-a", "--archive")
_SAYS = frozenset({"echo", "printf"})
_LISTS_ENVIRONMENT = ("/proc/self/environ", "/proc/1/environ")


def payload_in_file(word: str, command: Command, ground: Ground, *, whole: bool = False) -> Payload:
    """The file or tree that a word names."""
    path = resolve(word, command.cwd)
    bare = without_glob(path)
    whole = whole or bare != path or word.endswith("/") or command.has_flag(*_RECURSES)
    if (held := ground.held(bare, whole=whole).payload) is not None:
        return held
    if bare in _LISTS_ENVIRONMENT:
        return Payload("environment", bare, Place.SYSTEM, command=command)
    return Payload("file", bare, ground.scope_of(bare, command), whole, command)


def payloads_named(word: str, at: int, command: Command, ground: Ground) -> list[Payload]:
    """The file that the word at an index of argv names. A name that is only known at run time stands for the trees in
    which find or ls looked for it; one of `<(…)` for what that prints."""
    writers = command.sources_of(at) if HOLE in word else []
    trees = [each for by in writers for each in _listed(by, ground)]
    specific = trees or [each for each in (payloads_of(writers, ground) if word == HOLE else ()) if is_secret(each)]
    return specific or [payload_in_file(word, command, ground)]


def is_secret(payload: Payload) -> bool:
    """Whether a payload contains secrets whoever gets it."""
    if payload.what == "file":
        return credential_at(payload.path, payload.whole) is not None
    return payload.what in ("environment", "secret", "variable", "dump")


def _listed(command: Command, ground: Ground) -> list[Payload]:
    """The trees of credentials whose files a command lists."""
    if command.program in ("find", "gfind"):
        roots = find_roots(command)[0]
    elif command.program in ("ls", "fd", "fdfind"):
        roots = command.operands()
    else:
        return []
    trees = [payload_in_file(each, command, ground, whole=True) for each in roots]
    return [each for each in trees if is_secret(each)]


def payloads_of(commands: Sequence[Command], ground: Ground) -> list[Payload]:
    """What the output of some commands contains: the environment and files if there are any, else anything else."""
    found = [payload for command in commands[-MOST_STAGES:] for payload in _printed_by(command, ground)]
    specific = [each for each in found if each.what in ("environment", "file", "variable", "secret", "dump")]
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
            name = command.operands()[0]
            return [Payload("variable" if SECRET_VARIABLE.search(name) else "text", name, command=command)]
        shows = not command.operands() or program in ("declare", "typeset", "compgen")
        return [Payload("environment", command=command)] if shows and not command.wraps else []
    if prints_secret(command):
        return [Payload("secret", program, command=command)]
    line = commands.read(command.argv)
    if line is not None and line.stdin is Stdin.NAMES:
        return [each for by in command.upstream[-MOST_STAGES:] for each in _listed(by, ground)]
    if line is None or line.stdout is not Stdout.CONTENTS:
        return [] if command.wraps else [_made_by(command, line, ground)]
    files = [*files_read(command), *(FileRead(word, whole=False) for word in redirected)]
    known = [each for each in files if each.word != "-" and (HOLE not in each.word or each.word.startswith(("/", "~")))]
    return [payload_in_file(word, command, ground, whole=whole) for word, whole in known]


def _made_by(command: Command, line: Line | None, ground: Ground) -> Payload:
    """What a command prints that reads no file by name."""
    if line is not None and line.stdout is Stdout.PROJECT:
        return Payload("file", command.cwd, ground.scope_of(command.cwd, command), whole=True, command=command)
    return Payload("dump" if line is not None and line.stdout is Stdout.DUMP else "output", command=command)
