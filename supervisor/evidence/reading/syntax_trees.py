"""What the tree-sitter trees of all languages share."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from tree_sitter import Language, Node, Parser, Tree

_MOST_SHOWN = 200  # characters of a call


class Code(Protocol):
    """Parsed source text."""

    def text(self, node: Node) -> str:
        """The source text of a node."""

    def is_new(self, node: Node) -> bool:
        """Whether the action adds the node, and does not merely contain it as context of an edit."""


C = TypeVar("C", bound=Code)


class WrittenCall(Generic[C]):
    """One call in a program of any language. `name` is qualified, or as written if the code does not resolve it."""

    def __init__(self, code: C, node: Node, name: str) -> None:
        self.code = code
        self.node = node
        self.name = name

    @property
    def text(self) -> str:
        """The call as written, cut if it is long."""
        text = self.code.text(self.node)
        return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"

    @property
    def method(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    @property
    def is_new(self) -> bool:
        """Whether the action adds this call."""
        return self.code.is_new(self.node)


class Parsers(threading.local):
    """A language's parser, one for each thread: a parser holds state and may not be shared."""

    def __init__(self, language: Language) -> None:
        self.own = Parser(language)


def parse_in_steps(parser: Parser, source: bytes, most: int) -> Tree | None:
    """The syntax tree of UTF-8 text; None beyond `most` steps of the parser.

    Steps are counted, not time, so that a replay reaches the same result. (The parser calls its progress callback only
    if the source is a callable.)
    """
    steps = iter(range(most))
    try:
        return parser.parse(
            lambda offset, _: source[offset:],
            encoding="utf8",
            progress_callback=lambda *_: next(steps, None) is None,
        )
    except ValueError:
        parser.reset()
        return None


def nodes_of(tree: Tree, kinds: Iterable[str]) -> dict[str, list[Node]]:
    """The nodes of each kind, in order. A walk: tree-sitter's queries take quadratic time on broken code."""
    found: dict[str, list[Node]] = {kind: [] for kind in kinds}
    by_number = {number: found[kind] for number, kind in _numbers(tree.language, frozenset(found))}
    for node in walk(tree):
        nodes = by_number.get(node.kind_id)
        if nodes is not None:
            nodes.append(node)
    return found


@functools.cache
def _numbers(language: Language, kinds: frozenset[str]) -> tuple[tuple[int, str], ...]:
    """The numbers of kinds of nodes; a node's kind as text is made anew for each node. One kind may have several."""
    named = ((number, language.node_kind_for_id(number)) for number in range(language.node_kind_count))
    return tuple((number, kind) for number, kind in named if kind in kinds)


def walk(root: Node | Tree) -> Iterator[Node]:
    """A node and all nodes below it, in the order of the text, at any depth."""
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None:
            yield node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
