"""What a program receives to send on: a text, a file, the output of another command, the environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from supervisor.evidence.effects.effect import Ground
from supervisor.evidence.reading.paths import HOLE, Place, resolve, without_glob
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set

MOST_STAGES = 256  # of a pipeline that are read, counted from its end


class Payload(NamedTuple):
    """What is sent. `what` is "text", "file", "output" or "environment". A file has its resolved path, its place and
    whether it is a whole tree. `command` is the command that prints or reads it."""

    what: str
    path: str = ""
    place: Place = Place.UNKNOWN
    whole: bool = False
    command: Command | None = None


_ENVIRONMENT = frozenset({"env", "printenv", "export", "declare", "set", "compgen", "typeset"})
_TEXT = frozenset({"", "date", "echo", "false", "jo", "printf", "seq", "sleep", "true", "uuidgen", "yes", "cd", "exit"})
# Programs that print the files named by their operands, and the number of operands before the files.
_WHOLE = (
    "base32 base64 bat bzip2 cat cut dd fold gpg gzip head hexdump less more nl od openssl pigz rev sort strings "
    "tac tail tar uniq xxd xz zip zstd"
)
_BY_PATTERN = ("awk", "egrep", "fgrep", "grep", "jq", "rg", "sed", "tr")
_PASS_ON = {**dict.fromkeys(_WHOLE.split(), 0), **dict.fromkeys(_BY_PATTERN, 1)}
_ARCHIVERS = frozenset({"tar", "zip", "7z", "rsync"})
_VALUED = word_set("-c -n -w -f -C -I -e -m -A -B -d -k --exclude --directory --file -K -pass -in -out -recipient")
_LISTS_ENVIRONMENT = ("/proc/self/environ", "/proc/1/environ")


def payload_in_file(word: str, command: Command, ground: Ground) -> Payload:
    """The file or tree that a word names."""
    path = resolve(word, command.cwd)
    bare = without_glob(path)
    if bare in _LISTS_ENVIRONMENT:
        return Payload("environment", bare, Place.SYSTEM, command=command)
    whole = bare != path or word.endswith("/") or command.has_flag("-r", "-R", "--recursive", "-a", "--archive")
    return Payload("file", bare, ground.scope_of(bare, command), whole, command)


def payloads_of(commands: Sequence[Command], ground: Ground) -> list[Payload]:
    """What the output of some commands contains: the environment and files if there are any, else anything else."""
    found = [payload for command in commands[-MOST_STAGES:] for payload in _printed_by(command, ground)]
    specific = [payload for payload in found if payload.what in ("environment", "file")]
    return specific or found


def _printed_by(command: Command, ground: Ground) -> list[Payload]:
    program = command.program
    if program in _TEXT:
        return [Payload("text", command=command)]
    if program in _ENVIRONMENT:
        shows = not command.operands() or program in ("printenv", "declare", "typeset", "compgen")
        return [Payload("environment", command=command)] if shows and not command.wraps else []
    if program not in _PASS_ON:
        return [] if command.wraps else [Payload("output", command=command)]
    files = _files_of(command)
    files += [each.target for each in command.redirects if each.operator == "<"]
    payloads = [
        payload_in_file(word, command, ground) for word in files if HOLE not in word or word.startswith(("/", "~"))
    ]
    if program in _ARCHIVERS:
        payloads = [each._replace(whole=True) for each in payloads]
    return payloads


def _files_of(command: Command) -> list[str]:
    if command.program == "dd":
        return [word[3:] for word in command.args if word.startswith("if=")]
    if command.program == "openssl":
        return [value for name, value in zip(command.args, command.args[1:], strict=False) if name == "-in"]
    words = command.operands(_VALUED)[_PASS_ON[command.program] :]
    if command.program == "tar" and words and not command.args[0].startswith("-"):
        words = words[2 if "f" in command.args[0] else 1 :]
    elif command.program == "tar":
        words = _behind_cluster(command)
    return [word for word in words if word != "-"]


def _behind_cluster(command: Command) -> list[str]:
    """The operands of `tar -czf name …`, without the value of the cluster's `f`."""
    clusters = {
        word for word in command.args if word.startswith("-") and not word.startswith("--") and word[-1:] in "fCX"
    }
    return command.operands(frozenset(clusters) | _VALUED)
