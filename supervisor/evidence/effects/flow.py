"""What the files that a session fills contain (out = f(in)): secrets, and text from outside the session.

A copy, an archive, an encoding, a part, a download and a redirection are the same here: what a command reads, as the
model of command lines says, goes into the files that it writes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from supervisor.evidence import commands
from supervisor.evidence.commands import Line, Role
from supervisor.evidence.effects.contents import MOST_STAGES, is_secret, payload_in_file, payloads_of
from supervisor.evidence.effects.decoders import decodes
from supervisor.evidence.effects.downloads import files_downloaded, prints_remote_text
from supervisor.evidence.effects.effect import Ground, Held, Origin, Payload
from supervisor.evidence.effects.files.copies import links_made
from supervisor.evidence.effects.files.reading import files_read
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.copying import transfer

_MOST_HELD = 256  # files that are followed at once
_COPIES = frozenset({"cp", "ditto", "gcp", "install", "ln", "mv"})
_MOVES = frozenset({"ln", "mv"})
_NO_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tcp/", "/dev/udp/")
_PIPES = frozenset({"coproc", "mkfifo", "mknod"})  # what is read from these may be written by a later command
_SAYS = frozenset({"echo", "printf"})
# The ends of the names that packers give to what they make in the place of a file.
_PACKED = {
    **dict.fromkeys(("gzip", "pigz"), ".gz"),
    **dict.fromkeys(("bzip2", "pbzip2"), ".bz2"),
    **dict.fromkeys(("xz", "pixz"), ".xz"),
    **dict.fromkeys(("gpg", "gpg2"), ".gpg"),
    **dict.fromkeys(("7z", "7za"), ".7z"),
    "lzma": ".lzma",
    "zstd": ".zst",
    "lz4": ".lz4",
    "brotli": ".br",
    "compress": ".Z",
    "zip": ".zip",
    "rar": ".rar",
    "ccencrypt": ".cpt",
}
_ARCHIVERS = frozenset({"7z", "7za", "rar", "zip"})  # the operand that they write gets the end, if it has none
_OPENERS = frozenset({"7z", "7za", "bsdtar", "gtar", "tar", "unrar", "unzip"})
_UNPACKERS = frozenset({"gunzip", "bunzip2", "unxz", "unzstd", "unlzma"})
_CHECKERS = {
    **dict.fromkeys(
        ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"), frozenset({"-c", "--check"})
    ),
    **dict.fromkeys(("shasum", "b2sum", "b3sum"), frozenset({"-c", "--check", "-ac"})),
    **dict.fromkeys(("gpg", "gpg2"), frozenset({"--verify"})),
    **dict.fromkeys(("gpgv", "minisign", "signify", "slsa-verifier"), frozenset({""})),
    "cosign": frozenset({"verify-blob", "verify"}),
    "gh": frozenset({"attestation"}),
}


def grounds(ran: Sequence[Command], ground: Ground, *, is_whole: bool = False) -> list[Ground]:
    """The ground before each command and, with `is_whole`, after the last.

    Of a script with pipes of its own, all that is written anywhere is known first.
    """
    if any(command.program in _PIPES for command in ran):
        for command in ran:
            ground = after(command, ground)
    found = []
    for command in ran:
        found.append(ground)
        ground = after(command, ground)
    return [*found, ground] if is_whole else found


def after(command: Command, ground: Ground) -> Ground:
    """The ground after a command: with the links that it makes, and the files that it fills from secrets or outside."""
    if command.program == "ln":
        ground = ground._replace(links={**ground.links, **links_made(command, ground)})
    if command.program in _CHECKERS and not _CHECKERS[command.program].isdisjoint((*command.args, "")):
        return ground._replace(holds={path: _checked(held) for path, held in ground.holds.items()})
    places = list(_outputs(command))
    if not places or len(ground.holds) > _MOST_HELD:
        return ground
    held = Held(_secret_in(command, ground), _origin_of(command, ground))
    if held.payload or held.origin:
        return ground._replace(holds={**ground.holds, **dict.fromkeys(places, held)})
    if ground.holds and any(each.operator == ">" for each in command.redirects):  # what was there is overwritten
        return ground._replace(holds={path: each for path, each in ground.holds.items() if path not in places})
    return ground


def _checked(held: Held) -> Held:
    """A download whose checksum or signature was checked."""
    is_download = held.origin is not None and held.origin.verb == "download"
    return held._replace(origin=held.origin._replace(verb="verified")) if held.origin and is_download else held


# What a command writes


def _outputs(command: Command) -> Iterator[str]:
    """The files that get what a command reads or receives, as resolved paths. A pattern stands for several."""
    yield from (command.path(each) for each in _names(command) if not each.startswith(_NO_FILES))
    yield from files_downloaded(command)


def _names(command: Command) -> Iterator[str]:
    yield from (each.target for each in command.redirects if each.writes)
    program, line = command.program, commands.read(command.argv)
    if program in _COPIES:
        sources, places = transfer(command)
        yield from places
        if len(places) == 1 and len(sources) == 1:  # the place may be a folder
            yield posixpath.join(places[0], posixpath.basename(sources[0].rstrip("/")))
    elif line is not None:
        written = [each.value for each in line.of(Role.WRITES)]
        yield from written
        yield from _derived(command, line, written)


def _derived(command: Command, line: Line, written: Sequence[str]) -> Iterator[str]:
    """The names that a program makes of others."""
    program, end = command.program, _PACKED.get(command.program)
    operands = [each.value for each in line.arguments if not each.option]
    if program in ("split", "csplit"):
        yield f"{operands[1] if len(operands) > 1 else 'x'}*"
    elif program in _ARCHIVERS:
        yield from (f"{each}{end}" for each in written)
    elif end is not None and not command.has_flag("-d", "--decompress", "-c", "--stdout"):
        yield from (f"{each}{end}" for each in operands)
    elif program in _UNPACKERS and not command.has_flag("-c", "--stdout"):
        yield from (posixpath.splitext(each)[0] for each in operands)
    elif program in _OPENERS:
        yield from _unpacked(command, line, operands)
    elif program == "rsync":
        copied = [each.value for each in line.of(Role.COPY)]
        yield from copied[-1:] if not any(":" in each for each in copied) else ()


def _unpacked(command: Command, line: Line, operands: Sequence[str]) -> Iterator[str]:
    """The folder that an archive is unpacked to: the one that is named, else the one that bears the archive's name."""
    if command.program.endswith("tar") and line.flags.isdisjoint(("-x", "--extract", "--get")):
        return
    named = [each.value for each in line.arguments if each.option in ("-C", "-d")]
    packed = [*_archives(command, line, operands), *(url for by in command.upstream[-1:] for url in by.args)]
    stems = [posixpath.basename(each).partition(".t")[0].removesuffix(".zip") for each in packed if "." in each]
    yield from [each for each in named if each not in (".", "./")] or filter(None, stems)


def _archives(command: Command, line: Line, operands: Sequence[str]) -> list[str]:
    """The archives that a command names."""
    if command.program.endswith("tar"):
        return [each.value for each in line.arguments if each.option == "-f" and each.value != "-"]
    return list(operands[:1])


# What it reads


def _secret_in(command: Command, ground: Ground) -> Payload | None:
    """The secret that a command reads."""
    if command.program in _COPIES:  # mv and ln read nothing, and what they name stands behind the place
        is_tree = command.program in _MOVES
        payloads = [payload_in_file(each, command, ground, whole=is_tree) for each in transfer(command).sources]
    elif command.program == "rsync":
        line = commands.read(command.argv)
        given = [each.value for each in line.of(Role.COPY)][:-1] if line else []
        payloads = [payload_in_file(each, command, ground, whole=True) for each in given]
    else:
        payloads = payloads_of([*command.upstream, command, *command.writers], ground)
        payloads += [payload_in_file(word, command, ground, whole=whole) for word, whole in files_read(command)]
        payloads += [payload_in_file(each, command, ground) for each in _unpacks(command)]
    return next((each for each in payloads if is_secret(each) or _is_project(each, command)), None)


def _is_project(payload: Payload, command: Command) -> bool:
    """Whether a payload is a whole repository, which `git archive` and `git bundle` write."""
    return payload.whole and payload.command is not None and payload.command.program == "git"


def _unpacks(command: Command) -> list[str]:
    """The archives that a command unpacks."""
    line = commands.read(command.argv) if command.program in _OPENERS else None
    if line is None or not any(_unpacked(command, line, command.operands())):
        return []
    return _archives(command, line, command.operands())


def _origin_of(command: Command, ground: Ground) -> Origin | None:
    """Where the text that a command reads comes from, if that is outside the session's own files."""
    stages = (command, *command.upstream[-MOST_STAGES:], *command.writers)
    if (maker := next(filter(decodes, stages), None)) is not None:
        return Origin("decoded", maker)
    if files_downloaded(command):
        return Origin("download", command)
    if (remote := next(filter(prints_remote_text, with_words(stages)), None)) is not None:
        return Origin("download", remote)
    if not ground.holds:
        return None
    read = transfer(command).sources if command.program in _COPIES else _unpacks(command)
    paths = [command.path(each) for each in read] + [path for stage in stages for path in paths_read(stage)]
    return next((held.origin for held in map(ground.held, paths) if held.origin is not None), None)


def paths_read(command: Command) -> Iterator[str]:
    """The resolved paths of the files whose contents a command passes on."""
    yield from (command.path(each.word) for each in files_read(command))
    yield from (command.path(each.target) for each in command.redirects if each.operator == "<")


def with_words(sources: Sequence[Command]) -> list[Command]:
    """Commands, and those whose output they print as a word: `echo "$(curl …)"`."""
    found = list(sources)
    return found + [by for each in found if each.program in _SAYS for _, by in each.sources]
