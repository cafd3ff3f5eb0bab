"""How far an open segment has come, in a note that only its writer can set back.

Signing the note would cost as much as the record. Instead it shows a token of a hash chain (Lamport, "Password
authentication with insecure communication", 1981). The first record of each block of BLOCK records commits to the end
of a fresh chain, its anchor; after each record the head shows the chain's next token. From a token everybody can work
out those that follow, and nobody those before it: who cuts records away has no head for what is left.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = 64  # records that share a chain
HEAD_BYTES = 12 + 1 + 64 + 1


@dataclass(slots=True)
class Chain:
    """The tokens of a segment's current block that are still to be shown; those shown are forgotten."""

    _tokens: list[bytes] = field(default_factory=list)

    def anchor(self, sequence: int) -> str | None:
        """Begins a block with the record of this number, and says what the record commits to; None within a block."""
        if sequence % BLOCK:
            return None
        tokens = [os.urandom(32)]
        while len(tokens) <= BLOCK:
            tokens.append(hashlib.sha256(tokens[-1]).digest())
        self._tokens = tokens[::-1]
        return self._tokens.pop(0).hex()

    def head(self, records: int) -> bytes:
        """The head after so many records: always the same length, so that it is written in place."""
        return b"%012d %s\n" % (records, self._tokens.pop().hex().encode())


@dataclass(frozen=True, slots=True)
class Head:
    """A head as it was read: so many records, and the token that shows it."""

    records: int
    token: bytes

    @property
    def block(self) -> int:
        """The number of the record that commits to this head's chain."""
        return (self.records - 1) // BLOCK * BLOCK

    def fits(self, anchor: str) -> bool:
        """Whether the token belongs to the chain that ends in this anchor, at its place."""
        token = self.token
        for _ in range(BLOCK - (self.records - 1) % BLOCK):
            token = hashlib.sha256(token).digest()
        return token.hex() == anchor


def read_head(raw: bytes) -> Head | None:
    """A head; None where it is not a whole one."""
    records, _, token = raw.rstrip(b"\n").partition(b" ")
    try:
        head = Head(int(records), bytes.fromhex(token.decode("ascii")))
    except ValueError:
        return None
    return head if head.records > 0 and b"%012d %s\n" % (head.records, head.token.hex().encode()) == raw else None


def head_path(folder: Path, segment: str) -> Path:
    """Where the head of an open segment stands."""
    return folder / f"{segment}.head"
