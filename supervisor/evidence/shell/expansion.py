"""Turns the nodes of a shell's syntax tree into words: removes quotes, expands variables, runs substitutions.

What is known only at run time becomes a HOLE. Values never grow past a limit, so that `A=$A$A` stays harmless.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tree_sitter import Node

from supervisor.errors import Unreadable
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.builtins import array
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.parameters import Shape, changed, element, length, shape_of
from supervisor.evidence.shell.printed import printed
from supervisor.evidence.shell.state import Shell, Text
from supervisor.evidence.shell.syntax import MAX_BYTES
from supervisor.evidence.shell.words import BACKSLASH, BREAK, braces, is_literal, split, unescaped

MAX_GIVEN = 4 * MAX_BYTES  # characters of long words and values in one walk
MAX_DEPTH = 1024  # nested expansions; a quoted substitution counts as two
_LONG = 1024  # characters from which a value counts as long
_IN_QUOTES = '$`"\\\n'  # what a backslash escapes between double quotes
_IN_HEREDOC = "$`\\\n"
_BACKQUOTED = re.compile(r"\\.|`((?:[^`\\]|\\[\s\S])*+)`")
_EXPANDED = frozenset({"simple_expansion", "expansion", "command_substitution"})


def _has_brace(concatenation: Node) -> bool:
    """Whether there is a brace outside quotes."""
    return any(child.type == "word" and b"{" in (child.text or b"") for child in concatenation.children) or any(
        child.type == "{" for child in concatenation.children
    )


class Expansion:
    """Expands words. `run` walks a substitution's commands and returns them; `within` walks a script; `given` is called
    with each variable that is assigned and its value."""

    def __init__(
        self,
        run: Callable[[Node, Shell], Sequence[Command]],
        within: Callable[[str, Shell], None],
        given: Callable[[str, str, Shell], None],
    ) -> None:
        self._run = run
        self._within = within
        self._on_assignment = given
        self._total = 0
        self._depth = 0

    def words(self, node: Node, shell: Shell) -> list[Text]:
        """The words that one node becomes: none, one, or several if an expansion is split or braces are expanded."""
        kind = node.type
        if kind == "command_name" and node.children:
            node = node.children[0]
            kind = node.type
        raw = shell.text(node)
        if is_literal(kind, raw):
            return [Text(raw)]
        sources: list[Command] = []
        value = self._counted(self._expand(node, shell, sources))
        if BREAK in value:
            found = [word for word in value.split(BREAK) if word]
        elif not value and kind in _EXPANDED:
            found = []
        elif "{" in raw and (kind == "word" or (kind == "concatenation" and _has_brace(node))):
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
        """What one node becomes without word splitting: the value of an assignment, a here-string."""
        sources: list[Command] = []
        return Text(self._counted(self._expand(node, shell, sources)).replace(BREAK, " "), tuple(sources))

    def _counted(self, value: str) -> str:
        """Counts a value that is given to a word or a variable. Raises Unreadable if all together exceed MAX_GIVEN."""
        if len(value) > _LONG:
            self._total += len(value)
            if self._total > MAX_GIVEN:
                raise Unreadable(f"a shell script whose values come to more than {MAX_GIVEN:,} characters")
        return value

    def assign(self, node: Node, shell: Shell) -> None:
        """`NAME=value` and `NAME+=value` on their own."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None:
            return
        text = self._assigned(value, shell) if value else Text("")
        variable = shell.text(name)
        if name.type == "subscript":
            self._run(name, shell)
            return
        if node.child_count > 1 and node.children[1].type == "+=":
            before = shell.value_of(variable)
            text = Text(self._counted(before.value + text.value), before.sources + text.sources)
        shell.variables[variable] = text
        self._on_assignment(variable, text.value, shell)

    def _assigned(self, node: Node, shell: Shell) -> Text:
        """The value of an assignment; an array's words stay separate."""
        if node.type != "array":
            return self.value(node, shell)
        sources: list[Command] = []
        return Text(self._expand(node, shell, sources), tuple(sources))

    def heredoc(self, node: Node, shell: Shell) -> Text:
        """The text of a here-document; expanded unless its delimiter is quoted."""
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if start is None or body is None:
            return Text("")
        sources: list[Command] = []
        if any(mark in shell.text(start) for mark in "'\"\\"):
            text = shell.text(body).replace(BACKSLASH, "\\")
        else:
            text = self._between(body, shell, sources, body.start_byte, _IN_HEREDOC)
            if "`" in (raw := shell.text(body)):
                text = self._backquoted(raw, text, shell)
            text = text.replace(f"{BACKSLASH}\\", "\\").replace(BACKSLASH, "\\")
        if node.children[0].type == "<<-":
            text = "\n".join(line.lstrip("\t") for line in text.split("\n"))
        return Text(text, tuple(sources))

    def _backquoted(self, raw: str, text: str, shell: Shell) -> str:
        """Runs the backquoted parts of a here-document, which the grammar takes for text; HOLEs replace them."""
        for found in _BACKQUOTED.finditer(raw):
            if found[1] and (script := unescaped(found[1], "$`\\")).strip():
                self._within(script, shell.fork())
        return _BACKQUOTED.sub(lambda found: HOLE if found[1] else "" if found[1] is not None else found[0], text)

    def _expand(self, node: Node, shell: Shell, sources: list[Command], quoted: bool = False) -> str:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Unreadable(f"shell words nested deeper than {MAX_DEPTH} levels")
        text = self._expanded(node, shell, sources, quoted)
        self._depth -= 1
        return text

    def _expanded(self, node: Node, shell: Shell, sources: list[Command], quoted: bool) -> str:
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
            return text.value if quoted else split(text.value, shell.value_of("IFS").value)
        if kind in ("command_substitution", "process_substitution", "arithmetic_expansion", "array"):
            return self._substitution(node, shell, sources, quoted)
        raw = shell.text(node)
        return ansi_c(raw[2:-1]) if kind == "ansi_c_string" else unescaped(raw)

    def _between(self, node: Node, shell: Shell, sources: list[Command], start: int, escaped: str) -> str:
        """Quoted text with its expansions resolved; the text between them is kept byte by byte."""
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
        """The value of `$NAME` or `${NAME}` after its operators, as far as the text determines it."""
        raw = shell.text(node)
        if raw[1:2].isdigit():  # `$1m` is `$1` and an m
            return Text(shell.value_of(raw[1]).value + raw[2:])
        if not raw.startswith("${"):
            return shell.value_of(raw[1:])
        shape = shape_of(raw)
        if shape is None:
            return Text(HOLE)
        whole = shell.value_of(shape.name)
        value = element(whole.value, shape.subscript) if whole.value != HOLE else HOLE
        if shape.counts:
            return Text(length(value), whole.sources)
        if shape.indirect:
            return shell.value_of(value) if value.isidentifier() and not shape.operator else Text(HOLE, whole.sources)
        if not shape.operator or shape.operator in (":?", "?"):
            return Text(value, whole.sources)
        return self._operated(node, shell, sources, shape, Text(value, whole.sources))

    def _operated(self, node: Node, shell: Shell, sources: list[Command], shape: Shape, text: Text) -> Text:
        start = node.start_byte + len(shell.text(node)[: shape.end].encode())
        operand_nodes = [child for child in node.named_children if child.start_byte >= start]
        operand = self._joined(operand_nodes, shell, sources, start, node.end_byte - 1)
        if shape.operator in (":-", "-", ":=", "="):
            if text.value not in (HOLE, ""):
                return text
            if shape.operator.endswith("="):
                shell.variables[shape.name] = Text(operand)
            return Text(operand)
        if shape.operator in (":+", "+"):
            if not operand:
                return Text("")
            return Text(operand if text.value not in (HOLE, "") else text.value, text.sources)
        first = BREAK + shell.value_of("0").value if shape.operator == ":" and shape.name in "@*" else ""
        return Text(changed(first + text.value, shape.operator, operand), text.sources)

    def _joined(self, nodes: Sequence[Node], shell: Shell, sources: list[Command], start: int, end: int) -> str:
        """An operand's text with its expansions resolved and its quotes removed."""
        pieces: list[str] = []
        for child in nodes:
            pieces.append(unescaped(shell.source[start : child.start_byte].decode("utf-8", "replace")))
            pieces.append(self._expand(child, shell, sources, quoted=True))
            start = max(start, child.end_byte)
        pieces.append(unescaped(shell.source[start:end].decode("utf-8", "replace")) if start < end else "")
        return "".join(pieces)

    def _substitution(self, node: Node, shell: Shell, sources: list[Command], quoted: bool) -> str:
        """A substitution's output if the script determines it, else a HOLE."""
        if node.type == "array":
            words = self.all_words(node.named_children, shell)
            sources += [source for word in words for source in word.sources]
            return array([word.value for word in words]).value
        ran = self._run(node, shell)
        sources += ran
        text = printed(ran) if node.type == "command_substitution" else None
        if text is None:
            return HOLE
        return text.rstrip("\n") if quoted else split(text.rstrip("\n"), shell.value_of("IFS").value)
