"""Whether a name can come from a command at all, told by its text, so that most of a long past need not be parsed.

In a script of plain words every name that it tells of ends in a part of one of them. Where something else makes names
(variables, patterns that the shell fills in, code, a command within a command), only a parser knows.
"""

from __future__ import annotations

import re

from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell import Script, code_in
from supervisor.evidence.shell.code import may_hold_code
from supervisor.evidence.shell.inner import word_set
from supervisor.evidence.shell.plain import Plain, plain_commands
from supervisor.evidence.shell.words import clean
from supervisor.evidence.shell.wrappers import runs_others

QUOTES = str.maketrans("", "", "'\"\\")
# What a script that writes files may run beside: none of it reads them as code.
_INERT = word_set(
    "[ cat cd chmod cp cut date diff du echo file git grep head ls mkdir mv printf pwd rm rmdir sed sort stat tail tee "
    "test touch tr true uniq wc which"
)
_DOCUMENT = re.compile(r"<<(-?)[ \t]*(['\"]?)([A-Za-z_]\w{0,63})\2(?=[ \t;|&>]|\Z)")
_EXPANDS = re.compile(r"[$`\\]")
_QUOTING = re.compile(r"['\"\\#]").search
_UPWARDS = re.compile(r"(?:^|[\s=:])[./~]+(?=[\s;|&)]|$)|\.\.").search  # a word that names a directory by no name
_GITS_OWN = ("HEAD", "every ", "stash@{")


def surface(command: str) -> str | None:
    """A text in which everything stands that a plain script names; None where only a parser tells what it names."""
    outside = _without_documents(command) if "<<" in command else command
    commands = plain_commands(clean(outside)) if outside is not None else None
    if commands is None or HOLE in command:
        return None
    if outside is not command or any(map(_writes, commands)):
        is_plain = all(each.words[0] in _INERT and not runs_others(each.words) for each in commands)
    else:
        is_plain = not any(runs_others(each.words) or may_hold_code(each.words) for each in commands)
    return outside.translate(QUOTES) if is_plain and outside is not None else None


def surface_of(script: Script) -> str | None:
    """The same of a script that was parsed; None where code in it, or what could not be read, may name more."""
    if script.unread or next(iter(code_in(script)), None) is not None:
        return None
    words = [word for command in script.commands for word in (*command.argv, command.cwd)]
    words += [redirect.target for command in script.commands for redirect in (*command.redirects, *command.into)]
    return "\n".join(words).translate(QUOTES)


def needles_of(name: str) -> tuple[str, ...]:
    """Of these a text holds one that tells of a path, a ref or a program: programs may add an ending by themselves.
    Nothing but an empty one for what may be named by no word."""
    if HOLE in name or name.startswith(_GITS_OWN):
        return ("",)
    last = name.removesuffix("/*").rstrip("/").rpartition("/")[2].translate(QUOTES)
    needle = "" if last == "~" else last.lstrip(".").partition(".")[0]
    return (needle, "*") if name.endswith("/*") else (needle,)


def leads_upwards(text: str) -> bool:
    """Whether a directory is named by its place alone, as by `.` and `..`."""
    return _UPWARDS(text) is not None


def _writes(command: Plain) -> bool:
    return command.words[0] == "tee" or any(each.writes for each in command.redirects)


def _without_documents(script: str) -> str | None:
    """A script without its here-documents; None where a shell would fill something in there, or where a quote before
    may mean that there are none."""
    kept, lines, is_quoting = list[str](), iter(script.split("\n")), False
    for line in lines:
        begins = _DOCUMENT.search(line)
        if begins is None:
            kept.append(line)
            is_quoting = is_quoting or _QUOTING(line) is not None
            continue
        if is_quoting or _QUOTING(line[: begins.start()]):
            return None
        kept.append(line[: begins.start()] + line[begins.end() :])
        ends, quoted = begins[3], bool(begins[2])
        for inside in lines:
            if (inside.lstrip("\t") if begins[1] else inside) == ends:
                break
            if not quoted and _EXPANDS.search(inside):
                return None
        else:
            return None
    return "\n".join(kept)
