"""One shell's state while its script is walked: its directory, its variables, its standard input."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.reading.paths import HOLE, resolve
from supervisor.evidence.shell.commands import Command


class Text(NamedTuple):
    """A value, and the commands whose output it contains. In an array, a BREAK precedes each word."""

    value: str
    sources: tuple[Command, ...] = ()


class Flow(NamedTuple):
    """Standard input: the commands that write it, and its text if the script contains it."""

    upstream: tuple[Command, ...] = ()
    text: str | None = None


class Opened(NamedTuple):
    """What a numbered descriptor leads to: a file, or what a process substitution prints."""

    target: str
    flow: Flow = Flow()


# Variables of the environment by which programs get secrets: their names end so.
SECRET_VARIABLE = re.compile(
    r"(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY|SECRET_KEY|CREDENTIALS)$"
)
_NO_INPUT = Flow()
_NONE_OPENED: Mapping[str, Opened] = MappingProxyType({})
_UNKNOWN = Text(HOLE)
_KNOWN = {
    "HOME": Text("~"),
    "TMPDIR": Text("/tmp"),
    "IFS": Text(" \t\n"),
    "SHELL": Text("/bin/bash"),
    "BASH": Text("/bin/bash"),
    "0": Text("bash"),
}


@dataclass(slots=True)
class Shell:
    """The state of a shell; a subshell works on a fork of it.

    `left` is the stack of `pushd`, `exported` the variables in every command's environment, `turns` the product of the
    iterations of the loops around, `sink` the group, wrapper or `exec` through whose redirections its output goes,
    `descriptors` what is open beside standard input and the two outputs.
    """

    cwd: str
    variables: dict[str, Text]
    source: bytes = b""
    stdin: Flow = _NO_INPUT
    wrappers: tuple[str, ...] = ()
    remote: bool = False
    mounts: tuple[tuple[str, str], ...] | None = None
    turns: int = 1
    functions: dict[str, tuple[Node, bytes]] = field(default_factory=dict)
    calling: frozenset[str] = frozenset()
    aliases: dict[str, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    exported: tuple[tuple[str, str], ...] = ()
    sink: Command | None = None
    descriptors: Mapping[str, Opened] = field(default_factory=lambda: _NONE_OPENED)

    def fork(self) -> Shell:
        return Shell(
            self.cwd,
            self.variables.copy(),
            self.source,
            self.stdin,
            self.wrappers,
            self.remote,
            self.mounts,
            self.turns,
            self.functions,
            self.calling,
            self.aliases,
            self.left,
            self.exported,
            self.sink,
            self.descriptors,
        )

    def text(self, node: Node) -> str:
        """The source text of a node of this shell's script."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def value_of(self, name: str) -> Text:
        """A variable's value; a HOLE if the script does not set it. A secret is what `printenv API_TOKEN` prints."""
        if name == "PWD":
            return Text(self.cwd if self.cwd.startswith(("/", "~")) else HOLE)
        known = self.variables.get(name)
        if known is None and SECRET_VARIABLE.search(name):
            return Text(HOLE, (Command(("printenv", name), f"printenv {name}", self.cwd),))
        return known or _UNKNOWN


def start_shell(cwd: str | None) -> Shell:
    """The shell that an action's command starts in."""
    return Shell(resolve(cwd) if cwd else ".", _KNOWN.copy())
