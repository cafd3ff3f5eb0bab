"""Whether what a command reads ends up where the agent and whoever reads its transcript see it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from supervisor.evidence.shell import Command, Redirect, Script

# What tells something of a text, but nothing that stands in it.
_TELLS_OF = frozenset(
    "cksum cmp file md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum stat test wc [".split()
)
_KEEPS = frozenset({"chmod", "chown", "cp", "install", "ln", "mv", "rsync", "scp", "shred", "ssh-add", "ssh-keygen"})
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg", "ag"})
_SAYS_WHETHER = ("-q", "-c", "-l", "-L", "--quiet", "--silent", "--count", "--files-with-matches")
_PRINTS = frozenset({"cat", "colordiff", "comm", "diff", "echo", "join", "printf", "tee"})
_SCREENS = ("", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2")
_DEEPEST = 8  # substitutions within substitutions
_VALUE_CUT = re.compile(r"s(.)=\.\*\1|s(.)=\.\+\2|s(.)\(?\[\^=\]")  # of `sed 's/=.*//'`
_NAME_ALONE = re.compile(r"\^?\(?\[?[A-Za-z_0-9\\w^=-]*\]?[*+]?\)?=?")  # of `grep -o '^[A-Z_]*'`


class Outlet(IntEnum):
    """Where values end up: with nobody who looks, in a file, or where the agent sees them."""

    NOWHERE = 0
    FILE = 1
    SCREEN = 2


def outlet(command: Command, script: Script, depth: int = 0) -> Outlet:
    """Where the values end up that a command reads. Nobody sees them where they are handed to a command that uses them,
    where only their number or names pass, and where a variable takes them that nothing prints.
    """
    if command.program in _KEEPS or _withholds(command) or depth > _DEEPEST:
        return Outlet.NOWHERE
    to, last = _output(command), command
    for reader in _readers(command, script) if to is Outlet.SCREEN else ():
        if _withholds(reader) or reader.program not in _PASSES_ON | _PRINTS:
            return Outlet.NOWHERE
        to, last = _output(reader), reader
        if to is not Outlet.SCREEN:
            break
    return to if to is not Outlet.SCREEN else _of_substituted(last, script, depth)


def _readers(command: Command, script: Script) -> Iterator[Command]:
    """The commands behind it in its pipeline; of a wrapper, what it runs reads."""
    inside = command in script.captured
    for each in script.commands:
        reads = any(one is command for one in each.upstream)
        if reads and (not inside or each in script.captured or not _users(command, script)):
            if each.wraps and each.program == "xargs":
                yield from (one for one in script.commands if "xargs" in one.wrappers)
            elif not each.wraps:
                yield each


def _users(command: Command, script: Script) -> list[Command]:
    """The commands in whose words its output stands."""
    return [each for each in script.commands if any(source is command for _, source in each.sources)]


def _of_substituted(command: Command, script: Script, depth: int) -> Outlet:
    """Where a command's output ends up that a substitution may take: as a word of others, or as a file for them."""
    users, captured = _users(command, script), command in script.captured
    if not users:
        return Outlet.NOWHERE if captured else Outlet.SCREEN
    passing = _PRINTS if captured else _PRINTS | _PASSES_ON
    return max((outlet(user, script, depth + 1) for user in users if user.program in passing), default=Outlet.NOWHERE)


def _output(command: Command) -> Outlet:
    """Where a command's own output goes, through its redirections and those of what it stands in."""
    target = _target(command.redirects) or _target(command.into)
    if target in _SCREENS:
        return Outlet.SCREEN
    return Outlet.NOWHERE if target == "/dev/null" else Outlet.FILE


def _target(redirects: Sequence[Redirect]) -> str:
    """What the standard output is after some redirections; empty where it is what it was."""
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
    """The pattern that a search picks lines of a command's output by; empty where all of it goes on."""
    for reader in script.commands:
        if reader.program in _SEARCHES and any(one is command for one in reader.upstream):
            return next(iter(reader.operands(frozenset({"-e", "-f", "-A", "-B", "-C", "-m"}))), " ".join(reader.args))
    return ""


def names_alone(command: Command) -> bool:
    """Whether of `NAME=value` a command passes on the name alone."""
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
    if command.program in _TELLS_OF or names_alone(command):
        return True
    if command.program in _SEARCHES and any("^\\[" in word or "^[[]" in word for word in command.args):
        return True  # the headings of sections
    return command.program in _SEARCHES and command.has_flag(*_SAYS_WHETHER, valued="efmABC")


_PASSES = (
    "awk base32 base64 bat cat column cut egrep fgrep fold gawk grep gsed head hexdump jq less mawk more nl od openssl"
    " paste perl rev rg sed sort strings tac tail tee tr uniq xargs xxd yq gzip bzip2 xz zstd"
)
_PASSES_ON = frozenset(_PASSES.split())
