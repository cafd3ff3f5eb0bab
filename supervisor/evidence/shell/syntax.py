"""Parses shell text into a syntax tree, within a time that hostile text cannot stretch."""

from __future__ import annotations

import time

import tree_sitter_bash
from tree_sitter import Language, Node

from supervisor.errors import Unreadable
from supervisor.evidence.syntax_trees import Parsers

MAX_BYTES = 64 * 1024
PARSE_SECONDS = 0.02  # for an action's whole text, scripts within it included

_PARSERS = Parsers(Language(tree_sitter_bash.language()))
# The grammar's scanner looks characters up in a C table that ends at 255 (isalpha and its kin), and reads wild memory
# for those beyond. To a shell they are letters like any other, so the parser is shown a letter for each of their bytes.
_LETTERS_ONLY = bytes(range(128)) + b"x" * 128


def parse(source: bytes, deadline: float) -> Node:
    """The root of the syntax tree, with byte offsets into `source`; its nodes' own `text` is not that of the source.

    Raises Unreadable past `deadline`, a time of `time.monotonic()`. (The parser asks its progress callback only where
    the source is a callable.)
    """
    parser = _PARSERS.own
    shown = source if source.isascii() else source.translate(_LETTERS_ONLY)
    try:
        tree = parser.parse(
            lambda offset, _: shown[offset : offset + 8192],
            encoding="utf8",
            progress_callback=lambda *_: time.monotonic() > deadline,
        )
    except ValueError:
        parser.reset()
        raise Unreadable(f"the shell script was not parsed within {PARSE_SECONDS * 1000:.0f} ms") from None
    return tree.root_node
