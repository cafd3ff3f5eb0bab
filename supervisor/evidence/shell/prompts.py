"""Variables whose value runs: what a shell expands at a prompt or at startup, and command lines that programs run.

Bash Reference Manual, sections 5.2 (bash variables), 6.2 (startup files) and 6.9 (prompts); `ENV`: POSIX.1-2024, sh.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from supervisor.evidence.commands import Role, option_variables, variables
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import Inner, word_set

_FILES = word_set("BASH_ENV ENV")  # name a script that runs first; the name is expanded
_EXPANDED = _FILES | word_set("PS0 PS1 PS2 PS4 PROMPT RPROMPT")
_SCRIPTS = word_set("PROMPT_COMMAND")
_NAMES = _EXPANDED | _SCRIPTS
_END = "END_OF_VALUE"
_RUNNING = (
    "--checkpoint-action",
    "--to-command",
    "-I",
    "--use-compress-program",
    "-F",
    "--info-script",
    "--rsh-command",
)


def run_with(name: str, value: str) -> Iterator[Inner]:
    """What a shell runs if a variable has this value."""
    if name not in _NAMES or value in ("", HOLE):
        return
    if name in _SCRIPTS:
        yield Inner(script=value, reads=False)
    elif "$" in value or "`" in value:
        yield Inner(script=f": <<{_END}\n{value}\n{_END}", reads=False)
    elif name in _FILES:
        yield Inner(file=value, reads=False)


def command_lines_of(command: Command) -> Iterator[Inner]:
    """The command lines in the variables that are set for a command: `GIT_SSH_COMMAND`, `PAGER`, …"""
    for name, value in command.environment:
        if " " in value and variables().get(name) is Role.CODE:  # one word is the name of a program
            yield Inner(script=value, reads=False)
        elif name in option_variables():
            yield from _with_options(option_variables()[name], value)


def _with_options(program: str, value: str) -> Iterator[Inner]:
    """The program that a variable gives more options (`TAR_OPTIONS`), if one of them may run something."""
    try:
        words = shlex.split(value)
    except ValueError:
        words = value.split()
    if any(word.startswith(_RUNNING) for word in words):
        yield Inner((program, *words), reads=False)


def in_environment(command: Command) -> Iterator[Inner]:
    """What a shell runs if it is started with such variables."""
    for name, value in command.environment:
        yield from run_with(name, value)
