"""What cmdlets and Windows programs do that no command of a POSIX system does, by the rules of `windows.yaml`.

An unlisted cmdlet is read by its name, which is a verb and a noun: `Remove-DnsServerZone` deletes what its noun says.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from supervisor.evidence.effects.command_lines import is_contained
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.effects.platforms import Resource, Sort
from supervisor.evidence.effects.platforms.unlisted import is_cmdlet, read_cmdlet
from supervisor.evidence.effects.platforms.words import DESTRUCTIVE_VERBS, sort_of, word_of
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.windows.verbs import is_verb_noun

_LONGEST = 4096  # characters of a command line that are read
# Nouns of PowerShell itself, whose objects live as long as a session or belong to other domains.
_OF_POWERSHELL = frozenset(
    "item itemproperty itempropertyvalue content variable alias job module package packageprovider event"
    " eventsubscriber"
    " psdrive pssession psbreakpoint breakpoint process service history host location typedata smbmapping smbshare"
    " ciminstance wmiobject eventlog netfirewallrule scheduledtask localuser localgroup localgroupmember localuser"
    " adgroupmember disk partition jobtrigger transcript trace computer object string null type tracesource"
    " psreadlinekeyhandler netipaddress netroute printer printjob odbcdsn webrequestsession cimsession computerinfo"
    " recyclebin dnsclientcache screen color configuration acl properties".split()
)
_PARAMETERS = "identity name id displayname taskname zonename computername vmname path site".split()


_LOSES = ("delete", "purge", "reset")


class Rule(NamedTuple):
    """One rule of the table."""

    act: Act
    verb: str
    when: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    target: tuple[str, ...]
    whole: re.Pattern[str] | None
    content: str | None
    sort: Sort | None
    word: int
    after: str
    reversible: bool


@functools.cache
def _rules() -> tuple[Mapping[str, tuple[Rule, ...]], tuple[tuple[str, Rule], ...]]:
    """The rules by program, and those whose programs are patterns."""
    named: dict[str, tuple[Rule, ...]] = {}
    patterns: list[tuple[str, Rule]] = []
    for entry in table_beside(__file__, "windows.yaml"):
        rule = _rule(entry)
        for program in str(entry["of"]).split():
            if "*" in program:
                patterns.append((program, rule))
            else:
                named[program] = (*named.get(program, ()), rule)
    return named, tuple(patterns)


def _rule(entry: Mapping[str, Any]) -> Rule:
    when, unless, whole = (re.compile(entry[name]) if name in entry else None for name in ("when", "unless", "whole"))
    return Rule(
        Act(entry["act"]),
        entry["verb"],
        when,
        unless,
        tuple(str(entry.get("target", "")).split()),
        whole,
        entry.get("content"),
        Sort(entry["sort"]) if "sort" in entry else None,
        entry.get("word", 0),
        entry.get("after", ""),
        entry.get("reversible", False),
    )


@functools.lru_cache(maxsize=512)
def _rules_of(program: str) -> tuple[Rule, ...]:
    named, patterns = _rules()
    lowered = program.lower()
    return (*named.get(lowered, ()), *(rule for pattern, rule in patterns if fnmatchcase(lowered, pattern)))


_NATIVE = frozenset(
    "reg sc net net1 schtasks vssadmin wbadmin bcdedit netsh wmic icacls cacls xcacls takeown diskpart diskshadow"
    " auditpol systemreset format winrm dsrm w32tm".split()
)


def readings_of(program: str) -> tuple[Reading, ...]:
    """The readings of a cmdlet or of a Windows program; none for other programs."""
    if program in _NATIVE or (program[:1].isupper() and is_verb_noun(program)):
        acts = frozenset(rule.act for rule in _rules_of(program)) | ({Act.RESOURCE} if "-" in program else frozenset())
        return (Reading(acts, _read, functools.partial(_is_quiet, program)),) if acts else ()
    return ()


def _is_quiet(program: str, args: Sequence[str]) -> bool:
    return not any(_read(Command((program, *args)), Ground()))


def _read(command: Command, ground: Ground) -> Iterable[Effect]:
    if is_contained(command) or "-WhatIf" in command.args:
        return
    line = " ".join(command.argv)[:_LONGEST].lower().replace("/c:/", "c:/")
    found = False
    for rule in _rules_of(command.program):
        if (rule.when is None or rule.when.search(line)) and not (rule.unless and rule.unless.search(line)):
            found = True
            yield _effect(rule, command, line, ground)
    if not found and "-" in command.program:
        yield from _by_name(command, ground)
    if command.program == "diskpart" and any("clean" in word for each in command.upstream for word in each.args):
        yield Effect(Act.SYSTEM, "", Place.SYSTEM, "volume", True, text=command.text, command=command)


def _effect(rule: Rule, command: Command, line: str, ground: Ground) -> Effect:
    target = _target(rule, command)
    whole = rule.whole is not None and rule.whole.search(line) is not None
    if rule.act is Act.PERMISSION:
        return ground.on_path(Act.PERMISSION, target or ".", command, verb=rule.verb, whole=whole, content=rule.content)
    if rule.act is Act.DELETE:
        place = "/c:/users" if rule.verb == "profiles" else "/c:/windows/system32/config"
        return Effect(Act.DELETE, place, Place.SYSTEM, "", True, text=command.text, command=command)
    if rule.sort is not None:
        what = command.program.partition("-")[2] or command.program
        return Resource(
            *(rule.act, target or what, Place.REMOTE, rule.verb, whole or target == HOLE),
            text=command.text,
            command=command,
            product=command.program,
            noun=what,
            sort=rule.sort,
        )
    if rule.act is Act.SERVICE:
        target = target.lower()
    if rule.verb in ("volume", "snapshots"):
        target = target or "every volume"
    scope = Place.REMOTE if command.remote else Place.SYSTEM
    return Effect(rule.act, target, scope, rule.verb, whole, rule.reversible, command.text, command=command)


def _target(rule: Rule, command: Command) -> str:
    """The value of the parameter that names the target."""
    if rule.word:
        on_host = bool(command.args) and command.args[0].startswith(("\\\\", "/unc/"))  # `sc \\\\host config name`
        args = command.args[1:] if on_host else command.args
        return args[rule.word - 1] if len(args) >= rule.word else ""
    words = [word.lower() for word in command.args]
    names = [rule.after] if rule.after else [f"-{name}" for name in (*rule.target, *_PARAMETERS)]
    at = next((words.index(name) for name in names if name in words), None)
    if at is not None and at + 1 < len(command.args):
        return command.args[at + 1]
    if command.program[:1].isupper():
        return _taken_from(command)
    return next((word for word in reversed(command.args) if not word.startswith(("/", "-"))), "")


def _taken_from(command: Command) -> str:
    """The name by which the command before it in the pipeline got one thing: `Get-VM -Name old | Remove-VM`."""
    for each in command.upstream[:1]:
        words = [word.lower() for word in each.args]
        at = next((words.index(f"-{name}") for name in _PARAMETERS if f"-{name}" in words), None)
        value = each.args[at + 1] if at is not None and at + 1 < len(words) else ""
        if each.program.startswith("Get-") and value and not set("*?$") & set(value):
            return value
    return ""


def _by_name(command: Command, ground: Ground) -> Iterator[Effect]:
    """What the verb of an unlisted cmdlet does to its noun. A noun that names no sort of resource counts if all of a
    listing is taken."""
    word = word_of(command.program)
    noun = command.program.partition("-")[2].lower()
    if word.does not in DESTRUCTIVE_VERBS.values() or noun in _OF_POWERSHELL:
        return
    sort = sort_of(word.nouns)
    takes_all = "*" in command.args and "-InputObject" in command.args
    loses = word.does in _LOSES and sort not in (None, Sort.TRIVIAL)
    if loses or takes_all or is_cmdlet(command.program):
        yield from read_cmdlet(command, ground)
