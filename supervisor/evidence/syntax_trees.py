"""What tree-sitter's trees of all languages have in common."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from tree_sitter import Language, Node, Parser, Tree


class Parsers(threading.local):
    """A language's parser, one for each thread: they hold state and may not be shared."""

    def __init__(self, language: Language) -> None:
        self.own = Parser(language)


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
