"""The lines of a segment, one at a time. Only regular files are read, and no line that would fill the memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from supervisor.errors import BadRecord
from supervisor.intake.files import open_file

MAX_LINE = 64 * 1024 * 1024  # bytes; the journal writes no longer lines
_BLOCK = 256 * 1024  # bytes that are read at once from the end of a file


def lines_of(path: Path, begin: int = 0, end: int | None = None, before: int = 0) -> Iterator[tuple[int, bytes]]:
    """Each line with its number, newline included: those that begin at byte `begin` or later and before `end`, if
    `before` lines stand in front of them. Raises BadRecord if the file, or the rest of it, cannot be read."""
    try:
        with open(open_file(path, follow=False), "rb") as file:
            file.seek(begin)
            number, offset = before, begin
            while (end is None or offset < end) and (raw := file.readline(MAX_LINE)):
                number += 1
                offset += len(raw)
                if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
                    raise _overlong()
                yield number, raw
    except OSError as error:
        raise _unreadable(error) from None


def lines_after(path: Path, offset: int) -> Iterator[tuple[int, bytes]]:
    """Each complete line from byte `offset` on, with the offset of its end, newline included. A last line without a
    newline is still being written, and is left out. Raises BadRecord."""
    try:
        with open(open_file(path, follow=False), "rb") as file:
            file.seek(offset)
            while (raw := file.readline(MAX_LINE)).endswith(b"\n"):
                offset += len(raw)
                yield offset, raw
            if len(raw) == MAX_LINE:
                raise _overlong()
    except OSError as error:
        raise _unreadable(error) from None


def lines_before(path: Path, end: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Each line before byte `end` (None: of the whole file) with its offset, newline included, the last one first.
    Raises BadRecord if the file, or what stands before a line, cannot be read."""
    try:
        with open(open_file(path, follow=False), "rb") as file:
            place = os.fstat(file.fileno()).st_size if end is None else end
            rest: list[bytes] = []  # the pieces of a line whose beginning has not been read, the last one first
            length = 0
            while place > 0:
                begin = max(place - _BLOCK, 0)
                file.seek(begin)
                block = file.read(place - begin)
                place = begin
                stop = len(block)
                while (cut := block.rfind(b"\n", 0, stop if rest else stop - 1)) >= 0:
                    yield begin + cut + 1, b"".join([block[cut + 1 : stop], *reversed(rest)])
                    stop, rest, length = cut + 1, [], 0
                rest.append(block[:stop])
                length += stop
                if length >= MAX_LINE:
                    raise _overlong()
            if rest:
                yield 0, b"".join(reversed(rest))
    except OSError as error:
        raise _unreadable(error) from None


def line_number(path: Path, offset: int) -> int:
    """The number of the line that begins at byte `offset`. Raises BadRecord."""
    number = 1
    try:
        with open(open_file(path, follow=False), "rb") as file:
            while offset > 0 and (block := file.read(min(_BLOCK, offset))):
                number += block.count(b"\n")
                offset -= len(block)
    except OSError as error:
        raise _unreadable(error) from None
    return number


def _overlong() -> BadRecord:
    return BadRecord("a line longer than any that was written: the rest is not read", code="overlong")


def _unreadable(error: OSError) -> BadRecord:
    return BadRecord(f"cannot be read: {error.strerror}", code="unreadable")
