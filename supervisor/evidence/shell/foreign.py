"""PowerShell and cmd: where one of them reads a command, and not a POSIX shell.

An ordinary shell script is never taken for either: the program that runs decides, not the text.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence

from supervisor.evidence.reading.windows_paths import is_windows
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import Inner, Unwrap, word_set
from supervisor.evidence.shell.windows.verbs import is_verb_noun

POWERSHELL = "powershell"
CMD = "cmd"
_TOOLS = {
    **dict.fromkeys(("powershell", "pwsh", "run_powershell", "execute_powershell"), POWERSHELL),
    **dict.fromkeys(("cmd", "run_cmd"), CMD),
}
_POWERSHELLS = word_set("powershell powershell.exe pwsh pwsh.exe powershell_ise.exe pwsh-preview")
_CMDS = word_set("cmd cmd.exe")
_CMD_ALONE = word_set("del erase rd xcopy deltree attrib mklink robocopy forfiles")
_BUILTINS_OF_CMD = _CMD_ALONE | word_set("rmdir format move copy")
# Programs that mean the same in every shell, so that plain words of theirs need no reader of a language.
_PORTABLE = word_set(
    "git npm npx node yarn pnpm python python3 py pip pip3 pytest uv ruff mypy cargo rustc go dotnet msbuild java javac"
    " mvn gradle docker kubectl gh terraform make cmake pwd whoami hostname tsc eslint jest vitest deno bun ruby bundle"
)
_ENCODED = word_set("-e -ec -en -enc -enco -encod -encode -encoded -encodedcommand /e /ec /enc /encodedcommand")
_COMMANDS = word_set("-c -co -com -comm -comma -comman -command /c /command -commandwithargs -cwa")
_VALUED = word_set(
    "-executionpolicy -ex -ep -exec -version -windowstyle -w -win -windo -configurationname -workingdirectory -wd"
    " -inputformat -outputformat -psconsolefile -custompipename -settingsfile"
)


def language_of(command: Command) -> str:
    """The language that a command belongs to, if no POSIX shell runs it; else empty."""
    program = command.program
    if program[:1].isupper():
        return POWERSHELL if command.argv[0] == program and is_verb_noun(program) and "-Az" not in program else ""
    if program in _BUILTINS_OF_CMD:
        return CMD if _is_of_cmd_alone(command) else ""
    return ""


def language_of_tool(tool: str) -> str:
    """The language of a tool that is named for PowerShell or cmd; empty for other tools."""
    return _TOOLS.get(tool.rpartition("__")[2].rpartition(".")[2].replace("-", "_").lower(), "")


def is_portable(words: Sequence[str]) -> bool:
    """Whether a command means the same in every shell: its program is, and no word has a mark of its own."""
    return words[0] in _PORTABLE and not any(mark in word for word in words for mark in "\\%^{}@`$")


def _is_of_cmd_alone(command: Command) -> bool:
    """Whether the words fit a builtin of cmd. A name that shells share needs two marks: one `/s` may be a path."""
    marks = sum(map(_is_of_cmd, command.args)) + sum(map(_is_drive, command.args))
    return marks >= (1 if command.program in _CMD_ALONE else 2) and all(map(_fits_cmd, command.args))


def _is_of_cmd(word: str) -> bool:
    """Whether a word is a switch or a drive of cmd: `/s`, `/q`, `C:\\`."""
    return (len(word) == 2 and word[0] == "/" and word[1].isalpha()) or _is_drive(word)


def _is_drive(word: str) -> bool:
    return (word[1:2] == ":" and word[0].isalpha()) or is_windows(word)


def _fits_cmd(word: str) -> bool:
    return _is_of_cmd(word) or word[:1] not in ("/", "-", "~", "$") or word[1:].isalpha()


def _run_by_powershell(command: Command) -> Iterator[Inner]:
    """The script that PowerShell gets: `-Command`, `-EncodedCommand`, operands, or standard input."""
    args = list(command.args)
    while args:
        word = args.pop(0)
        lowered = word.lower().replace("\u2013", "-")
        if lowered in _ENCODED:
            yield from (Inner(script=text, reads=False, language=POWERSHELL) for text in _decoded("".join(args[:1])))
            return
        if lowered in _COMMANDS:
            if args and args != ["-"]:
                yield Inner(script=" ".join(args), reads=False, language=POWERSHELL)
                return
        elif lowered in ("-file", "-f", "-help", "-h", "--help", "--version", "-?", "/?"):
            return
        elif lowered in _VALUED:
            args = args[1:]
        elif lowered[:1] not in ("-", "/"):
            if not lowered.endswith(".ps1"):
                yield Inner(script=" ".join([word, *args]), reads=False, language=POWERSHELL)
            return
    if command.stdin is not None:
        yield Inner(script=command.stdin, reads=False, language=POWERSHELL)


def _decoded(text: str) -> Iterator[str]:
    """The script in an encoded command, which is UTF-16 in Base64. What is not, PowerShell refuses."""
    try:
        yield base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode("utf-16-le")
    except (binascii.Error, UnicodeDecodeError):
        return


def _run_by_cmd(command: Command) -> Iterator[Inner]:
    """The script after `/c` or `/k`, or on standard input."""
    args = command.args
    for at, word in enumerate(args):
        if word[:2].lower() in ("/c", "/k", "/r"):
            words = [word[2:], *args[at + 1 :]]
            script = " ".join(words if len(args) - at <= 2 else map(_requoted, words)).strip()
            yield Inner(script=script, reads=False, language=CMD)
            return
        if not word.startswith("/"):
            return
    if command.stdin is not None:
        yield Inner(script=command.stdin, reads=False, language=CMD)


def _requoted(word: str) -> str:
    """A word as cmd gets it: a shell took the quotes around its spaces."""
    return f'"{word}"' if " " in word and '"' not in word else word


FOREIGN: dict[str, Unwrap] = {
    **dict.fromkeys(_POWERSHELLS, _run_by_powershell),
    **dict.fromkeys(_CMDS, _run_by_cmd),
}
# Only these, and programs with a capitalised name, may be of another language.
MAY_BE_UNREAD = frozenset(FOREIGN) | _BUILTINS_OF_CMD
