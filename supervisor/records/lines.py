"""The lines of a segment, one at a time. Only regular files are read, and no line that would fill the memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from supervisor.errors import BadRecord
from supervisor.intake.files import open_file

MAX_LINE = 64 * 1024 * 1024  # bytes; the journal writes no longer lines


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Each line with its number, newline included. Raises BadRecord if the file, or the rest of it, cannot be read."""
    try:
        with open(open_file(path, follow=False), "rb") as file:
            number = 0
            while raw := file.readline(MAX_LINE):
                number += 1
                if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
                    raise BadRecord("a line longer than any that was written: the rest is not read", code="overlong")
                yield number, raw
    except OSError as error:
        raise BadRecord(f"cannot be read: {error.strerror}", code="unreadable") from None
