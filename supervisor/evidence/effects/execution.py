"""Code that runs without being part of the action's text: decoded from another text, or downloaded before.

`verb` is the code's origin: "decoded" (from an encoded text), "unpacked", "download" (over the network, in this
action), "piped" (from a download straight into an interpreter), "verified" (a download whose checksum or signature is
checked first), "file" (a file that a shell reads, or that the same script made executable).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise

from supervisor.evidence.effects.contents import MOST_STAGES
from supervisor.evidence.effects.decoders import LANGUAGES, decodes, evaluates_decoded, is_escaped, unpacks
from supervisor.evidence.effects.effect import Act, Effect, Ground, Part
from supervisor.evidence.effects.network import options_of
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import SHELLS, Command, Script
from supervisor.evidence.shell.code import code_of
from supervisor.evidence.shell.inner import word_set
from supervisor.evidence.shell.printed import printed

_INTERPRETERS = ("lua", "node", "perl", "php", "python", "ruby")
_OWN_PROGRAM = frozenset({"-c", "-e", "-m", "-p", "-r", "--eval", "--print"})  # the program is not what is piped in
_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_EXECUTES = frozenset({Act.EXECUTE})
_SOURCES = frozenset({".", "source"})


def parts_of_script(script: Script, ground: Ground) -> Iterator[Part]:
    """The decoded or downloaded code that a script executes."""
    written: dict[str, tuple[str, Command]] = {}
    marked: set[str] = set()  # as executable
    for command in script.commands:
        program = command.program
        if piped := next(filter(prints_remote_text, code_sources(command)), None):
            yield Part(_EXECUTES, partial(_piped, command, piped))
        origin = _origin_of(command)
        if origin:
            yield Part(_EXECUTES, partial(_executed, command, *origin, ground))
        if written and (path := file_run(command)) in written:
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
        elif command.redirects and (maker := next(filter(decodes, (command, *command.upstream[-MOST_STAGES:])), None)):
            targets = [command.path(each.target) for each in command.redirects if each.writes]
            written |= dict.fromkeys(targets, ("decoded", maker))
        elif program in ("cp", "mv", "install") and written:
            written |= _moved(command, written)


def _executed(command: Command, verb: str, origin: Command, ground: Ground, path: str = HOLE) -> Iterator[Effect]:
    target = path if verb == "decoded" else next(_urls(origin), HOLE)
    scope = ground.scope_of(path, command)
    yield Effect(Act.EXECUTE, target, scope, verb, text=f"{origin.text[:100]} … {command.text[:100]}", command=command)


def _piped(command: Command, download: Command) -> Iterator[Effect]:
    address = next((word for word in download.operands() if "." in word or "/" in word), "the network")
    text = f"{download.text[:100]} … {command.text[:100]}"
    yield Effect(Act.EXECUTE, address, Place.REMOTE, "piped", text=text, command=command)


def _ran(command: Command, ground: Ground, path: str) -> Iterator[Effect]:
    yield Effect(Act.EXECUTE, path, ground.scope_of(path, command), "file", text=command.text, command=command)


def acts_of(program: str) -> frozenset[Act]:
    """The acts that a plain script with this program may have. A script with a shell is never plain."""
    runs = program in DOWNLOADERS or program == "chmod" or program.startswith(LANGUAGES)
    return _EXECUTES if runs else frozenset()


def _moved(command: Command, written: dict[str, tuple[str, Command]]) -> dict[str, tuple[str, Command]]:
    operands = [command.path(word) for word in command.operands(frozenset({"-m", "-o", "-g"}))]
    if len(operands) != 2 or operands[0] not in written:
        return {}
    source, target = operands
    return dict.fromkeys((target, posixpath.join(target, posixpath.basename(source))), written[source])


# Code that comes from another command


def code_sources(command: Command) -> list[Command]:
    """The commands whose output this command runs as code."""
    program = command.program
    if program in ("eval", "source", "."):
        return command.sources_of(1)
    if program in SHELLS:
        return _sources_of_shell(command)
    if not program.startswith(_INTERPRETERS):
        return []
    if command.has_flag(*_OWN_PROGRAM):
        return [each for index in range(1, len(command.argv)) for each in _whole_word(command, index)]
    first = next(iter(command.args), "-")
    return list(command.upstream[-MOST_STAGES:]) if first in _STDIN else command.sources_of(1)


def _sources_of_shell(command: Command) -> list[Command]:
    """`… | bash`, `bash <(…)`, `bash -c "$(…)"`, but not the arguments of a script."""
    for index, word in enumerate(command.args, 1):
        if word.startswith("-") and not word.startswith("--") and "c" in word:
            return _whole_word(command, index + 1)
        if not word.startswith(("-", "+")):
            return list(command.upstream[-MOST_STAGES:]) if word in _STDIN else _whole_word(command, index)
        if word in ("-", "-s", "--") or ("s" in word and not word.startswith("--")):
            break
    return list(command.upstream[-MOST_STAGES:])


def _whole_word(command: Command, index: int) -> list[Command]:
    """The commands whose output a word begins with."""
    word = command.argv[index].lstrip() if index < len(command.argv) else ""
    sources = command.sources_of(index)
    output = (printed(sources) or "").strip()
    return sources if word.startswith(HOLE) or (output and word.startswith(output)) else []


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
    """`xargs sh -c '{}'`: standard input is the script."""
    return command.program == "xargs" and "-c" in command.args and not SHELLS.isdisjoint(command.args)


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
    pairs = list(pairwise(command.args))
    if command.program == "wget":
        joined = any(word.endswith("O-") or word == "--output-document=-" for word in command.args)
        return joined or any(option[-1:] == "O" and value in ("-", "/dev/stdout") for option, value in pairs)
    if command.program == "curl":
        to_stdout = "-o-" in command.args or ("-o", "-") in pairs
        to_file = command.has_flag("-o", "-O", "--output", "--remote-name", valued="oH")
        return (to_stdout or not to_file) and not command.has_flag("-I", "--head", "--version", valued="oH")
    return True


_PRINTERS = frozenset({"curl", "wget", "fetch", "http", "https", "xh"})

# Files that are run

_RUNNERS = {
    "python": ("-W", "-X"),
    "java": (),
    "node": ("-r", "--require"),
    "perl": (),
    "ruby": (),
    "php": (),
    "sh": (),
}


def file_run(command: Command) -> str | None:
    """The resolved path of the file that a command runs: `./tool`, `bash x.sh`, `python3 x.py`, `source x`."""
    program = command.program
    if program in SHELLS or program in ("source", "."):
        words: Iterable[str] = () if command.has_flag("-c") else command.operands(frozenset({"-o", "--rcfile"}))
    elif program.startswith((*_INTERPRETERS, "java")):
        words = () if not _OWN_PROGRAM.isdisjoint(command.args) else command.operands(frozenset({"-W", "-X"}))
    else:
        words = command.argv[:1] if command.argv and "/" in command.argv[0] else ()
    word = next(iter(words), None)
    return command.path(word) if word and HOLE not in word else None


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
_VALUED = word_set("-o -O -P -H -A -u -X -d -e -T --output --output-document --header --user-agent --retry -d --dir")


def files_downloaded(command: Command) -> list[str]:
    """The files that a downloader writes, as resolved paths."""
    options = list(options_of(command, _VALUED, "oO" if command.program == "curl" else ""))
    named = [value for name, value, _ in options if name in _names_of(command.program) and value not in ("", "-")]
    named += [each.target for each in command.redirects if each.writes and ">>" not in each.operator]
    if not named and (command.program != "curl" or command.has_flag("-O", "--remote-name", valued="oH")):
        into = next((f"{value}/" for name, value, _ in options if name in ("-P", "--directory-prefix")), "")
        named = [into + url.partition("?")[0].rstrip("/").rpartition("/")[2] for url in _urls(command)]
    return [command.path(name) for name in named if name and not name.startswith("/dev/")]


def _names_of(program: str) -> tuple[str, ...]:
    if program in ("curl", "fetch"):
        return ("-o", "--output")
    return ("-o", "--out") if program == "aria2c" else ("-O", "--output-document")


def _urls(command: Command) -> Iterator[str]:
    """The addresses among a downloader's arguments."""
    flag = "-O" if command.program == "curl" else ""
    options = options_of(command, _VALUED - {flag}, "oHXu" if command.program == "curl" else "")
    yield from (value for name, value, _ in options if name in ("", "--url", "-O") and ("." in value or "/" in value))
