"""What a shell action executes: every command it runs, seen through quoting, variables, wrappers and nesting.

Text that only mentions a command (an argument of `echo`, a commit message, a comment, a here-document that is written
to a file) is not among them.
"""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell.code import Code, code_in
from supervisor.evidence.shell.commands import Command, Redirect, Script, shown
from supervisor.evidence.shell.expansion import start_shell
from supervisor.evidence.shell.items import find_roots
from supervisor.evidence.shell.walk import Walk
from supervisor.evidence.shell.words import clean
from supervisor.evidence.shell.wrappers import SHELLS

__all__ = ["HOLE", "SHELLS", "Code", "Command", "Redirect", "Script", "code_in", "essence_of", "find_roots", "script"]
__all__ += ["read_script", "shown"]

# Options that are two spellings of one, for the programs that destroy most.
_SPELLINGS = {"--recursive": "-r", "-R": "-r", "--force": "-f", "--directory": "-d", "--delete": "-d", "--quiet": "-q"}


@reader
def script(action: Action, context: Context) -> Script:
    """The commands that a shell action runs; of an argument vector, what it runs.

    Raises Unreadable beyond 64 KB, 40 levels, 2,048 commands or what parsing may take, and where there is no command.
    """
    return read_script(action.get("command"), context.cwd)


def read_script(command: object, cwd: str | None) -> Script:
    """The same for a command given as a string or as a list of strings (`["bash", "-lc", "…"]`)."""
    walk = Walk()
    shell = start_shell(cwd)
    if isinstance(command, str):
        walk.script(clean(command), shell)
    elif isinstance(command, (list, tuple)) and all(isinstance(word, str) for word in command):
        walk.vector(tuple(clean(word) for word in command), shell)
    else:
        raise Unreadable("the shell command is neither a string nor a list of strings")
    return Script(tuple(walk.commands))


def essence_of(script: Script) -> frozenset[str]:
    """What a script does, independent of spelling and order: programs with their operands and targets; options only
    where there is nothing else, since they say how and not on what.

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


def _operand(command: Command, word: str) -> str:
    """A path as it is from where the script starts; other words as they are."""
    return command.path(word) if word.startswith((".", "/", "~")) or ("/" in word and "://" not in word) else word
