"""The head: the length of an open segment, in a small file that only the segment's writer can set back.

Signing the head would cost as much as the record. Instead it contains a token of a hash chain (Lamport, "Password
authentication with insecure communication", 1981). The first record of each block of BLOCK records commits to the end
of a fresh chain, its anchor; after each record the head contains the chain's next token. Later tokens can be computed
from earlier ones, but not the reverse. So nobody who cuts off records can compute the head for the rest.
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
    """The tokens of a segment's current block that the head has not contained yet; used tokens are deleted."""

    _tokens: list[bytes] = field(default_factory=list)

    def anchor(self, sequence: int) -> str | None:
        """Begins a block if the record of this number is the first of one: the anchor it commits to, else None."""
        if sequence % BLOCK:
            return None
        tokens = [os.urandom(32)]
        while len(tokens) <= BLOCK:
            tokens.append(hashlib.sha256(tokens[-1]).digest())
        self._tokens = tokens[::-1]
        return self._tokens.pop(0).hex()

    def head(self, records: int) -> bytes:
        """The head after so many records. Its length is always HEAD_BYTES, so that it can be overwritten in place."""
        return b"%012d %s\n" % (records, self._tokens.pop().hex().encode())


@dataclass(frozen=True, slots=True)
class Head:
    """A head as it was read: the number of records, and the token that proves it."""

    records: int
    token: bytes

    @property
    def block(self) -> int:
        """The number of the record that commits to this head's chain."""
        return (self.records - 1) // BLOCK * BLOCK

    def fits(self, anchor: str) -> bool:
        """Whether the token is the one for this number of records in the hash chain that ends in this anchor."""
        token = self.token
        for _ in range(BLOCK - (self.records - 1) % BLOCK):
            token = hashlib.sha256(token).digest()
        return token.hex() == anchor


def read_head(raw: bytes) -> Head | None:
    """The head in these bytes; None if they are not a complete one."""
    records, _, token = raw.rstrip(b"\n").partition(b" ")
    try:
        head = Head(int(records), bytes.fromhex(token.decode("ascii")))
    except ValueError:
        return None
    return head if head.records > 0 and b"%012d %s\n" % (head.records, head.token.hex().encode()) == raw else None


def head_path(folder: Path, segment: str) -> Path:
    """The path of an open segment's head."""
    return folder / f"{segment}.head"
