"""Reading a journal back: decisions with everything that they were based on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from supervisor.action import Step
from supervisor.errors import BadRecord, shown_place
from supervisor.history import address_of, step_of
from supervisor.records.envelope import read_envelope
from supervisor.records.lines import lines_of
from supervisor.records.statement import read_content, read_statement
from supervisor.records.verify import segment_paths


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its kind, predicate, address and place, and the contents of its segment up to here."""

    kind: str
    predicate: dict[str, Any]
    address: str
    place: str
    contents: dict[str, bytes]

    def content(self, address: str) -> Any:
        """The value stored under an address. Raises BadRecord if the segment does not have it or it is not JSON."""
        try:
            return orjson.loads(self.contents[address])
        except (KeyError, TypeError):  # TypeError: an address in a record may be any JSON value
            raise self._bad(address, "is not there") from None
        except ValueError:
            raise self._bad(address, "is not JSON") from None

    def history(self, address: str | None) -> list[Step]:
        """The steps of the history whose last node has this `address`. Raises BadRecord if one is missing."""
        steps = []
        while address is not None:
            step, address = self.step(address)
            steps.append(step)
        return steps[::-1]

    def step(self, address: str) -> tuple[Step, str | None]:
        """The step of a history under an address, and the address of the one before it. Raises BadRecord."""
        node = self.content(address)
        try:
            return step_of(node["step"]), node["before"]
        except (KeyError, TypeError):
            raise self._bad(address, "is no step of a history") from None

    def _bad(self, address: object, why: str) -> BadRecord:
        return BadRecord(f"names content {str(address)[:16]}…, which {why}", place=self.place)


def read_records(folder: Path, unread: Callable[[BadRecord], None] | None = None) -> Iterator[Record]:
    """Every record of a journal, segment by segment, in the order written. Signatures are `verify`'s to check.

    `unread` is called with an error, which has its place, for everything that cannot be read; the rest is still read.
    Without `unread`, BadRecord is raised after the last record that could be read.
    """
    failed: list[BadRecord] = []
    report = unread or failed.append
    for path in segment_paths(folder):
        yield from records_in(path, report)
    if failed:
        more = f" ({len(failed) - 1} more could not be read)" if len(failed) > 1 else ""
        raise BadRecord(failed[0].message + more, place=failed[0].place, code=failed[0].code)


def records_in(path: Path, report: Callable[[BadRecord], None] = lambda _: None) -> Iterator[Record]:
    """Every record of a segment, in the order written. `report` is called as in `read_records`."""
    contents: dict[str, bytes] = {}
    try:
        for number, raw in lines_of(path):
            line, place = raw.removesuffix(b"\n"), f"{path.name}:{number}"
            try:
                if stored := read_content(line):
                    contents[stored[0]] = stored[1]
                    continue
                kind, predicate = read_statement(read_envelope(line)[0])
            except BadRecord as error:
                report(BadRecord(error.message, place=place, code=error.code))
                continue
            yield Record(kind, predicate, address_of(line), shown_place(place), contents)
    except BadRecord as error:
        report(BadRecord(error.message, place=path.name, code=error.code))
