"""Code that runs without being part of the action's text: decoded from another text, or downloaded before.

`verb` is the code's origin: "decoded" (from an encoded text), "unpacked", "download" (over the network, in this
action), "piped" (from a download straight into an interpreter), "verified" (a download whose checksum or signature is
checked first), "load" (a file that a variable makes a program load), "file" (a file that a shell reads, or that the
same script made executable).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from supervisor.evidence import commands
from supervisor.evidence.commands import Argument, Role, Stdin
from supervisor.evidence.effects.contents import MOST_STAGES
from supervisor.evidence.effects.decoders import (
    LANGUAGES,
    decodes,
    evaluates_decoded,
    evaluates_received,
    is_escaped,
    unpacks,
)
from supervisor.evidence.effects.downloads import DOWNLOADERS, prints_remote_text, urls
from supervisor.evidence.effects.effect import Act, Effect, Ground, Origin, Part
from supervisor.evidence.effects.flow import paths_read, with_words
from supervisor.evidence.effects.preloaded import loaded, loads
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import SHELLS, Command, Script
from supervisor.evidence.shell.code import code_of
from supervisor.evidence.shell.printed import printed

_AT_COMMAND = re.compile(rf"(?:^|[;&|\n({{`]\s*){HOLE}")  # where a shell takes a word for a program
_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_EXECUTES = frozenset({Act.EXECUTE})
_SOURCES = frozenset({".", "source"})


def parts_of_script(script: Script, grounds: Sequence[Ground]) -> Iterator[Part]:
    """The decoded or downloaded code that a script executes. `grounds` are those before each of its commands."""
    marked: set[str] = set()  # as executable
    for command, ground in zip(script.commands, grounds, strict=True):
        program = command.program
        sources = code_sources(command)
        if piped := next(filter(prints_remote_text, sources), None):
            yield Part(_EXECUTES, partial(_piped, command, piped))
        if loads(command):
            yield Part(_EXECUTES, partial(loaded, command, ground))
        origin = _origin_of(command)
        if origin:
            yield Part(_EXECUTES, partial(_executed, command, *origin, ground))
        if ground.holds and (found := next(_files_held(command, sources, ground), None)):
            yield Part(_EXECUTES, partial(_executed, command, *found[1], ground, found[0]))
        elif (program in SHELLS or program in _SOURCES or marked) and (path := file_run(command)):
            if path in marked or program in SHELLS or program in _SOURCES:
                yield Part(_EXECUTES, partial(_ran, command, ground, path))
        elif program == "chmod":
            marked.update(command.path(word) for word in command.operands()[1:])


def _files_held(command: Command, sources: Sequence[Command], ground: Ground) -> Iterator[tuple[str, Origin]]:
    """The files that a command runs and that come from outside, each with its origin."""
    if not any(each.origin for each in ground.holds.values()):
        return
    for path in _files_run(command, sources):
        if origin := ground.held(path).origin:
            yield path, origin
    if command.argv and "/" not in (name := command.argv[0]):  # a name is looked up in the folders of programs
        for path, held in ground.holds.items():
            if held.origin and posixpath.basename(path) == name and posixpath.dirname(path).endswith("bin"):
                yield path, held.origin


def _files_run(command: Command, sources: Iterable[Command]) -> Iterator[str]:
    """The files that a command runs: as its script, from standard input, or as the output of `cat`."""
    if path := file_run(command):
        yield path
    line = commands.read(command.argv)
    if line is not None and line.stdin is Stdin.RUNS and not line.rehearses:
        yield from (command.path(each.target) for each in command.redirects if each.operator == "<")
    for source in sources:
        yield from paths_read(source)


def _executed(command: Command, verb: str, origin: Command, ground: Ground, path: str = HOLE) -> Iterator[Effect]:
    target = path if verb == "decoded" else next(urls(origin), HOLE)
    scope = ground.scope_of(path, command)
    yield Effect(Act.EXECUTE, target, scope, verb, text=f"{origin.text[:100]} … {command.text[:100]}", command=command)


def _piped(command: Command, download: Command) -> Iterator[Effect]:
    address = next(urls(download), "the network")
    text = f"{download.text[:100]} … {command.text[:100]}"
    yield Effect(Act.EXECUTE, address, Place.REMOTE, "piped", text=text, command=command)


def _ran(command: Command, ground: Ground, path: str) -> Iterator[Effect]:
    yield Effect(Act.EXECUTE, path, ground.scope_of(path, command), "file", text=command.text, command=command)


def acts_of(program: str) -> frozenset[Act]:
    """The acts that a plain script with this program may have. A script with a shell is never plain."""
    runs = program in DOWNLOADERS or program == "chmod" or program.startswith(LANGUAGES)
    return _EXECUTES if runs else frozenset()


# Code that comes from another command


def code_sources(command: Command) -> list[Command]:
    """The commands whose output this command runs as code."""
    if command.program == "eval":
        return with_words([by for at, by in command.sources if at])
    if command.argv and command.argv[0].startswith(HOLE) and command.sources:
        return [each for each in command.sources_of(0) if prints_remote_text(each)]
    if command.program in ("xargs", "parallel"):
        return with_words(command.upstream[-MOST_STAGES:]) if _runs_items(command) else []
    line = commands.read(command.argv)
    if line is None or line.rehearses:
        return []
    given = list(line.of(Role.CODE, Role.SCRIPT))
    found = [each for one in given if one.value not in _STDIN for each in _whole_value(command, one)]
    if any(one.value in _STDIN for one in given) or (line.stdin is Stdin.RUNS and not given):
        found += command.upstream[-MOST_STAGES:]
    return with_words(found)


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
    if command.program.startswith(LANGUAGES) and evaluates_received(code_of(command)):
        return "download", command
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


# Files that are run


def file_run(command: Command) -> str | None:
    """The resolved path of the file that a command runs: `./tool`, `bash x.sh`, `python3 x.py`, `source x`."""
    line = commands.read(command.argv)
    if line is not None and line.program.is_meant:
        scripts = [] if line.rehearses else [each.value for each in line.of(Role.SCRIPT) if each.value not in _STDIN]
    else:
        scripts = list(command.argv[:1]) if command.argv and "/" in command.argv[0] else []
    return command.path(scripts[0]) if scripts and HOLE not in scripts[0] else None
