"""Whether an approval has been used: only the journal decides, not the queue's files.

A record that uses an approval contains the address of its answer. The payload of an envelope is base64, which spells a
text in one of three ways, by the offset at which it begins; so lines are searched without decoding. Any line that
contains the address counts as a use, even if its signature is invalid: changing a record must not allow a second run.
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
_MOST = 1024 * _PIECE  # bytes of one segment; a journal begins a new segment at a sixteenth of this
_TO_DATA: int | None = getattr(os, "SEEK_DATA", None)  # Windows has none
_MARGIN = 3600.0  # seconds by which the clock may have been set back since the approval was given


def is_unused(records: Path, answer: bytes, given: datetime) -> bool:
    """Whether the journal contains the line of this answer, given at that time, and no record that uses it. Raises
    OSError, also for a segment of more than _MOST bytes.

    Segments that were not changed after that time are skipped, by `ctime`, which programs cannot set.
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
    """The texts that a file contains."""
    found: set[bytes] = set()
    overlap, seen, end = max(map(len, texts)), b"", 0
    for at, piece in _pieces(segment):
        seen = (seen[-overlap:] if at == end else b"") + piece
        end = at + len(piece)
        found.update(text for text in texts if text in seen)
    return found


def _pieces(segment: FileIO) -> Iterator[tuple[int, bytes]]:
    """The pieces of a file, each with its offset. The file is read, not mapped: a mapped file that is truncated
    meanwhile would kill the process. Holes of sparse files are skipped, so that a planted file of terabytes costs
    nothing unless its bytes were written (CWE-400). Raises OSError beyond _MOST bytes."""
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
    """The offset of a file's next data; None if only a hole follows, or nothing."""
    if _TO_DATA is None:
        return place
    try:
        return os.lseek(segment.fileno(), place, _TO_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return None
        if error.errno == errno.EINVAL:  # the file system does not report holes
            return place
        raise


def _spellings(address: str) -> tuple[bytes, ...]:
    """The three base64 spellings of an address without its edges, one for each offset modulo 3."""
    text = address.encode()
    whole = (len(text) - 2) // 3 * 3
    return tuple(base64.b64encode(text[start : start + whole]) for start in range(3))
