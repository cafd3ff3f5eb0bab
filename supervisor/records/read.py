"""Reading a journal back: decisions with everything they saw."""

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
    """One record: what kind, what it says, its address, where it stands, and the content it may name."""

    kind: str
    predicate: dict[str, Any]
    address: str
    place: str
    contents: dict[str, bytes]

    def content(self, address: str) -> Any:
        """The value stored under an address. BadRecord if the segment does not have it, or if it is no JSON."""
        try:
            return orjson.loads(self.contents[address])
        except (KeyError, TypeError):  # TypeError: a record may name anything
            raise self._bad(address, "is not there") from None
        except ValueError:
            raise self._bad(address, "is not JSON") from None

    def history(self, address: str | None) -> list[Step]:
        """The steps of the history whose last node stands under `address`. BadRecord where one is not there."""
        steps = []
        while address is not None:
            node = self.content(address)
            try:
                steps.append(step_of(node["step"]))
                address = node["before"]
            except (KeyError, TypeError):
                raise self._bad(address, "is no step of a history") from None
        return steps[::-1]

    def _bad(self, address: object, why: str) -> BadRecord:
        return BadRecord(f"names content {str(address)[:16]}…, which {why}", place=self.place)


def read_records(folder: Path, unread: Callable[[BadRecord], None] | None = None) -> Iterator[Record]:
    """Every record of a journal, segment by segment, in the order written. Signatures are `verify`'s to check.

    What cannot be read is told to `unread`, with its place, and the rest goes on. Without `unread`, BadRecord is raised
    after the last record that could be read.
    """
    failed: list[BadRecord] = []
    tell = unread or failed.append
    for path in segment_paths(folder):
        yield from _records_in(path, tell)
    if failed:
        more = f" ({len(failed) - 1} more could not be read)" if len(failed) > 1 else ""
        raise BadRecord(failed[0].told + more, place=failed[0].place, code=failed[0].code)


def _records_in(path: Path, tell: Callable[[BadRecord], None]) -> Iterator[Record]:
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
                tell(BadRecord(error.told, place=place, code=error.code))
                continue
            yield Record(kind, predicate, address_of(line), shown_place(place), contents)
    except BadRecord as error:
        tell(BadRecord(error.told, place=path.name, code=error.code))
