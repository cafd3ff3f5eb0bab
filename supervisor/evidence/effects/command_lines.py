"""Tables of command lines and their effects.

A line names one or more programs and the words that must all be among its options and operands, in any order:

    iptables|ip6tables -F|--flush
    shutdown !-c

`a|b` is one of several words, `word*` any word with that prefix, `!word` a word that must be absent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from supervisor.evidence import commands
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import Command

_SHOWS = ("--help", "--version", "--dry-run", "-WhatIf")


class _Line(NamedTuple):
    verb: str
    needs: tuple[_Words, ...]
    without: _Words


class _Words(NamedTuple):
    """Alternatives for one word: whole words and prefixes."""

    whole: frozenset[str]
    starts: tuple[str, ...]

    def find(self, words: Iterable[str]) -> str | None:
        return next((word for word in words if word in self.whole or word.startswith(self.starts)), None)

    def may_stand(self, words: Sequence[str]) -> bool:
        """Whether one of the alternatives may be among the words. An option may be part of a cluster (`-xzf`)."""
        return any(name.startswith("-") for name in self.whole) or self.find(words) is not None


def table(act: Act, **lines: str) -> dict[str, Reading]:
    """A reading for each program of a table. `lines` maps each verb (`_` for `-`) to its command lines."""
    known: dict[str, list[_Line]] = {}
    for verb, text in lines.items():
        for line in filter(None, map(str.split, text.splitlines())):
            programs, *words = line
            needs = tuple(_words(word) for word in words if not word.startswith("!"))
            without = _words("|".join(word[1:] for word in words if word.startswith("!")))
            for program in programs.split("|"):
                known.setdefault(program, []).append(_Line(verb.replace("_", "-"), needs, without))
    return {
        program: Reading(frozenset({act}), partial(_read, act, tuple(found)), partial(_is_quiet, tuple(found)))
        for program, found in known.items()
    }


def merged(*tables: Mapping[str, Reading]) -> dict[str, Reading]:
    """One reading for each program of several tables."""
    readings: dict[str, list[Reading]] = {}
    for each in tables:
        for program, reading in each.items():
            readings.setdefault(program, []).append(reading)
    return {program: found[0] if len(found) == 1 else _both(found) for program, found in readings.items()}


def _both(readings: list[Reading]) -> Reading:
    def read(command: Command, ground: Ground) -> Iterator[Effect]:
        for reading in readings:
            yield from reading.read(command, ground)

    def is_quiet(words: Sequence[str]) -> bool:
        return all(reading.is_quiet(words) for reading in readings)

    return Reading(frozenset().union(*(reading.acts for reading in readings)), read, is_quiet)


def is_contained(command: Command) -> bool:
    """Whether the command runs in a container, so that it affects neither this machine nor another host."""
    return command.is_contained


def effect_of(act: Act, verb: str, target: str, command: Command, *, whole: bool = False) -> Effect:
    """An effect that is not on a path."""
    scope = Place.REMOTE if command.remote else Place.SYSTEM
    return Effect(act, target, scope, verb, whole, text=command.text, command=command)


def shows_only(command: Command) -> bool:
    """Whether the command only prints its help, its version or what it would do."""
    line = commands.read(command.argv)
    return any(word in command.args for word in _SHOWS) or (line is not None and line.rehearses)


def _words(text: str) -> _Words:
    words = text.split("|") if text else []
    whole = frozenset(word for word in words if not word.endswith("*"))
    return _Words(whole, tuple(word[:-1] for word in words if word.endswith("*")))


def _is_quiet(lines: tuple[_Line, ...], words: Sequence[str]) -> bool:
    return not any(all(need.may_stand(words) for need in line.needs) for line in lines)


def quiet_without(*names: str) -> Callable[[Sequence[str]], bool]:
    """An `is_quiet` that holds if none of these words is among the arguments."""
    return frozenset(names).isdisjoint


def _read(act: Act, lines: tuple[_Line, ...], command: Command, _: Ground) -> Iterator[Effect]:
    if is_contained(command) or shows_only(command):
        return
    words = dict.fromkeys((*command.args, *command.flags()))
    for line in lines:
        found = [need.find(words) for need in line.needs]
        if None not in found and line.without.find(words) is None:
            target = next((word for word in reversed(command.operands()) if word not in found), "")
            yield effect_of(act, line.verb, target, command)
            return
