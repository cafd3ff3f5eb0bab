"""What a shell command executes: every command it runs, after quoting, variables, wrappers and nesting are resolved.

Text that only mentions a command (an argument of `echo`, a commit message, a comment, a here-document that is written
to a file) does not count.
"""

from __future__ import annotations

from collections.abc import Callable

from supervisor.errors import NoReader, Unreadable
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.reading.room import room_for
from supervisor.evidence.shell.code import Code, code_in
from supervisor.evidence.shell.commands import Command, Redirect, Script, shown
from supervisor.evidence.shell.found import find_roots
from supervisor.evidence.shell.run import ROOM
from supervisor.evidence.shell.shells import SHELLS
from supervisor.evidence.shell.state import Shell, start_shell
from supervisor.evidence.shell.walk import Walk
from supervisor.evidence.shell.words import clean
from supervisor.pointers import Several

__all__ = [
    "HOLE",
    "SHELLS",
    "Code",
    "Command",
    "Redirect",
    "Script",
    "code_in",
    "find_roots",
    "fingerprint_of",
    "options_of",
    "read_script",
    "shown",
]

# Options of the most destructive programs that have two spellings.
_SPELLINGS = {"--recursive": "-r", "-R": "-r", "--force": "-f", "--directory": "-d", "--delete": "-d", "--quiet": "-q"}


def read_script(
    command: object, cwd: str | None, look: Callable[[str], str | None] | None = None, language: str = ""
) -> Script:
    """The commands that a command given as a string or as a list of strings (`["bash", "-lc", "…"]`) executes.

    `look` returns the text of a file that the script runs, None if it is not known. `language` is "powershell" or "cmd"
    if one of these reads the string; a string with a command of theirs is read as theirs as well.

    Raises Unreadable beyond 1 MB, 512 levels, 2,048 commands or the allowance for parsing, and if `command` is neither
    a string nor a list of strings. Raises NoReader if it is None, or if PowerShell runs what cannot be parsed.
    """
    walk = _walked(command, cwd, look, language)
    if walk.language and not language:
        walk = _walked(command, cwd, look, walk.language)
    return Script(tuple(walk.commands), walk.files, walk.unread, tuple(walk.texts), frozenset(walk.captured))


def _walked(command: object, cwd: str | None, look: Callable[[str], str | None] | None, language: str) -> Walk:
    walk = Walk(look)
    with room_for(ROOM):
        for each in command if isinstance(command, Several) else (command,):
            _walk(walk, each, start_shell(cwd), language)
    return walk


def _walk(walk: Walk, command: object, shell: Shell, language: str) -> None:
    """Walks a script, or a list of strings: the words of one command, or the lines of a script."""
    if isinstance(command, str) and language:
        walk.within_language(language, clean(command), shell)
    elif isinstance(command, str):
        walk.script(clean(command), shell)
    elif isinstance(command, Unreadable):  # from a file whose commands no reader could read
        raise command.with_traceback(None)
    elif command is None:
        raise NoReader("the action names no shell command")
    elif not isinstance(command, (list, tuple)) or not all(isinstance(word, str) for word in command):
        raise Unreadable("the shell command is neither a string nor a list of strings")
    elif command and len(command[0].split()) > 1:
        _walk(walk, "\n".join(command), shell, language)
    else:
        walk.vector(tuple(clean(word) for word in command), shell)


def fingerprint_of(script: Script) -> frozenset[str]:
    """What a script does, independent of spelling and order: programs with their operands and targets.

    A command's options count only if it has no operands, since they change how it acts and not on what.

    Two scripts that share most of these are near-equivalent.
    """
    found: set[str] = set()
    for command in script.commands:
        if command.wraps and command.program != "find":
            continue
        name = command.program
        operands = [_operand(command, word) for word in command.operands()]
        flags = [_SPELLINGS.get(flag, flag) for flag in command.flags()]
        found.update(f"{name} {word}" for word in operands or flags or [""])
        found.update(f"> {command.path(redirect.target)}" for redirect in command.redirects if redirect.writes)
    found.discard("")
    return frozenset(found)


def options_of(script: Script) -> frozenset[str]:
    """The options of a script's programs, each with its program, in one spelling where two are known."""
    return frozenset(
        f"{command.program} {_SPELLINGS.get(flag, flag)}"
        for command in script.commands
        if not command.wraps
        for flag in command.flags()
    )


def _operand(command: Command, word: str) -> str:
    """A path, resolved from where the script starts; other words unchanged."""
    return command.path(word) if word.startswith((".", "/", "~")) or ("/" in word and "://" not in word) else word
