"""Binds the words of a cmdlet to its parameters, as PowerShell does: names in any case, abbreviated, `-Name:value`.

A cmdlet that `cmdlets.yaml` does not list takes a value for each parameter that no other parameter follows, except for
the switches that most cmdlets share.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.windows.verbs import is_verb_noun

_COMMON = ("ErrorAction", "WarningAction", "InformationAction", "ErrorVariable", "OutVariable", "PipelineVariable")
_SWITCHES = ("WhatIf", "Confirm", "Verbose", "Debug")
_SHORT = {"-ea": "-ErrorAction", "-wi": "-WhatIf", "-cf": "-Confirm", "-wa": "-WarningAction", "-ev": "-ErrorVariable"}
# Names that another parameter is known by. Source: the aliases of the parameters in PowerShell's reference.
_OTHER_NAMES = {"-pspath": "-LiteralPath", "-lp": "-LiteralPath", "-cn": "-ComputerName", "-url": "-Uri"}
_UNLISTED_SWITCHES = frozenset(
    "-force -recurse -passthru -asjob -all -wait -quiet -permanent -hidden -detailed -full -list -cascade -online"
    " -norestart -confirm -whatif -verbose -debug -includehidden -now -immediate -permanentlydelete -default".split()
)


class Value(NamedTuple):
    """The value of an expression: its texts, the commands whose output it contains, the script blocks in it (as spans
    of the text), the entries of a hash table. `of` is what a listing lists ("files", "ADUser"), and `picked` whether a
    filter leaves only some of it."""

    texts: tuple[str, ...] = ()
    sources: tuple[Command, ...] = ()
    blocks: tuple[tuple[int, int], ...] = ()
    entries: tuple[tuple[str, Value], ...] = ()
    of: str = ""
    picked: bool = False

    @property
    def text(self) -> str:
        return " ".join(self.texts)


class Word(NamedTuple):
    """One word of a command. `is_bare`: it was not quoted, so that `-Name` is a parameter."""

    value: Value
    is_bare: bool = False


class Cmdlet(NamedTuple):
    """What is known of one cmdlet."""

    name: str
    at: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    equivalent: str = ""


@dataclass
class Bound:
    """A cmdlet's arguments: `given` has each parameter under its whole name; `rest` is what fits no parameter."""

    cmdlet: Cmdlet
    given: dict[str, Value] = field(default_factory=dict)
    rest: list[Value] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.cmdlet.name

    def has(self, *names: str) -> bool:
        """Whether a switch is given, and is not `:$false`."""
        return any(name in self.given and self.given[name].text.lower() != "$false" for name in names)

    def texts(self, *names: str) -> list[str]:
        """The values of the first of these parameters that is given."""
        return next((list(self.given[name].texts) for name in names if name in self.given), [])

    def text(self, *names: str) -> str:
        return next(iter(self.texts(*names)), "")

    def sources(self) -> tuple[Command, ...]:
        every = (*self.given.values(), *self.rest)
        return tuple(dict.fromkeys(by for value in every for by in value.sources))

    @property
    def rehearses(self) -> bool:
        return self.has("WhatIf")


@functools.cache
def _cmdlets() -> tuple[Mapping[str, Cmdlet], Mapping[str, str]]:
    """The cmdlets and the aliases, in lower case."""
    known: dict[str, Cmdlet] = {}
    aliases: dict[str, str] = {}
    for name, entry in table_beside(__file__, "cmdlets.yaml").items():
        at, values, switches = (tuple(str(entry.get(part, "")).split()) for part in ("at", "values", "switches"))
        known[name.lower()] = Cmdlet(name, at, values, switches, entry.get("is", ""))
        aliases |= dict.fromkeys(str(entry.get("alias", "")).split(), name.lower())
    return known, aliases


def cmdlet_named(name: str) -> Cmdlet | None:
    """The cmdlet that a name or an alias means; None for a program. A module's name may stand before it."""
    known, aliases = _cmdlets()
    lowered = name.rpartition("\\")[2].lower()
    found = known.get(aliases.get(lowered, lowered))
    if found is None and is_verb_noun(lowered):
        verb, _, noun = name.rpartition("\\")[2].partition("-")
        return Cmdlet(f"{verb[:1].upper()}{verb[1:]}-{noun[:1].upper()}{noun[1:]}")
    return found


def bind(cmdlet: Cmdlet, words: Sequence[Word]) -> Bound:
    """A cmdlet with its words bound to its parameters."""
    bound = Bound(cmdlet)
    positional: list[Value] = []
    at = 0
    while at < len(words):
        word, at = words[at], at + 1
        text = word.value.text
        if not (word.is_bare and text[:1] in "-\u2013\u2014" and text[1:2].isalpha()):
            positional.append(word.value)
            continue
        name, colon, inline = text.partition(":")
        whole = _parameter(cmdlet, name)
        if colon and (inline or at < len(words)):
            given = word.value._replace(texts=(inline,)) if inline else words[at].value
            at += not inline
        elif _takes_value(cmdlet, whole) and at < len(words) and not _is_parameter(words[at]):
            given, at = words[at].value, at + 1
        else:
            given = Value(("",))
        bound.given[whole.removeprefix("-")] = given
    free = [name for name in cmdlet.at if name not in bound.given]
    if "LiteralPath" in bound.given and "Path" in free:
        free.remove("Path")
    bound.given |= dict(zip(free, positional, strict=False))
    bound.rest = positional[len(free) :]
    return bound


def _is_parameter(word: Word) -> bool:
    return word.is_bare and word.value.text[:1] == "-" and word.value.text[1:2].isalpha()


def _parameter(cmdlet: Cmdlet, written: str) -> str:
    """The whole name of a parameter, `-Recurse` for `-rec`; as written if no listed one fits."""
    lowered = "-" + written[1:].lower()
    if short := _SHORT.get(lowered) or _OTHER_NAMES.get(lowered):
        return short
    names = (*cmdlet.at, *cmdlet.values, *cmdlet.switches)
    found = [name for name in names if f"-{name}".lower().startswith(lowered)]
    exact = next((name for name in found if len(name) + 1 == len(lowered)), None)
    if exact or found:
        return f"-{exact or found[0]}"
    common = next((name for name in (*_SWITCHES, *_COMMON) if f"-{name}".lower().startswith(lowered)), None)
    return f"-{common}" if common else f"-{written[1:2].upper()}{written[2:]}"


def _takes_value(cmdlet: Cmdlet, name: str) -> bool:
    bare = name.removeprefix("-")
    if bare in _SWITCHES or bare in cmdlet.switches:
        return False
    if bare in cmdlet.at or bare in cmdlet.values or bare in _COMMON:
        return True
    return name.lower() not in _UNLISTED_SWITCHES
