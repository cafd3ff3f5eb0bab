"""Turns the nodes of a shell's syntax tree into words: quotes off, variables in, substitutions run.

What only running tells becomes a HOLE. A value never grows past a limit, so that `A=$A$A` stays harmless.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.paths import HOLE, resolve
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.words import BREAK, ansi_c, braces, is_literal, split, unescaped

_LONGEST_VALUE = 64 * 1024
_IN_QUOTES = '$`"\\\n'  # what a backslash escapes between double quotes
_IN_HEREDOC = "$`\\\n"
_EXPANDED = frozenset({"simple_expansion", "expansion", "command_substitution"})


class Text(NamedTuple):
    """A value, and the commands whose output stands in it."""

    value: str
    sources: tuple[Command, ...] = ()


class Flow(NamedTuple):
    """What arrives on standard input: who writes it, and the text where the script holds it."""

    upstream: tuple[Command, ...] = ()
    text: str | None = None


_NO_INPUT = Flow()
_KNOWN = {"HOME": Text("~"), "TMPDIR": Text("/tmp"), "IFS": Text(" \t\n")}  # noqa: S108


@dataclass(slots=True)
class Shell:
    """One shell's state while its script is walked. A subshell works on a fork of it."""

    cwd: str
    variables: dict[str, Text]
    source: bytes = b""
    stdin: Flow = _NO_INPUT
    wrappers: tuple[str, ...] = ()
    remote: bool = False
    looping: bool = False
    functions: dict[str, tuple[Node, bytes]] = field(default_factory=dict)
    calling: frozenset[str] = frozenset()

    def fork(self) -> Shell:
        return Shell(
            self.cwd,
            self.variables.copy(),
            self.source,
            self.stdin,
            self.wrappers,
            self.remote,
            self.looping,
            self.functions,
            self.calling,
        )

    def text(self, node: Node) -> str:
        """The source text of a node of this shell's script."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def change_directory(self, operands: Sequence[str]) -> None:
        target = operands[0] if operands else "~"
        self.cwd = HOLE if target == "-" or target.startswith("+") else resolve(target, self.cwd)

    def forget(self, names: Sequence[str]) -> None:
        self.variables |= dict.fromkeys(names, Text(HOLE))

    def value_of(self, name: str) -> Text:
        """A variable's value; a HOLE where the script does not set it."""
        if name == "PWD":
            return Text(self.cwd if self.cwd.startswith(("/", "~")) else HOLE)
        return self.variables.get(name) or Text(HOLE)


def start_shell(cwd: str | None) -> Shell:
    """The shell that an action's command starts in."""
    return Shell(resolve(cwd) if cwd else ".", _KNOWN.copy())


class Expansion:
    """Expands words. `run` walks a substitution's commands and returns them."""

    def __init__(self, run: Callable[[Node, Shell], Sequence[Command]]) -> None:
        self._run = run

    def words(self, node: Node, shell: Shell) -> list[Text]:
        """The words that one node becomes: none, one, or several where an expansion is split or braces are spelt."""
        kind = node.type
        if kind == "command_name" and node.children:
            node = node.children[0]
            kind = node.type
        raw = shell.text(node)
        if is_literal(kind, raw):
            return [Text(raw)]
        sources: list[Command] = []
        value = self._expand(node, shell, sources)
        if BREAK in value:
            found = [word for word in value.split(BREAK) if word]
        elif not value and kind in _EXPANDED:
            found = []
        elif "{" in raw and kind in ("word", "concatenation"):
            found = braces(value)
        else:
            found = [value]
        if raw[:1] in "'\"" and not shell.wrappers and found and raw[1:2] == "~":
            found[0] = f"./{found[0]}"  # a quoted ~ is the name of a file, not a home
        origins = tuple(sources)
        return [Text(word, origins) for word in found]

    def all_words(self, nodes: Sequence[Node], shell: Shell) -> list[Text]:
        """The words that several nodes become, in order."""
        return [text for node in nodes for text in self.words(node, shell)]

    def value(self, node: Node, shell: Shell) -> Text:
        """What one node becomes where nothing is split: the value of an assignment, a here-string."""
        sources: list[Command] = []
        return Text(self._expand(node, shell, sources).replace(BREAK, " "), tuple(sources))

    def assign(self, node: Node, shell: Shell) -> None:
        """`NAME=value` and `NAME+=value` on their own."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None:
            return
        text = self.value(value, shell) if value else Text("")
        known = shell.text(name)
        if any(child.type == "+=" for child in node.children):
            before = shell.value_of(known)
            text = Text(before.value + text.value, before.sources + text.sources)
        shell.variables[known] = text if len(text.value) <= _LONGEST_VALUE else Text(HOLE, text.sources)

    def heredoc(self, node: Node, shell: Shell) -> str:
        """The text of a here-document; expanded unless its delimiter is quoted."""
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if start is None or body is None:
            return ""
        quoted = any(mark in shell.text(start) for mark in "'\"\\")
        text = shell.text(body) if quoted else self._between(body, shell, [], body.start_byte, _IN_HEREDOC)
        if node.children[0].type == "<<-":
            text = "\n".join(line.lstrip("\t") for line in text.split("\n"))
        return text

    def _expand(self, node: Node, shell: Shell, sources: list[Command], quoted: bool = False) -> str:
        kind = node.type
        if kind == "raw_string":
            return shell.text(node)[1:-1]
        if kind == "string":
            return self._between(node, shell, sources, node.start_byte + 1, _IN_QUOTES).removesuffix('"')
        if kind in ("concatenation", "translated_string"):
            return "".join([self._expand(child, shell, sources) for child in node.named_children])
        if kind in ("simple_expansion", "expansion"):
            text = self._parameter(node, shell, sources)
            sources += text.sources
            return text.value if quoted else split(text.value)
        if kind in ("command_substitution", "process_substitution", "arithmetic_expansion", "array"):
            return self._substitution(node, shell, sources, quoted)
        raw = shell.text(node)
        return ansi_c(raw[2:-1]) if kind == "ansi_c_string" else unescaped(raw)

    def _between(self, node: Node, shell: Shell, sources: list[Command], start: int, escaped: str) -> str:
        """Quoted text with its expansions in place; what lies between them is kept byte by byte."""
        pieces: list[str] = []
        for child in node.named_children:
            if child.type in ("string_content", "heredoc_content"):
                continue
            pieces.append(unescaped(shell.source[start : child.start_byte].decode("utf-8", "replace"), escaped))
            pieces.append(self._expand(child, shell, sources, quoted=True))
            start = child.end_byte
        pieces.append(unescaped(shell.source[start : node.end_byte].decode("utf-8", "replace"), escaped))
        return "".join(pieces)

    def _parameter(self, node: Node, shell: Shell, sources: list[Command]) -> Text:
        """`$NAME`, `${NAME}`, and of the operators `${NAME:-default}`; the others make a HOLE."""
        raw = shell.text(node)
        if not raw.startswith("${"):
            return shell.value_of(raw[1:])
        name, *rest = node.children[1:]  # behind the `${`; the last is the `}`
        if name.type not in ("variable_name", "special_variable_name"):
            return Text(HOLE)
        value = shell.value_of(shell.text(name))
        if len(rest) < 2 or rest[0].type in (":?", "?"):
            return value
        operands = [self._expand(child, shell, sources, quoted=True) for child in rest[1:] if child.is_named]
        if rest[0].type not in (":-", "-", ":=", "="):
            return Text(HOLE, value.sources)
        return Text("".join(operands)) if value.value in (HOLE, "") else value

    def _substitution(self, node: Node, shell: Shell, sources: list[Command], quoted: bool) -> str:
        """A substitution's output where the script tells it, else a HOLE."""
        ran = self._run(node, shell)
        sources += ran
        printed = static_output(ran[0]) if node.type == "command_substitution" and len(ran) == 1 else None
        if printed is None:
            return HOLE
        return printed.rstrip("\n") if quoted else split(printed.rstrip("\n"))


def static_output(command: Command) -> str | None:
    """What a command prints, where the script itself tells (`echo rm -rf / | sh`); None where it does not."""
    match command.argv:
        case ("echo", *words):
            while words and words[0] in ("-n", "-e", "-ne", "-en", "-E"):
                words = words[1:]
            return " ".join(words) + "\n"
        case ("printf", form, *words) if form.count("%") == form.count("%s"):
            return form.replace("%s", " ".join(words)).replace("\\n", "\n")
        case ("cat",) | ("cat", "-") | ("tee", *_):
            return command.stdin
        case ("pwd", *_):
            return command.cwd if command.cwd.startswith(("/", "~")) else HOLE
        case ("base64", "-d" | "-D" | "--decode") if command.stdin is not None:
            try:
                return base64.b64decode(command.stdin, validate=False).decode("utf-8")
            except (binascii.Error, UnicodeDecodeError):
                return None
    return None
