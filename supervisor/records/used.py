"""Whether an approval has been used: the journal says so, whatever lies in the queue.

A record that uses an approval names it by its address. The payload of an envelope stands in base64, in which a text is
spelled in one of three ways, by the place at which it begins; so lines are looked through without being decoded. Any
line that names the address counts as a use, whether it verifies or not: who changes a record does not win a second run.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from datetime import datetime
from io import FileIO
from pathlib import Path

from supervisor.files import open_file
from supervisor.history import address_of
from supervisor.records.verify import segment_paths

_PIECE = 1024 * 1024  # bytes
_MARGIN = 3600.0  # seconds by which the clock may have been set back since the approval was given


def is_unused(records: Path, answer: bytes, given: datetime) -> bool:
    """Whether the journal holds the line of this answer, given then, and no record that has used it. OSError.

    Segments that nobody has touched since then are passed over: by `ctime`, which no program can set.
    """
    uses, is_there = _spellings(address_of(answer)), False
    for path in segment_paths(records):
        if path.stat(follow_symlinks=False).st_ctime < given.timestamp() - _MARGIN:
            continue
        with os.fdopen(open_file(path, os.O_RDONLY, own=True), "rb", buffering=0) as segment:
            found = _found(segment, [*uses, answer + b"\n"])
        if not found.isdisjoint(uses):
            return False
        is_there = is_there or bool(found)
    return is_there


def _found(segment: FileIO, texts: Sequence[bytes]) -> set[bytes]:
    """Those of the texts that stand in a file. It is read piece by piece: it may be cut off meanwhile, which who has it
    mapped into memory does not survive."""
    found: set[bytes] = set()
    overlap, seen = max(map(len, texts)), b""
    while piece := segment.read(_PIECE):
        seen = seen[-overlap:] + piece
        found.update(text for text in texts if text in seen)
    return found


def _spellings(address: str) -> tuple[bytes, ...]:
    """How base64 spells the inside of an address, by where its text begins among three bytes."""
    text = address.encode()
    whole = (len(text) - 2) // 3 * 3
    return tuple(base64.b64encode(text[start : start + whole]) for start in range(3))
