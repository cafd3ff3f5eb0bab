"""Parts of a large file whose lines stand for themselves: each is judged, and kept, on its own."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from supervisor.errors import BadRecord
from supervisor.records.lines import lines_of

LEAST = 4 * 1024 * 1024  # bytes of a part, but for the last one


class Part(NamedTuple):
    """The lines of a file that begin at the byte `begin` or later, and before `end` (None: the end of the file).
    `before` counts the lines in front of them."""

    begin: int = 0
    end: int | None = None
    before: int = 0


WHOLE = Part()


def parts_of(path: Path, least: int = LEAST) -> list[Part]:
    """Parts that have each line of a file once. The last one is open, so that it has what is still being written. A
    file that cannot be read is one part, whose reader reports why."""
    parts, begin, before, offset = list[Part](), 0, 0, 0
    try:
        for number, raw in lines_of(path):
            if offset - begin >= least:
                parts.append(Part(begin, offset, before))
                begin, before = offset, number - 1
            offset += len(raw)
    except BadRecord:
        return [WHOLE]
    return [*parts, Part(begin, None, before)]
