"""Code that runs without being part of the action's text: decoded from another text, or downloaded before.

`verb` is the code's origin: "decoded" (from an encoded text), "unpacked", "download" (over the network, in this
action), "piped" (from a download straight into an interpreter), "verified" (a download whose checksum or signature is
checked first), "load" (a file that a variable makes a program load), "file" (a file that a shell reads, or that the
same script made executable).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise

from supervisor.evidence import commands
from supervisor.evidence.commands import Argument, Role, Stdin, variables
from supervisor.evidence.effects.contents import MOST_STAGES
from supervisor.evidence.effects.decoders import LANGUAGES, decodes, evaluates_decoded, is_escaped, unpacks
from supervisor.evidence.effects.effect import Act, Effect, Ground, Part
from supervisor.evidence.effects.files.reading import files_read
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import SHELLS, Command, Script
from supervisor.evidence.shell.code import code_of
from supervisor.evidence.shell.printed import printed

_SAYS = frozenset({"echo", "printf"})
_AT_COMMAND = re.compile(rf"(?:^|[;&|\n({{`]\s*){HOLE}")  # where a shell takes a word for a program
_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_EXECUTES = frozenset({Act.EXECUTE})
_SOURCES = frozenset({".", "source"})


def parts_of_script(script: Script, ground: Ground) -> Iterator[Part]:
    """The decoded or downloaded code that a script executes."""
    written: dict[str, tuple[str, Command]] = {}
    marked: set[str] = set()  # as executable
    for command in script.commands:
        program = command.program
        sources = code_sources(command)
        if piped := next(filter(prints_remote_text, sources), None):
            yield Part(_EXECUTES, partial(_piped, command, piped))
        if any(variables().get(name) is Role.SCRIPT for name, _ in command.environment):
            yield Part(_EXECUTES, partial(_loaded, command, ground))
        origin = _origin_of(command)
        if origin:
            yield Part(_EXECUTES, partial(_executed, command, *origin, ground))
        if written and (path := next((each for each in _files_run(command, sources) if each in written), None)):
            yield Part(_EXECUTES, partial(_executed, command, *written[path], ground, path))
        elif (program in SHELLS or program in _SOURCES or marked) and (path := file_run(command)):
            if path in marked or program in SHELLS or program in _SOURCES:
                yield Part(_EXECUTES, partial(_ran, command, ground, path))
        elif program == "chmod":
            marked.update(command.path(word) for word in command.operands()[1:])
        if program in _CHECKERS and not _CHECKERS[program].isdisjoint((*command.args, "")):
            written = {path: ("verified" if verb == "download" else verb, by) for path, (verb, by) in written.items()}
        elif program in DOWNLOADERS:
            written |= dict.fromkeys(files_downloaded(command), ("download", command))
        elif (targets := _targets(command)) and (made := _made_from(command)):
            written |= dict.fromkeys(targets, made)
        elif written:
            written |= _copied(command, written)


def _targets(command: Command) -> list[str]:
    """The files that get a command's output: `… > f`, `… | tee f`."""
    line = commands.read(command.argv) if command.upstream else None
    named = [each.value for each in line.of(Role.WRITES)] if line else []
    return [command.path(each) for each in (*named, *(each.target for each in command.redirects if each.writes))]


def _made_from(command: Command) -> tuple[str, Command] | None:
    """The origin of what a command writes: whether it is decoded, or downloaded by a command before it in the pipe."""
    stages = (command, *command.upstream[-MOST_STAGES:])
    if maker := next(filter(decodes, stages), None):
        return "decoded", maker
    download = next(filter(prints_remote_text, _with_words(stages)), None)
    return ("download", download) if download else None


def _files_run(command: Command, sources: Iterable[Command]) -> Iterator[str]:
    """The files that a command runs: as its script, from standard input, or as the output of `cat`."""
    if path := file_run(command):
        yield path
    line = commands.read(command.argv)
    if line is not None and line.stdin is Stdin.RUNS and not line.rehearses:
        yield from (command.path(each.target) for each in command.redirects if each.operator == "<")
    for source in sources:
        yield from (source.path(each.word) for each in files_read(source))


def _executed(command: Command, verb: str, origin: Command, ground: Ground, path: str = HOLE) -> Iterator[Effect]:
    target = path if verb == "decoded" else next(_urls(origin), HOLE)
    scope = ground.scope_of(path, command)
    yield Effect(Act.EXECUTE, target, scope, verb, text=f"{origin.text[:100]} … {command.text[:100]}", command=command)


def _piped(command: Command, download: Command) -> Iterator[Effect]:
    address = next(_urls(download), "the network")
    text = f"{download.text[:100]} … {command.text[:100]}"
    yield Effect(Act.EXECUTE, address, Place.REMOTE, "piped", text=text, command=command)


def _loaded(command: Command, ground: Ground) -> Iterator[Effect]:
    """Files that a variable makes a program load: `LD_PRELOAD=./hook.so ls`."""
    for name, value in command.environment:
        for word in value.replace(":", " ").split() if variables().get(name) is Role.SCRIPT else ():
            path = command.path(word)
            yield Effect(
                Act.EXECUTE,
                path,
                ground.scope_of(path, command),
                "load",
                text=f"{name}={word} {command.text}",
                command=command,
            )


def _ran(command: Command, ground: Ground, path: str) -> Iterator[Effect]:
    yield Effect(Act.EXECUTE, path, ground.scope_of(path, command), "file", text=command.text, command=command)


def acts_of(program: str) -> frozenset[Act]:
    """The acts that a plain script with this program may have. A script with a shell is never plain."""
    runs = program in DOWNLOADERS or program == "chmod" or program.startswith(LANGUAGES)
    return _EXECUTES if runs else frozenset()


def _copied(command: Command, written: dict[str, tuple[str, Command]]) -> dict[str, tuple[str, Command]]:
    """What a command makes of files that are known: another name, a copy, what a filter prints of one."""
    if command.program in ("cp", "mv", "install", "ln"):
        return _moved(command, written)
    read = (stage.path(each.word) for stage in (command, *command.upstream) for each in files_read(stage))
    known = next((written[path] for path in read if path in written), None)
    return dict.fromkeys(_targets(command), known) if known else {}


def _moved(command: Command, written: dict[str, tuple[str, Command]]) -> dict[str, tuple[str, Command]]:
    operands = [command.path(word) for word in command.operands(frozenset({"-m", "-o", "-g"}))]
    if len(operands) != 2 or operands[0] not in written:
        return {}
    source, target = operands
    return dict.fromkeys((target, posixpath.join(target, posixpath.basename(source))), written[source])


# Code that comes from another command


def code_sources(command: Command) -> list[Command]:
    """The commands whose output this command runs as code."""
    if command.program == "eval":
        return _with_words(command.sources_of(1))
    if command.program in ("xargs", "parallel"):
        return _with_words(command.upstream[-MOST_STAGES:]) if _runs_items(command) else []
    line = commands.read(command.argv)
    if line is None or line.rehearses:
        return []
    given = list(line.of(Role.CODE, Role.SCRIPT))
    found = [each for one in given if one.value not in _STDIN for each in _whole_value(command, one)]
    if any(one.value in _STDIN for one in given) or (line.stdin is Stdin.RUNS and not given):
        found += command.upstream[-MOST_STAGES:]
    return _with_words(found)


def _with_words(sources: Iterable[Command]) -> list[Command]:
    """Commands, and those whose output they print as a word: `echo "$(curl …)"`."""
    found = list(sources)
    return found + [by for each in found if each.program in _SAYS for _, by in each.sources]


def _whole_value(command: Command, argument: Argument) -> list[Command]:
    """The commands whose output a value begins with."""
    text, sources = argument.value.lstrip(), command.sources_of(argument.at)
    output = (printed(sources) or "").strip()
    return sources if _AT_COMMAND.search(text) or (output and text.startswith(output)) else []


def _origin_of(command: Command) -> tuple[str, Command] | None:
    """The verb and the command that decoded or unpacked the code that a command runs; None if neither happened."""
    if command.program in ("pwsh", "powershell", "powershell.exe", "pwsh.exe") and _is_encoded(command):
        return "decoded", command
    if command.program.startswith(LANGUAGES) and evaluates_decoded(code_of(command)):
        return "decoded", command
    if command.text.startswith("$'") and is_escaped(command.text.partition("'")[2].partition("'")[0]):
        return "decoded", command
    if not (command.upstream or command.sources):
        return None
    ran = list(command.upstream[-MOST_STAGES:]) if _runs_items(command) else code_sources(command)
    if command.sources and command.argv and (command.argv[0].startswith(HOLE) or not ran):
        ran = [*ran, *_command_word(command)]
    decoder = next(filter(decodes, ran), None)
    if decoder is not None:
        return "decoded", decoder
    packed = next(filter(unpacks, ran), None)
    return ("unpacked", packed) if packed is not None else None


def _runs_items(command: Command) -> bool:
    """`xargs sh -c`, `xargs -I{} sh -c '{}'`, `parallel`: an item on standard input is the script."""
    if command.program == "parallel" and not command.operands(frozenset({"-j", "-P", "--jobs", "-a"})):
        return True
    if "-c" not in command.args or SHELLS.isdisjoint(command.args):
        return False
    script = command.args[command.args.index("-c") + 1 :][:1]
    marks = [value for option, value in pairwise(command.args) if option in ("-I", "-i", "-J")]
    marks += [word[2:] for word in command.args if word[:2] in ("-I", "-i") and len(word) > 2]
    return not script or any(script[0].lstrip("\"' ").startswith(mark) for mark in (*marks, "{}"))


def _command_word(command: Command) -> list[Command]:
    """The commands whose output is the name of a program: `$(printf '\\x72\\x6d')`."""
    return command.sources_of(0) if "/" not in command.argv[0] else []


def _is_encoded(command: Command) -> bool:
    """`-EncodedCommand`, which PowerShell accepts in any abbreviation."""
    return any(
        word[:1] in "-/" and "encodedcommand".startswith(word[1:].lower()) and len(word) > 1 for word in command.args
    )


_LOCAL = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")


def prints_remote_text(command: Command) -> bool:
    """Whether a command downloads something and writes it to its standard output."""
    if command.program not in _PRINTERS or any(place in word for word in command.args for place in _LOCAL):
        return False
    line = commands.read(command.argv)
    if line is None:
        return True
    targets = [each.value for each in line.arguments if each.option in _OUTPUT]
    to_screen = any(each in ("-", "/dev/stdout") for each in targets)
    if command.program.startswith("wget"):
        return to_screen
    to_file = bool(targets) or not line.flags.isdisjoint(("-O", "--remote-name", "--remote-name-all"))
    return (to_screen or not to_file) and line.flags.isdisjoint(("-I", "--head", "--version", "--download"))


_OUTPUT = frozenset({"-o", "-O"})  # the first names of the options that name the file, in curl and in wget
_PRINTERS = frozenset({"curl", "curlie", "wget", "wget2", "fetch", "http", "https", "xh"})

# Files that are run


def file_run(command: Command) -> str | None:
    """The resolved path of the file that a command runs: `./tool`, `bash x.sh`, `python3 x.py`, `source x`."""
    line = commands.read(command.argv)
    if line is not None and line.program.is_meant:
        scripts = [] if line.rehearses else [each.value for each in line.of(Role.SCRIPT) if each.value not in _STDIN]
    else:
        scripts = list(command.argv[:1]) if command.argv and "/" in command.argv[0] else []
    return command.path(scripts[0]) if scripts and HOLE not in scripts[0] else None


# Downloads

DOWNLOADERS = frozenset({"aria2c", "curl", "fetch", "wget", "wget2"})
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


def files_downloaded(command: Command) -> list[str]:
    """The files that a downloader writes, as resolved paths."""
    line = commands.read(command.argv)
    if line is None:
        return []
    is_wget = command.program.startswith("wget")
    named = [each.value for each in line.arguments if each.option == ("-O" if is_wget else "-o") and each.value != "-"]
    named += [each.target for each in command.redirects if each.writes and ">>" not in each.operator]
    is_named_by_url = command.program != "curl" or not line.flags.isdisjoint(("-O", "--remote-name"))
    if not named and is_named_by_url:
        into = next((f"{each.value}/" for each in line.arguments if each.option == "-P"), "")
        named = [into + url.partition("?")[0].rstrip("/").rpartition("/")[2] for url in _urls(command)]
    return [command.path(name) for name in named if name and not name.startswith("/dev/")]


def _urls(command: Command) -> Iterator[str]:
    """The addresses among a downloader's arguments."""
    line = commands.read(command.argv)
    if line is not None:
        yield from (each.value for each in line.of(Role.URL) if "." in each.value or "/" in each.value)
