"""Whether the agent, and readers of its transcript, see what a command reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from supervisor.evidence import commands
from supervisor.evidence.commands import Role, Stdin, Stdout
from supervisor.evidence.shell import Command, Redirect, Script

_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg", "ag"})
_PRINTS = frozenset({"cat", "colordiff", "comm", "diff", "echo", "join", "printf", "tee"})
_SCREENS = ("", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2")
_DEEPEST = 8  # substitutions within substitutions
_VALUE_CUT = re.compile(r"s(.)=\.\*\1|s(.)=\.\+\2|s(.)\(?\[\^=\]")  # as in `sed 's/=.*//'`
_NAME_ALONE = re.compile(r"\^?\(?\[?[A-Za-z_0-9\\w^=-]*\]?[*+]?\)?=?")  # as in `grep -o '^[A-Z_]*'`


class Outlet(IntEnum):
    """Where values end up: nowhere visible, in a file, or on the screen that the agent reads."""

    NOWHERE = 0
    FILE = 1
    SCREEN = 2


def outlet(command: Command, script: Script, depth: int = 0) -> Outlet:
    """Where the values that a command reads end up.

    They are not visible if another command uses them, if only their number or names pass, or if a variable takes them
    that nothing prints.
    """
    if _withholds(command) or depth > _DEEPEST:
        return Outlet.NOWHERE
    to, last = _output(command), command
    for reader in _readers(command, script) if to is Outlet.SCREEN else ():
        if _withholds(reader) or not (_passes_on(reader) or reader.program in _PRINTS):
            return Outlet.NOWHERE
        to, last = _output(reader), reader
        if to is not Outlet.SCREEN:
            break
    return to if to is not Outlet.SCREEN else _of_substituted(last, script, depth)


def _readers(command: Command, script: Script) -> Iterator[Command]:
    """The commands that read its output in a pipeline; for `xargs`, the commands that it runs."""
    inside = command in script.captured
    for each in script.commands:
        reads = any(one is command for one in each.upstream)
        if reads and (not inside or each in script.captured or not _users(command, script)):
            if each.wraps and each.program == "xargs":
                yield from (one for one in script.commands if "xargs" in one.wrappers)
            elif not each.wraps:
                yield each


def _users(command: Command, script: Script) -> list[Command]:
    """The commands whose words contain its output."""
    return [each for each in script.commands if any(source is command for _, source in each.sources)]


def _of_substituted(command: Command, script: Script, depth: int) -> Outlet:
    """Where a command's output ends up that a substitution may take: in words of others, or in a file for them."""
    users, captured = _users(command, script), command in script.captured
    if not users:
        return Outlet.NOWHERE if captured else Outlet.SCREEN
    shows = [each for each in users if each.program in _PRINTS or (not captured and _passes_on(each))]
    return max((outlet(each, script, depth + 1) for each in shows), default=Outlet.NOWHERE)


def _output(command: Command) -> Outlet:
    """Where a command's own output goes, through its redirections and those around it."""
    target = _target(command.redirects) or _target(command.outer_redirects)
    if target in _SCREENS:
        return Outlet.FILE if _writes_file(command) else Outlet.SCREEN
    return Outlet.NOWHERE if target == "/dev/null" else Outlet.FILE


def _writes_file(command: Command) -> bool:
    """Whether an operand or option takes the output into a file, as `tar -f` and `sort -o` do. `tee` prints it too."""
    line = commands.read(command.argv)
    targets = [each for each in line.of(Role.WRITES) if each.value not in ("-", *_SCREENS)] if line else []
    return any(each.option for each in targets) or (
        bool(targets) and any(line.of(Role.READS, Role.TREES)) if line else False
    )


def _target(redirects: Sequence[Redirect]) -> str:
    """The target of standard output after redirections; empty if unchanged."""
    streams = {"1": "", "2": ""}
    for each in redirects:
        if ">" not in each.operator:
            continue
        if each.operator == ">&" and each.target.rstrip("-").isdigit():
            streams[each.descriptor or "1"] = streams.get(each.target, "")
        elif "&" in each.operator:
            streams["1"] = streams["2"] = each.target
        else:
            streams[each.descriptor or "1"] = each.target
    return streams["1"]


def is_searched(command: Command, script: Script) -> str:
    """The pattern by which a search selects lines of a command's output; empty if all of it is passed on."""
    for reader in script.commands:
        if reader.program in _SEARCHES and any(one is command for one in reader.upstream):
            return next(iter(reader.operands(frozenset({"-e", "-f", "-A", "-B", "-C", "-m"}))), " ".join(reader.args))
    return ""


def names_alone(command: Command) -> bool:
    """Whether a command passes on only the name of `NAME=value`."""
    words = command.args
    if command.program == "cut":
        return ("-d=" in words or "=" in words) and ("-f1" in words or ("-f" in words and "1" in words))
    if command.program in ("awk", "gawk", "mawk"):
        return ("-F=" in words or "=" in words) and any("print $1" in word and "$2" not in word for word in words)
    if command.program in ("sed", "gsed"):
        return any(_VALUE_CUT.search(word) for word in words)
    if command.program in _SEARCHES and command.has_flag("-o", "--only-matching", valued="efmABC"):
        return any(_NAME_ALONE.fullmatch(word) for word in words if not word.startswith("-"))
    return command.program == "compgen"


def _withholds(command: Command) -> bool:
    line = commands.read(command.argv)
    if (line is not None and line.stdout in (Stdout.SUMMARY, Stdout.SILENT)) or names_alone(command):
        return True
    headings = any("^\\[" in word or "^[[]" in word for word in command.args)  # of sections
    return command.program in _SEARCHES and headings


def _passes_on(command: Command) -> bool:
    """Whether a command's output contains its standard input."""
    line = commands.read(command.argv)
    return line is not None and line.stdin is Stdin.PASSES and line.stdout is Stdout.CONTENTS
