"""What tree-sitter's trees of all languages have in common."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from tree_sitter import Language, Node, Parser, Tree

_MOST_SHOWN = 200  # characters of a call


class Code(Protocol):
    """What was parsed."""

    def text(self, node: Node) -> str:
        """What stands there."""

    def is_new(self, node: Node) -> bool:
        """Whether the action brings it, and does not merely show it as the surroundings of an edit."""


C = TypeVar("C", bound=Code)


class WrittenCall(Generic[C]):
    """One call in a program of any language. `name` is qualified, or as written where the code does not tell."""

    def __init__(self, code: C, node: Node, name: str) -> None:
        self.code = code
        self.node = node
        self.name = name

    @property
    def text(self) -> str:
        """The call as written, cut where it is long."""
        text = self.code.text(self.node)
        return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"

    @property
    def method(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    @property
    def is_new(self) -> bool:
        """Whether the action brings this call."""
        return self.code.is_new(self.node)


class Parsers(threading.local):
    """A language's parser, one for each thread: they hold state and may not be shared."""

    def __init__(self, language: Language) -> None:
        self.own = Parser(language)


def parse_in_steps(parser: Parser, source: bytes, most: int) -> Tree | None:
    """The syntax tree of UTF-8 text; None beyond `most` steps of the parser, counted so that a replay agrees.

    (The parser asks its progress callback only where the source is a callable.)
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
    for node in walk(tree):
        if node.type in found:
            found[node.type].append(node)
    return found


def walk(root: Node | Tree) -> Iterator[Node]:
    """A node and all below it, in the order of the text, however deep they are nested."""
    cursor = root.walk()
    while True:
        if cursor.node is not None:
            yield cursor.node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
