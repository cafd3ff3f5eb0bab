"""The text that Python code writes to a file that it opens, as far as it is known before the code runs."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.texts import texts_of
from supervisor.evidence.python.values import values_of
from supervisor.evidence.reading.paths import HOLE

_MOST_WRITES = 64  # of one module that are read
_WRITERS = ("write", "writelines", "print", "dump")


def text_written(opened: Call) -> str | None:
    """All text that is written to the file that a call of `open` opens, one piece a line; None if it is not known."""
    texts = [text for node in _given(opened) for text in texts_of(opened.code, node)]
    return "\n".join(text.strip("\n") for text in texts) if texts and any(text.strip(HOLE) for text in texts) else None


def _given(opened: Call) -> Iterator[Node]:
    for number, call in enumerate(opened.code.calls_of(_WRITERS)):
        if number >= _MOST_WRITES:
            return
        if _is_to(call, opened):
            yield from (each for node in call.positional for each in _items(node))


def _is_to(call: Call, opened: Call) -> bool:
    """Whether a call writes to the opened file: `open(…).write(…)`, `f.write(…)`, `print(…, file=f)`."""
    function = call.node.child_by_field_name("function")
    file = function.child_by_field_name("object") if function is not None else None
    if call.method in ("print", "dump"):
        file = call.argument(1, "fp") if call.method == "dump" else call.keywords.get("file")
    return file is not None and any(each == opened.node for each in _values(opened.code, file))


def _values(module: Module, node: Node) -> list[Node]:
    return (values_of(module, node) or []) if node.type == "identifier" else [node]


def _items(node: Node) -> list[Node]:
    return node.named_children if node.type in ("list", "tuple") else [node]
