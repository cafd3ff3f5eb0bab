"""Whether a name can come from a command at all, told by its text, so that most of a long past need not be parsed.

In a script of plain words every name that it tells of ends in a part of one of them. Where something else makes names
(variables, patterns that the shell fills in, code, a command within a command), only a parser knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from supervisor.evidence.machine.command_files import may_hold_commands
from supervisor.evidence.reading.paths import HOLE, with_parents
from supervisor.evidence.shell import Command, Script, code_in
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
_READS_DOCUMENT = re.compile(r"(?:^|[;&|])\s*(?:cat|tee)\b[^;&|<]*\Z").search
_EXPANDS = re.compile(r"[$`\\]")
_QUOTING = re.compile(r"['\"\\#]").search
_GOES = frozenset({"cd", "pushd"})  # to a directory, and do nothing to it
# A word that names a directory by no name, or a program that begins where it stands.
_BY_PLACE = re.compile(r"(?:^|[\s=:])[./~*]+(?=[\s;|&)]|$)|\.\.|\b(?:fd|find|split|xargs)\b")
_FOR_EACH = frozenset({"entr", "fd", "fdfind", "find", "parallel", "xargs"})  # they fill in what they find
_BEHIND = frozenset(("/", "*", ".", HOLE))  # what still names the same directory, or what lies in it
_JOINS = frozenset("_-")
_CLIMBS = "~/.."  # out of the home, to what nothing names
_GITS_OWN = ("HEAD", "every ", "stash@{")


def surface(command: str) -> str | None:
    """A text in which everything stands that a plain script names; None where only a parser tells what it names."""
    outside = _without_documents(command) if "<<" in command else command
    commands = plain_commands(clean(outside)) if outside is not None else None
    if outside is None or commands is None or any(mark in command for mark in (HOLE, _CLIMBS, '""', "''")):
        return None  # an empty word names where it stands
    if (outside is not command or any(map(_writes, commands))) and may_hold_commands(command):
        return None  # something runs what is written there
    if outside is not command or any(map(_writes, commands)):
        is_plain = all(each.words[0] in _INERT and not runs_others(each.words) for each in commands)
    else:
        is_plain = not any(runs_others(each.words) or may_hold_code(each.words) for each in commands)
    staying = [outside[each.start : each.end] for each in commands if each.words[0] not in _GOES]
    staying += [each.target for command in commands for each in command.redirects]
    return _shorter(outside, staying) if is_plain else None


def surface_of(script: Script) -> str | None:
    """The same of a script that was parsed; None where code in it, or what could not be read, may name more."""
    is_each = any(not _FOR_EACH.isdisjoint(command.wrappers) for command in script.commands)
    if is_each or script.unread or next(iter(code_in(script)), None) is not None:
        return None
    staying = [_line(command) for command in script.commands if command.program not in _GOES]
    staying += [
        redirect.target or "." for command in script.commands for redirect in (*command.redirects, *command.into)
    ]
    text = _shorter("\n".join([*staying, *map(_line, script.commands)]), staying)
    return None if _CLIMBS in text else text


def _line(command: Command) -> str:
    return " ".join([word or "." for word in command.argv])


def _shorter(everything: str, staying: Sequence[str]) -> str:
    """A text without the directories that a script only goes to; with them, where it may do something to what it stands
    in."""
    outside = "\n".join(staying).translate(QUOTES)
    return everything.translate(QUOTES) if _BY_PLACE.search(outside) else f"{outside}\ncd pushd"


def teller_of(name: str, *, within: bool = False) -> Callable[[str], bool]:
    """Whether a surface may tell of a path, a ref or a program: whether a word ends in the last part of it, which may
    lack endings that programs add by themselves; or `within`, whether it stands anywhere in a word."""
    if HOLE in name or name.startswith(_GITS_OWN):
        return lambda text: True
    last = name.removesuffix("/*").rstrip("/").rpartition("/")[2].translate(QUOTES)
    stem, *endings = last.lstrip(".").split(".")
    if within or not stem or last == "~" or "*" in stem:
        return lambda text: stem in text
    if name.endswith("/*"):
        return lambda text: "*" in text or _ends_in(text, stem, endings)
    return lambda text: _ends_in(text, stem, endings)


def _ends_in(text: str, stem: str, endings: Sequence[str]) -> bool:
    """Whether a word ends in a name, or in what some of its endings leave of it."""
    at = text.find(stem)
    while at >= 0:
        end = at + len(stem)
        for ending in (*endings, "git"):  # a clone is named without
            if text.startswith(f".{ending}", end):
                end += 1 + len(ending)
        while text[end : end + 1] in _BEHIND:
            end += 1
        if not (text[end : end + 1].isalnum() or text[end : end + 1] in _JOINS):
            return True
        at = text.find(stem, at + 1)
    return False


def places_above(cwd: str) -> tuple[frozenset[str], re.Pattern[str]]:
    """A resolved directory and those that it lies in, and what a surface has to hold that tells of one of them."""
    above = frozenset((".", "/", "~", *with_parents(cwd)))
    names = {path.rpartition("/")[2].translate(QUOTES) for path in above} - {"", ".", "~"}
    ends = [rf"(?:^|[\s=:/]){re.escape(name)}[/*]*(?=[\s;|&)]|$)" for name in sorted(names)]
    return above, re.compile("|".join((_BY_PLACE.pattern, *ends)))


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
        before = line[: begins.start()]
        if is_quoting or _QUOTING(before) or not _READS_DOCUMENT(before):
            return None
        kept.append(before + line[begins.end() :])
        ends, quoted = begins[3], bool(begins[2])
        for inside in lines:
            if (inside.lstrip("\t") if begins[1] else inside) == ends:
                break
            if not quoted and _EXPANDS.search(inside):
                return None
        else:
            return None
    return "\n".join(kept)
