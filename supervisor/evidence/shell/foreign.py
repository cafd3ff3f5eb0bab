"""PowerShell and cmd: recognised, and reported as unread unless every command means the same in any shell.

An ordinary shell script is never taken for either: the program that runs decides, not the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import Inner, Unwrap, word_set
from supervisor.regexes import compile_later

POWERSHELL = "PowerShell runs here, which is not read"
CMD = "cmd.exe runs here, whose language is not read"
_TOOLS = {
    **dict.fromkeys(("powershell", "pwsh", "run_powershell", "execute_powershell"), POWERSHELL),
    **dict.fromkeys(("cmd", "run_cmd"), CMD),
}
_POWERSHELLS = word_set("powershell powershell.exe pwsh pwsh.exe powershell_ise.exe pwsh-preview")
_CMDS = word_set("cmd cmd.exe")
_VERBS = (
    "Add Clear Close Compress Connect Convert ConvertFrom ConvertTo Copy Disable Disconnect Dismount "
    "Enable Enter Expand "
    "Export Find ForEach Format Get Grant Import Initialize Install Invoke Join Limit Lock Measure Mount Move New Open "
    "Optimize Out Pop Publish Push Read Receive Register Remove Rename Repair Reset Resize Resolve "
    "Restart Restore Resume "
    "Revoke Save Select Send Set Show Sort Split Start Stop Suspend Test Unblock Uninstall Unlock "
    "Unregister Update Wait "
    "Where Write"
)
# Cmdlets of Azure's module are read as cloud command lines.
_CMDLET = compile_later(rf"(?:{'|'.join(_VERBS.split())})-(?!Az[A-Z])[A-Z][A-Za-z]+", re.ASCII)
_CMD_ALONE = word_set("del erase rd xcopy deltree attrib mklink")
_BUILTINS_OF_CMD = _CMD_ALONE | word_set("rmdir format move copy")
# Marks of PowerShell that no shell script has; without them, PowerShell runs the same programs with the same words.
_OF_POWERSHELL = compile_later(
    r"[$`{}@%\\]|\b[A-Z][A-Za-z]+-[A-Z]|(?:^|\s)-[A-Z][a-z]+|(?:^|[;|]\s*)(?:del|erase|rd|ri|iwr|iex)\b"
)
# Programs that mean the same in every shell, so that their command lines can be read as a POSIX shell's.
_PORTABLE = word_set(
    "git npm npx node yarn pnpm python python3 py pip pip3 pytest uv ruff mypy cargo rustc go dotnet "
    "msbuild java javac "
    "mvn gradle docker kubectl gh az aws gcloud terraform make cmake code echo cd dir ls pwd type where "
    "whoami hostname "
    "cls clear ver tsc eslint jest vitest deno bun ruby bundle php composer"
)
_SWITCHES = word_set("-c -command /c -e -ec -enc -encodedcommand /command -commandwithargs")


def unread(command: Command) -> str:
    """Why a command cannot be read, as a sentence; empty if it can."""
    program = command.program
    if program[:1].isupper():
        return POWERSHELL if command.argv[0] == program and _CMDLET.fullmatch(program) else ""
    if program in _BUILTINS_OF_CMD:
        return CMD if _is_of_cmd_alone(command) else ""
    if program in FOREIGN and not list(_portable(command)) and (_script_of(command) or command.stdin is not None):
        return CMD if program in _CMDS else POWERSHELL
    return ""


def unread_tool(tool: str, script: object) -> str:
    """Why the script of a tool named for PowerShell or cmd cannot be read; empty if it can, or for other tools."""
    reason = _TOOLS.get(tool.rpartition("__")[2].rpartition(".")[2].replace("-", "_").lower(), "")
    if not reason or not isinstance(script, str):
        return reason
    return "" if is_portable(script) or (reason == POWERSHELL and not _OF_POWERSHELL.search(script)) else reason


def _is_of_cmd_alone(command: Command) -> bool:
    """Whether the words fit a builtin of cmd. A name that shells share needs two marks: one `/s` may be a path."""
    marks = sum(map(_is_of_cmd, command.args)) + sum(map(_is_drive, command.args))
    return marks >= (1 if command.program in _CMD_ALONE else 2) and all(map(_fits_cmd, command.args))


def _is_of_cmd(word: str) -> bool:
    """Whether a word is a switch or a drive of cmd: `/s`, `/q`, `C:\\`."""
    return (len(word) == 2 and word[0] == "/" and word[1].isalpha()) or _is_drive(word)


def _is_drive(word: str) -> bool:
    return word[1:2] == ":" and word[0].isalpha()


def _fits_cmd(word: str) -> bool:
    return _is_of_cmd(word) or word[:1] not in ("/", "-", "~", "$")


def is_portable(script: str) -> bool:
    """Whether each of a script's commands runs a program that means the same everywhere, with plain words."""
    if any(mark in script for mark in "`${}()\\^%"):
        return False
    stages = re.split(r"[;|&\n]+", script)
    return all(words[0].lower() in _PORTABLE for stage in stages if (words := stage.split()))


def _script_of(command: Command) -> str:
    """The script on the command line of PowerShell or cmd."""
    args = command.args
    for at, word in enumerate(args):
        if word.lower() in _SWITCHES or (command.program in _CMDS and word[:2].lower() in ("/c", "/k")):
            return " ".join([word[2:], *args[at + 1 :]] if command.program in _CMDS else args[at + 1 :]).strip()
        if word.startswith("-") and word.lower() in ("-file", "-f", "-version", "--version", "-help", "--help", "-h"):
            return ""
    words = [word for word in args if not word.startswith(("-", "/"))]
    runs_file = not words or words[0].lower().endswith((".ps1", ".bat", ".cmd")) or command.program in _CMDS
    return "" if runs_file else " ".join(words)


def _portable(command: Command) -> Iterator[Inner]:
    """What PowerShell or cmd runs, if it can be read."""
    script = _script_of(command)
    if script and is_portable(script):
        yield Inner(script=script, reads=False)


FOREIGN: dict[str, Unwrap] = dict.fromkeys(_POWERSHELLS | _CMDS, _portable)
# Only these, and programs with a capitalised name, may be unread.
MAY_BE_UNREAD = frozenset(FOREIGN) | _BUILTINS_OF_CMD
