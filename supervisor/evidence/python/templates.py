"""Text that code builds: its literal parts, and where values are inserted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.python.modules import Module
from supervisor.evidence.python.values import followed, values_of

MAX_PIECES = 200  # of one text
MAX_TEXTS = 16  # of one name
MAX_DEPTH = 6  # nested formatted texts

Piece = str | Node

_PERCENT = re.compile(r"%(?:\((\w{1,64})\))?[-#0+ ]{0,4}[0-9]{0,4}(?:\.[0-9]{1,4})?([sdifrxegac%])")
_BRACES = re.compile(r"\{\{|\}\}|\{(\w{0,64})[^{}:!]{0,64}(?:![rsa])?(?::([^{}]{0,64}))?\}")
_NUMBERS = tuple("difxeg")
_WRAPPERS = frozenset({"dedent", "text", "str", "gettext", "ugettext", "_", "TextClause"})
_TRIMMING = frozenset({"casefold", "encode", "lower", "lstrip", "rstrip", "strip", "title", "upper"})


class Template(NamedTuple):
    """A text as pieces: literal text, and the expressions inserted in it."""

    pieces: tuple[Piece, ...]

    @property
    def words(self) -> str:
        """The literal text, with a space for each inserted value."""
        return "".join(piece if isinstance(piece, str) else " " for piece in self.pieces)

    def holes(self) -> Iterator[tuple[str, Node]]:
        """Each inserted expression with the text before it, in which NUL stands for a value."""
        before = ""
        for piece in self.pieces:
            if isinstance(piece, str):
                before += piece
            else:
                yield before, piece
                before += "\0"


def templates_of(module: Module, node: Node) -> list[Template]:
    """The texts that an expression, or a name by its values, may be. An unknown value is a hole."""
    pending, seen, found = [node], set[int](), list[Template]()
    while pending and len(found) < MAX_TEXTS and len(seen) < MAX_PIECES:
        here = pending.pop(0)
        if here.id in seen:
            continue
        seen.add(here.id)
        values = values_of(module, here) if here.type == "identifier" else None
        if values:
            pending.extend(values)
        elif here.type == "conditional_expression":
            pending.extend([here.named_children[0], here.named_children[-1]])
        else:
            found.append(template_of(module, here))
    return found


def template_of(module: Module, node: Node, depth: int = 0) -> Template:
    """One expression as a template."""
    pending: list[Piece] = [node]
    pieces: list[Piece] = []
    opened: set[int] = set()
    while pending and len(pieces) < MAX_PIECES:
        here = pending.pop(0)
        module.follow()
        inside = None if isinstance(here, str) or here.id in opened else _opened(module, here, depth)
        if isinstance(here, str) or inside is None:
            pieces.append(here)
        else:
            opened.add(here.id)
            pending[:0] = inside
    return Template(tuple(pieces))


def _opened(module: Module, node: Node, depth: int) -> Sequence[Piece] | None:
    """The pieces of an expression; None if it is a value."""
    if node.type == "string":
        return _of_string(module, node)
    if node.type in ("concatenated_string", "parenthesized_expression", "await"):
        return [child for child in node.named_children if child.type != "comment"]
    if node.type == "binary_operator":
        return _of_operator(module, node, depth)
    if node.type == "call":
        return _of_call(module, node, depth)
    if node.type == "identifier":
        value = followed(module, node)
        return [value] if value is not None and value != node and value.type in _PUT_TOGETHER else None
    return None


_PUT_TOGETHER = frozenset({"binary_operator", "call", "concatenated_string", "parenthesized_expression", "string"})


def _of_string(module: Module, node: Node) -> list[Piece]:
    pieces: list[Piece] = []
    for child in node.children:
        if child.type == "string_content":
            pieces.append(module.text(child))
        elif child.type == "interpolation" and child.named_children:
            is_number = module.text(child).rstrip("}").endswith((":d", ":f", "d}", ":x")) and ":" in module.text(child)
            pieces.append("0" if is_number else child.named_children[0])
    return pieces


def _of_operator(module: Module, node: Node, depth: int) -> Sequence[Piece] | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return None
    if operator.type == "+":
        return [left, right]
    words = _literal(module, left, depth) if operator.type == "%" else None
    if words is None:
        return None
    values = right.named_children if right.type == "tuple" else [right]
    named = _pairs(module, right) if right.type == "dictionary" else {}
    return _filled(_PERCENT, words, values, named)


def _of_call(module: Module, node: Node, depth: int) -> Sequence[Piece] | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    method = module.name_of(function).rpartition(".")[2]
    given = [child for child in arguments.named_children if child.type != "comment"]
    receiver = function.child_by_field_name("object")
    if method in _WRAPPERS and len(given) >= 1:
        return given[:1]
    if receiver is None:
        return None
    if method in _TRIMMING:
        return [receiver]
    words = _literal(module, receiver, depth) if method in ("format", "join") else None
    if words is None:
        return None
    if method == "join":
        return _joined(words, given)
    positional = [child for child in given if child.type != "keyword_argument"]
    keywords = {
        module.text(child.named_children[0]): child.named_children[-1] for child in given if child not in positional
    }
    return _filled(_BRACES, words, positional, keywords)


def _joined(words: str, given: Sequence[Node]) -> Sequence[Piece] | None:
    parts = given[0].named_children if given and given[0].type in ("list", "tuple") else []
    return [piece for part in parts for piece in (part, words)][:-1] if parts else None


def _literal(module: Module, node: Node, depth: int) -> str | None:
    """The literal text of a format; None if it is unknown."""
    if depth == MAX_DEPTH:
        return None
    template = template_of(module, node, depth + 1)
    return template.words if any(isinstance(piece, str) for piece in template.pieces) else None


def _pairs(module: Module, node: Node) -> dict[str, Node]:
    pairs = [child.named_children for child in node.named_children if child.type == "pair"]
    return {module.text(pair[0]).strip("\"'"): pair[-1] for pair in pairs if len(pair) > 1}


def _filled(marks: re.Pattern[str], words: str, values: Sequence[Node], named: dict[str, Node]) -> list[Piece]:
    """A format's text with a value at each mark: by name, by index, or in turn."""
    pieces: list[Piece] = []
    turn = end = 0
    for mark in marks.finditer(words):
        name, form = mark.group(1), mark.group(2) or ""
        if mark.group() in ("%%", "{{", "}}"):
            continue
        place = int(name) if name and name.isdecimal() and len(name) < 4 else turn
        value = named.get(name) if name and not name.isdecimal() else values[place] if place < len(values) else None
        value = value if value is not None else next(iter(values), None)
        turn += not name
        pieces.append(words[end : mark.start()])
        pieces.append("0" if value is None or form.endswith(_NUMBERS) else value)
        end = mark.end()
    return [*pieces, words[end:], *(values[:1] if not pieces else ())]
