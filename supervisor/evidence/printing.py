"""Whether what a command reads ends up where the agent and whoever reads its transcript see it."""

from __future__ import annotations

import re

from supervisor.evidence.shell import Command, Script

# What tells something of a text, but nothing that stands in it.
_TELLS_OF = frozenset(
    "cksum cmp file md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum stat test wc [".split()  # noqa: SIM905
)
_KEEPS = frozenset({"chmod", "chown", "cp", "install", "ln", "mv", "rsync", "scp", "shred", "ssh-add", "ssh-keygen"})
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg", "ag"})
_SAYS_WHETHER = ("-q", "-c", "-l", "-L", "--quiet", "--silent", "--count", "--files-with-matches")
_PRINTS = frozenset({"echo", "printf", "cat", "tee"})
_VALUE_CUT = re.compile(r"s(.)=\.\*\1|s(.)=\.\+\2|s(.)\(?\[\^=\]")  # of `sed 's/=.*//'`
_NAME_ALONE = re.compile(r"\^?\(?\[?[A-Za-z_0-9\\w^=-]*\]?[*+]?\)?=?")  # of `grep -o '^[A-Z_]*'`


def prints(command: Command, script: Script, text: str) -> bool:
    """Whether the values that a command reads are printed, in the end. They are not where it writes them to a file or
    hands them to another command, where only their number or names pass, and where a variable takes them.

    `text` is the script as written.
    """
    if command.program in _KEEPS or _withholds(command) or any(each.writes for each in command.redirects):
        return False
    users = [each for each in script.commands if any(source is command for _, source in each.sources)]
    if users or _is_captured(command, text):
        return any(user.program in _PRINTS and not any(each.writes for each in user.redirects) for user in users)
    readers = [each for each in script.commands if any(one is command for one in each.upstream)]
    return not any(_withholds(reader) or _is_end(reader) for reader in readers)


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


def _is_end(command: Command) -> bool:
    """Whether a command takes what it reads and prints something else, or nothing."""
    return command.program not in _PASSES_ON or any(each.writes for each in command.redirects)


_PASSES = (
    "awk base32 base64 bat cat column cut egrep fgrep fold gawk grep gsed head hexdump jq less mawk more nl od openssl"
    " paste perl rev rg sed sort strings tac tail tee tr uniq xargs xxd yq gzip bzip2 xz zstd"
)
_PASSES_ON = frozenset(_PASSES.split())


def _is_captured(command: Command, text: str) -> bool:
    """Whether a variable takes the output: `X=$(cat key)`."""
    return any(opening + command.text in text for opening in ("$(", "`", "$( "))
