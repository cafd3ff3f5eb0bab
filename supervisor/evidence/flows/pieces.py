"""The pieces of a text that code builds: literal text, and the values in it."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import NamedTuple


class Known(enum.IntEnum):
    """How far the code fixes a value: wholly; not, but it is made here (by a call, a field); not, and it is given."""

    FIXED = 0
    MADE = 1
    GIVEN = 2


class Hole(NamedTuple):
    """A value in a text. `source` is the client's value that it is or holds; `known` says how far the code fixes it;
    `clean` are the weaknesses for which it was made safe."""

    text: str
    source: str | None
    known: Known
    clean: frozenset[str] = frozenset()


Piece = str | Hole
Pieces = tuple[Piece, ...]
EVERYTHING = frozenset({"all"})  # a value that is safe wherever it arrives
FIXED = Hole("0", None, Known.FIXED, EVERYTHING)


def words(pieces: Pieces) -> str:
    """The literal text, with a space for each value."""
    return "".join(piece if isinstance(piece, str) else " " for piece in pieces)


def holes(pieces: Pieces, weakness: str) -> Iterator[tuple[str, Hole, str]]:
    """Each value that is not safe for a weakness, with the text before it, in which NUL stands for a value, and the
    piece of text after it."""
    before = ""
    for place, piece in enumerate(pieces):
        if isinstance(piece, str):
            before += piece
            continue
        following = pieces[place + 1] if place + 1 < len(pieces) else ""
        if weakness not in piece.clean and "all" not in piece.clean:
            yield before, piece, following if isinstance(following, str) else ""
        before += "\0"


def with_clean(pieces: Pieces, clean: frozenset[str]) -> Pieces:
    """The same pieces, whose values are safe for these weaknesses as well."""
    if not clean:
        return pieces
    return tuple(piece if isinstance(piece, str) else piece._replace(clean=piece.clean | clean) for piece in pieces)
