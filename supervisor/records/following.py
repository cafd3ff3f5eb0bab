"""New records of a journal as they are written, by any number of writers, into any number of segments."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from supervisor.errors import BadRecord
from supervisor.records.lines import lines_after, lines_before
from supervisor.records.newest import Found, Report, record_in
from supervisor.records.verify import segment_paths

_HEAD = ".head"  # a segment has one until it is sealed


class Following:
    """Reads on from where a journal ended when this was made. Only unsealed segments are looked at again."""

    def __init__(self, folder: Path) -> None:
        """Raises BadRecord if `folder` is not a folder of records."""
        self._folder = folder
        self.ends = {path: _complete_size(path) for path in segment_paths(folder)}
        self._open = self._unsealed()
        self._failed: set[Path] = set()  # what cannot be read is reported once

    def new(self, report: Report) -> list[Found]:
        """The records that were written since the last call, oldest first. `report` is called for what cannot be read.
        Raises BadRecord if the folder is gone."""
        unsealed = self._unsealed()
        candidates = (path for path in segment_paths(self._folder) if path not in self._failed)
        looked_at = [path for path in candidates if path not in self.ends or path in self._open]
        self._open = unsealed
        return sorted(record for path in looked_at for record in self._read_on(path, report))

    def follow(self, report: Report, wait: Callable[[], object]) -> Iterator[list[Found]]:
        """The new records, again and again. `wait` pauses before each look; an exception that it raises ends this."""
        while True:
            wait()
            if records := self.new(report):
                yield records

    def _read_on(self, path: Path, report: Report) -> Iterator[Found]:
        start = self.ends.setdefault(path, 0)
        try:
            for end, raw in lines_after(path, start):
                self.ends[path] = end
                if record := record_in(raw, path, end - len(raw), report):
                    yield record
        except BadRecord as error:
            self._failed.add(path)
            report(BadRecord(error.message, place=path.name, code=error.code))

    def _unsealed(self) -> set[Path]:
        """The segments that have a head: a record may still be added to them."""
        try:
            names = os.listdir(self._folder)
        except OSError as error:
            raise BadRecord(f"cannot be read: {error.strerror}", place=str(self._folder), code="no_journal") from None
        return {self._folder / f"{name.removesuffix(_HEAD)}.jsonl" for name in names if name.endswith(_HEAD)}


def _complete_size(path: Path) -> int:
    """The size of a segment without a last line that is still being written; 0 if it cannot be read."""
    try:
        for offset, raw in lines_before(path):
            return offset + (len(raw) if raw.endswith(b"\n") else 0)
    except BadRecord:  # whoever reads the journal reports it
        return 0
    return 0
