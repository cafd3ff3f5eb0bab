"""Files whose contents a command passes on, by the model of command lines.

A program that the model does not know reads what it is given, if that is a place of credentials: nobody names such a
file to a program that does nothing with it. An option that names a key, a login or a configuration is for the program
itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from supervisor.evidence import commands
from supervisor.evidence.commands import Line, Role
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.secrets.credentials import Sort, credential_at, may_be_credential
from supervisor.evidence.shell import Command

_FOR_ITSELF = re.compile(
    r"(?i)^-i$|key|cert|cred|conf|ident|auth|env|pass|token|secret|login|profile|vault|account|ssh|netrc|jwt|exclude|ignore|default|setting"
)
_MOST = 256  # words of one command that are compared with the places of credentials


class FileRead(NamedTuple):
    """A word that names a file whose contents go on; `whole`: with all that is below it."""

    word: str
    whole: bool


_QUOTED = re.compile(r"\s[~/]")  # a path inside a text, as in the word 'cat ~/.aws/credentials': it names no file


def files_read(command: Command) -> Iterator[FileRead]:
    """The files whose contents a command passes on: to its output, to a copy, to an archive, over the network."""
    return (each for each in _files_read(command) if not _QUOTED.search(each.word))


def _files_read(command: Command) -> Iterator[FileRead]:
    line = commands.read(command.argv)
    if line is None or not line.program.is_meant:
        yield from () if command.wraps else _given_to_unknown(command, line)
    elif not line.rehearses:
        base = ""
        for each in line.of(Role.READS, Role.TREES, Role.URL, Role.BASE):
            if each.role is Role.BASE:
                base = each.value.rstrip("/") + "/"
            elif each.role is not Role.URL:
                yield FileRead(
                    each.value if each.value.startswith(("/", "~")) else base + each.value, each.role is Role.TREES
                )
            elif each.value.startswith("file://"):
                yield FileRead(each.value.removeprefix("file://"), whole=False)


def _given_to_unknown(command: Command, line: Line | None) -> Iterator[FileRead]:
    for word, option in _values(command, line):
        path = word.removeprefix("@").rpartition("=")[2]
        if path and HOLE not in path and not _FOR_ITSELF.search(option) and may_be_credential(path):
            found = credential_at(command.path(path))
            if found is not None and found.sort is not Sort.PROJECT:  # a project's own files are its tools' daily work
                yield FileRead(path, whole=False)


def _values(command: Command, line: Line | None) -> Iterator[tuple[str, str]]:
    """The values of a command whose meaning is unknown, each with its option or the option before it."""
    if line is not None:
        given = (each for each in line.arguments[:_MOST] if each.role is not Role.USES)
        yield from ((each.value, each.option) for each in given)
        return
    before = ""
    for word in command.args[:_MOST]:
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            yield (value, name) if equals and "/" not in name else (word, before)
        elif equals:
            yield value, name
        before = word if word.startswith("-") and not equals else ""


def _read(command: Command, ground: Ground) -> Iterator[Effect]:
    for word, whole in files_read(command):
        effect = ground.on_path(Act.READ, word, command, whole=whole)
        if (held := ground.held(effect.target, whole=effect.whole).payload) is not None and held.what == "file":
            effect.target, effect.whole = held.path, held.whole
        yield effect


def _names_no_credential(words: Sequence[str]) -> bool:
    """Whether no word of a command can name a credential. A bare name may be in a folder of credentials."""
    return not may_be_credential(" ".join(words)) or not any(map(_may_name, words))


def _may_name(word: str) -> bool:
    if not may_be_credential(word):
        return False
    path = word.rpartition("=")[2].removeprefix("@")
    is_open = "/" not in path or "environ" in path or any(mark in path for mark in "*?[")
    return is_open or credential_at(path, whole=True, ours=False) is not None


READS = Reading(frozenset({Act.READ}), _read, _names_no_credential)
