"""The text of a value in JavaScript, as far as the code determines it; a HOLE stands for what only run time shows."""

from __future__ import annotations

import base64
import re

from tree_sitter import Node

from supervisor.evidence.javascript.programs import Program
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.paths import HOLE

MAX_DEPTH = 12  # names and joins through which a value is followed
_JOINS = frozenset({"path.join", "path.resolve", "path.posix.join", "path.posix.resolve"})
_FIXED = {"os.homedir": "~", "process.cwd": ".", "os.tmpdir": "/tmp"}
_CODE_POINT = re.compile(r"\d{1,5}")
_NAMES = {"process.env.HOME": "~", "__dirname": ".", "import.meta.dirname": "."}


def text_of(program: Program, node: Node | None, depth: int = 0) -> str:
    """The text of a value: of a literal, a join, a path, or a name with such a value."""
    if node is None or depth > MAX_DEPTH:
        return HOLE
    if node.type == "string":
        return program.string(node)
    if node.type == "template_string":
        return _template(program, node, depth + 1)
    if node.type == "binary_expression":
        return "".join(text_of(program, each, depth + 1) for each in node.named_children) if _adds(node) else HOLE
    if node.type == "parenthesized_expression" and node.named_children:
        return text_of(program, node.named_children[0], depth + 1)
    if node.type == "call_expression":
        return _called(program, node, depth + 1)
    if node.type == "identifier" and (value := program.values.get(program.text(node))) is not None:
        return text_of(program, value, depth + 1)
    return _NAMES.get(program.name_of(node), HOLE)


def _adds(node: Node) -> bool:
    operator = node.child_by_field_name("operator")
    return operator is not None and operator.type == "+"


def _template(program: Program, node: Node, depth: int) -> str:
    pieces: list[str] = []
    for child in node.named_children:
        inside = child.named_children
        if child.type == "template_substitution":
            pieces.append(text_of(program, inside[0], depth) if inside else HOLE)
        else:
            pieces.append(ansi_c(program.text(child)))
    return "".join(pieces)


def _called(program: Program, node: Node, depth: int) -> str:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    name = program.name_of(function) if function is not None else "?"
    if name in _JOINS and arguments is not None:
        parts = [text_of(program, each, depth) for each in arguments.named_children]
        starts = [at for at, part in enumerate(parts) if part.startswith(("/", "~")) and name.endswith("resolve")]
        return "/".join(parts[starts[-1] if starts else 0 :])
    if name in ("String.fromCharCode", "String.fromCodePoint") and arguments is not None:
        numbers = [program.text(each) for each in arguments.named_children]
        return "".join(chr(int(n)) for n in numbers) if all(map(_CODE_POINT.fullmatch, numbers)) else HOLE
    if name == "atob" and arguments is not None and arguments.named_children:
        return _decoded(text_of(program, arguments.named_children[0], depth))
    return _FIXED.get(name, HOLE)


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text).decode()
    except ValueError:
        return HOLE
