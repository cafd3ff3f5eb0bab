"""Losses that a plan, a difference or a rehearsal showed, and the run that brings them about unasked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.warned import Past, Warned, latest, pattern, said, script_text, table, word_list

_WORD = re.compile(r"[^\s'\"|;&()]+")
_MOST_WORDS = 200
_CHANGES = re.compile(
    r"\b(?:sed -i|git (?:checkout|restore|revert|reset)|state (?:mv|rm)|import|patch|tee|edit)\b|>(?!\s*/dev)"
)
_TARGETED = re.compile(r"-{1,2}(?:target|resource|limit|tags|preserve-counts)\b[= ]?(\S*)")
_FILE = re.compile(r"[\w.-]*\.(?:hcl|ya?ml|json|tf|nomad|toml|ini)|(?:chdir|namespace|cwd)=\S+")
_ORDINARY = 10  # packages that an installation may take away
_REMOVED = re.compile(r"\b(\d+) (?:to remove|packages? will be removed)")
# A package that a simulation of apt removes: no library, and no kernel, which upgrades replace by others.
_IS_REMOVED = re.compile(r"(?:Remv|Purg) (?!lib|linux-|python3?-|gcc-|\S*-(?:kernel|headers|modules)\b)\S+ \[")
_FEW = 2  # packages of which an upgrade often removes as many
_REMOVES_ASKED = re.compile(r"(?i)\b(?:remov|uninstall|purg|autoremove|deinstall|entfern|supprim|desinstal|rimuov)\w*")
_PACKAGES = frozenset({"apt", "apt-get", "aptitude", "dnf", "yum", "zypper"})
_COPIES = frozenset({"rsync", "rclone"})
_NUMBER = re.compile(r"\d+")


def may_be_foretold(text: str, context: Context) -> bool:
    """Whether a text runs a program of the table of which an earlier step may have been a rehearsal."""
    return bool(context.history) and bool(_names().search(text))


def foretold_loss(action: Action, context: Context) -> Warned | None:
    """The first run after a rehearsal that showed a loss for which the user has not asked."""
    text, task = script_text(action, context), said(context)
    if not may_be_foretold(text, context) or pattern("accepts_loss").search(task) or _CHANGES.search(text):
        return None
    for command in script(action, context).commands:
        group = _group_of(command)
        if group is None or not _applies(command.argv, group):
            continue
        if line := _loss_before(command, group, task, context):
            return Warned("a loss", command.text[:200], line)
    return None


@cache
def _names() -> re.Pattern[str]:
    """The programs of the table as words."""
    return re.compile("|".join(rf"\b{re.escape(name)}(?![\w-])" for name in _groups()))


@cache
def _groups() -> dict[str, tuple[str, frozenset[str]]]:
    """Of each program the first name of its group, and the words with which it acts."""
    found: dict[str, tuple[str, frozenset[str]]] = {}
    for names, verbs in table("appliers").items():
        for name in names.split():
            found[name] = (names.split()[0], frozenset(verbs.split()))
    return found


def _group_of(command: Command) -> tuple[str, frozenset[str]] | None:
    words = [command.program, *(word.rpartition("/")[2] for word in command.args[:2])]
    return next((_groups()[word] for word in words if word in _groups()), None)


def _applies(words: tuple[str, ...] | list[str], group: tuple[str, frozenset[str]]) -> bool:
    if _rehearses(words, group[0]):
        return False
    return not group[1] or not group[1].isdisjoint(words[1:])


def _rehearses(words: tuple[str, ...] | list[str], name: str) -> bool:
    if not frozenset(word_list("rehearsals").split()).isdisjoint(words):
        return True
    flags = [word for word in words if re.fullmatch(r"-[a-zA-Z]{1,6}", word)]
    return any("n" in word for word in flags) if name in ("rsync", "alembic") else name in _PACKAGES and "-s" in flags


def _loss_before(command: Command, group: tuple[str, frozenset[str]], task: str, context: Context) -> str:
    """The line of the latest rehearsal that tells of a loss; empty if there is none, or something changed since."""
    for past in latest(context):
        if _is_rehearsal(past.command, group[0]):
            if not _is_of_same(command, past.command):
                continue
            return next(_losses(command, group[0], past, task), "")
        if _CHANGES.search(past.command):
            return ""
    return ""


def _is_rehearsal(text: str, name: str) -> bool:
    words = list(islice((found[0] for found in _WORD.finditer(text)), _MOST_WORDS))
    places = [at for at, word in enumerate(words) if _groups().get(word.rpartition("/")[2], ("",))[0] == name]
    return any(_rehearses(words[at:], name) for at in places)


def _is_of_same(command: Command, before: str) -> bool:
    """Whether no file or folder tells that the rehearsal was of something else."""
    own, other = ({_last(each) for each in _FILE.findall(text)} for text in (command.text, before))
    return not own or not other or bool(own & other)


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _losses(command: Command, name: str, past: Past, task: str) -> Iterator[str]:
    if "new__" in past.output:
        return  # a migration that rebuilds a table under another name
    targets = [found[1].strip("'\"") for found in _TARGETED.finditer(command.text)]
    if name in _COPIES or (targets and not all(targets)):
        return
    numbers = frozenset(_NUMBER.findall(task))
    removed: dict[str, str] = {}
    lines = past.lines
    if name in _PACKAGES and (lost := [line for line in lines if _IS_REMOVED.match(line)]):
        if len(lost) > _FEW and not _REMOVES_ASKED.search(task):
            yield lost[0]
        return
    named = [line for line in lines if pattern("loss").search(line) and ("resource" in line or "must be" in line)]
    only_stateless = bool(named) and all(map(_is_harmless, named))
    for line in lines:
        if targets and not any(target in line for target in targets):
            continue
        if name in _PACKAGES:
            if (found := _REMOVED.search(line)) and int(found[1]) >= _ORDINARY:
                yield line
        elif pattern("loss").search(line):
            if not only_stateless and not _is_harmless(line):
                yield line
        elif found := pattern("fewer").search(line):
            if _is_less(found[1], found[2], numbers):
                yield line
        elif found := pattern("fewer_removed").search(line):
            removed[found[1].lower()] = found[2]
        elif (found := pattern("fewer_added").search(line)) and _is_less(
            removed.get(found[1].lower(), "0"), found[2], numbers
        ):
            yield line


def _is_harmless(line: str) -> bool:
    """Whether a line is of a part that holds nothing. Of some parts only a replacement does no harm: who destroys a
    record of DNS for good takes a name away."""
    if not pattern("stateless").search(line):
        return False
    return not (pattern("destroyed_for_good").search(line) and pattern("serves").search(line))


def _is_less(old: str, new: str, asked: frozenset[str]) -> bool:
    return int(new) < int(old) and new not in asked
