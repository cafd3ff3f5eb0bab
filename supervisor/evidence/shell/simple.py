"""Splits one simple command into its words, the variables that are set for it, and its redirections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.expansion import Expansion
from supervisor.evidence.shell.state import Shell, Text
from supervisor.evidence.shell.words import is_literal

_JOINED = frozenset(
    {"ansi_c_string", "command_name", "concatenation", "expansion", "number", "raw_string", "simple_expansion"}
    | {"string", "word"}
)


class Simple(NamedTuple):
    """A simple command's parts. `sources` are (index in argv, command whose output that word contains)."""

    argv: list[str]
    sources: list[tuple[int, Command]]
    environment: tuple[tuple[str, str], ...]
    redirects: list[Node]


def parts_of(node: Node, shell: Shell, expansion: Expansion) -> Simple:
    argv: list[str] = []
    sources: list[tuple[int, Command]] = []
    redirects: list[Node] = []
    environment: tuple[tuple[str, str], ...] = ()
    assigned: list[Node] = []
    end = 0
    for child in node.named_children:
        kind, start = child.type, child.start_byte
        if assigned and _is_other_line(shell.source[end:start]):
            for each in assigned:  # `A= B=b` on its own line, which the grammar attaches to the command on the next
                expansion.assign(each, shell)
            environment, assigned = (), []
        if start == end and argv and kind in _JOINED:  # `'a'\b`, which the grammar takes for two words
            join_words(expansion.words(child, shell), argv, sources)
        elif is_literal(kind, word := shell.text(child)):
            argv.append(word)
        elif kind == "variable_assignment":
            given = child.child_by_field_name("value")
            value = expansion.value(given, shell).value if given else ""
            environment = (*environment, (word.partition("=")[0], value))
            assigned.append(child)
        elif kind.endswith("redirect"):
            redirects.append(child)
        else:
            add_words(expansion.words(child, shell), argv, sources)
        end = child.end_byte if kind in _JOINED or assigned else 0
    return Simple(argv, sources, environment, redirects)


def _is_other_line(between: bytes) -> bool:
    return b"\n" in between and b"\\" not in between


def join_words(words: Iterable[Text], argv: list[str], sources: list[tuple[int, Command]]) -> None:
    """Adds words, the first of which continues the last word of argv."""
    for number, (value, origins) in enumerate(words):
        if number:
            argv.append(value)
        else:
            argv[-1] += value
        sources += [(len(argv) - 1, origin) for origin in origins]


def add_words(words: Iterable[Text], argv: list[str], sources: list[tuple[int, Command]]) -> None:
    """Adds words to a command's argv, and the commands whose output they contain to its sources."""
    for value, origins in words:
        sources += [(len(argv), origin) for origin in origins]
        argv.append(value)
