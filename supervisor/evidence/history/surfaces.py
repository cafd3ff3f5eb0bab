"""Decides from the text of a command whether it can mention a name, so that most of a long past is never parsed.

In a script of plain words, every name that it mentions ends in a part of one of them. If names can come from elsewhere
(variables, patterns that the shell expands, code, a command within a command), only a parser can decide.
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
# Programs that a script which writes files may also run: none of them reads the files as code.
_INERT = word_set(
    "[ cat cd chmod cp cut date diff du echo file git grep head ls mkdir mv printf pwd rm rmdir sed sort stat tail tee "
    "test touch tr true uniq wc which"
)
_DOCUMENT = re.compile(r"<<(-?)[ \t]*(['\"]?)([A-Za-z_]\w{0,63})\2(?=[ \t;|&>]|\Z)")
_READS_DOCUMENT = re.compile(r"(?:^|[;&|])\s*(?:cat|tee)\b[^;&|<]*\Z").search
_EXPANDS = re.compile(r"[$`\\]")
_QUOTING = re.compile(r"['\"\\#]").search
_GOES = frozenset({"cd", "pushd"})  # change the directory, and do nothing to it
# A word that means a directory without naming it, or a program that starts in the current directory.
_BY_PLACE = re.compile(r"(?:^|[\s=:])[./~*]+(?=[\s;|&)]|$)|\.\.|\b(?:fd|find|split|xargs)\b")
_FOR_EACH = frozenset({"entr", "fd", "fdfind", "find", "parallel", "xargs"})  # run commands on names that they find
_BEHIND = frozenset(("/", "*", ".", HOLE))  # may follow the name of a directory and still mean it or its contents
_JOINS = frozenset("_-")
_CLIMBS = "~/.."  # leads out of the home to a directory that is not named
_OF_VOLUME = "/_data"  # where a daemon keeps a volume; the command gives only the volume's name
_GITS_OWN = ("HEAD", "every ", "stash@{")


def surface(command: str) -> str | None:
    """A text that contains every name in a plain script; None if only a parser can find the names."""
    outside = _without_documents(command) if "<<" in command else command
    commands = plain_commands(clean(outside)) if outside is not None else None
    if outside is None or commands is None or any(mark in command for mark in (HOLE, _CLIMBS, '""', "''")):
        return None  # an empty word means the current directory
    if (outside is not command or any(map(_writes, commands))) and may_hold_commands(command):
        return None  # the written file is run later
    if outside is not command or any(map(_writes, commands)):
        is_plain = all(each.words[0] in _INERT and not runs_others(each.words) for each in commands)
    else:
        is_plain = not any(runs_others(each.words) or may_hold_code(each.words) for each in commands)
    staying = [outside[each.start : each.end] for each in commands if each.words[0] not in _GOES]
    staying += [each.target for command in commands for each in command.redirects]
    return _shorter(outside, staying) if is_plain else None


def surface_of(script: Script) -> str | None:
    """As `surface`, for a parsed script; None if code in it, or an unread part, may mention more names."""
    is_each = any(not _FOR_EACH.isdisjoint(command.wrappers) for command in script.commands)
    if is_each or script.unread or next(iter(code_in(script)), None) is not None:
        return None
    staying = [_line(command) for command in script.commands if command.program not in _GOES]
    staying += [
        redirect.target or "."
        for command in script.commands
        for redirect in (*command.redirects, *command.outer_redirects)
    ]
    text = _shorter("\n".join([*staying, *map(_line, script.commands)]), staying)
    return None if _CLIMBS in text else text


def _line(command: Command) -> str:
    return " ".join([word or "." for word in command.argv])


def _shorter(everything: str, staying: Sequence[str]) -> str:
    """A text without the directories that a script only changes to, unless it may do something to its current
    directory."""
    outside = "\n".join(staying).translate(QUOTES)
    return everything.translate(QUOTES) if _BY_PLACE.search(outside) else f"{outside}\ncd pushd"


def matcher_of(name: str, *, within: bool = False) -> Callable[[str], bool]:
    """A test whether a surface may mention a path, a ref or a program.

    It holds if a word ends in the last part of the name, which may lack suffixes that programs add themselves; with
    `within`, if a word contains that part.
    """
    if HOLE in name or name.startswith(_GITS_OWN):
        return lambda text: True
    last = name.removesuffix("/*").rstrip("/").removesuffix(_OF_VOLUME).rpartition("/")[2].translate(QUOTES)
    stem, *endings = last.lstrip(".").split(".")
    if within or not stem or last == "~" or "*" in stem:
        return lambda text: stem in text
    if name.endswith("/*"):
        return lambda text: "*" in text or _ends_in(text, stem, endings)
    return lambda text: _ends_in(text, stem, endings)


def _ends_in(text: str, stem: str, endings: Sequence[str]) -> bool:
    """Whether a word of a text ends in a stem, with or without the endings."""
    at = text.find(stem)
    while at >= 0:
        end = at + len(stem)
        for ending in (*endings, "git"):  # the directory of a clone has no `.git`
            if text.startswith(f".{ending}", end):
                end += 1 + len(ending)
        while text[end : end + 1] in _BEHIND:
            end += 1
        if not (text[end : end + 1].isalnum() or text[end : end + 1] in _JOINS):
            return True
        at = text.find(stem, at + 1)
    return False


def places_above(cwd: str) -> tuple[frozenset[str], re.Pattern[str]]:
    """A resolved directory and its parents, and a pattern that a surface matches if it may mention one of them."""
    above = frozenset((".", "/", "~", *with_parents(cwd)))
    names = {path.rpartition("/")[2].translate(QUOTES) for path in above} - {"", ".", "~"}
    ends = [rf"(?:^|[\s=:/]){re.escape(name)}[/*]*(?=[\s;|&)]|$)" for name in sorted(names)]
    return above, re.compile("|".join((_BY_PLACE.pattern, *ends)))


def _writes(command: Plain) -> bool:
    return command.words[0] == "tee" or any(each.writes for each in command.redirects)


def _without_documents(script: str) -> str | None:
    """A script without its here-documents; None if a shell would expand something in one, or if an earlier quote may
    mean that there is none."""
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
