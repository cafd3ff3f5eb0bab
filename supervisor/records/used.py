"""Whether an approval has been used: the journal says so, whatever lies in the queue.

A record that uses an approval names it by its address. The payload of an envelope stands in base64, in which a text is
spelled in one of three ways, by the place at which it begins; so lines are looked through without being decoded. Any
line that names the address counts as a use, whether it verifies or not: who changes a record does not win a second run.
"""

from __future__ import annotations

import base64
import errno
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from io import FileIO
from pathlib import Path

from supervisor.history import address_of
from supervisor.intake.files import open_file
from supervisor.records.verify import segment_paths

_PIECE = 1024 * 1024  # bytes
_MOST = 1024 * _PIECE  # bytes of one segment; a journal begins another at a sixteenth of it
_TO_DATA: int | None = getattr(os, "SEEK_DATA", None)  # Windows has none
_MARGIN = 3600.0  # seconds by which the clock may have been set back since the approval was given


def is_unused(records: Path, answer: bytes, given: datetime) -> bool:
    """Whether the journal holds the line of this answer, given then, and no record that has used it. OSError, also for
    a segment of more than _MOST bytes.

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
    """Those of the texts that stand in a file."""
    found: set[bytes] = set()
    overlap, seen, end = max(map(len, texts)), b"", 0
    for at, piece in _pieces(segment):
        seen = (seen[-overlap:] if at == end else b"") + piece
        end = at + len(piece)
        found.update(text for text in texts if text in seen)
    return found


def _pieces(segment: FileIO) -> Iterator[tuple[int, bytes]]:
    """What a file holds, piece by piece, each with its place: it may be cut off meanwhile, which who has it mapped into
    memory does not survive. A hole, of which the file system keeps nothing, holds no text: whoever plants a file of
    terabytes has to have written them (CWE-400). Raises OSError beyond _MOST bytes."""
    end = read = 0
    while (at := _data_from(segment, end)) is not None:
        segment.seek(at)
        piece = segment.read(_PIECE)
        if not piece:
            return
        end, read = at + len(piece), read + len(piece)
        if read > _MOST:
            raise OSError(errno.EFBIG, f"a segment of more than {_MOST:,} bytes", segment.name)
        yield at, piece


def _data_from(segment: FileIO, place: int) -> int | None:
    """Where the next data of a file begins; None where only a hole follows, or nothing."""
    if _TO_DATA is None:
        return place
    try:
        return os.lseek(segment.fileno(), place, _TO_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return None
        if error.errno == errno.EINVAL:  # a file system that tells of no holes
            return place
        raise


def _spellings(address: str) -> tuple[bytes, ...]:
    """How base64 spells the inside of an address, by where its text begins among three bytes."""
    text = address.encode()
    whole = (len(text) - 2) // 3 * 3
    return tuple(base64.b64encode(text[start : start + whole]) for start in range(3))
