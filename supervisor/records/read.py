"""Reading a journal back: decisions with everything they saw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from supervisor.action import Step
from supervisor.errors import BadRecord
from supervisor.history import address_of, step_of
from supervisor.records.envelope import read_envelope
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


def read_records(folder: Path) -> Iterator[Record]:
    """Every record of a journal, segment by segment, in the order written. Signatures are `verify`'s to check.

    Raises BadRecord, naming file and line, at a line that cannot be read.
    """
    for path in segment_paths(folder):
        contents: dict[str, bytes] = {}
        with path.open("rb") as lines:
            for number, raw in enumerate(lines, 1):
                line, place = raw.rstrip(b"\n"), f"{path.name}:{number}"
                try:
                    stored = read_content(line)
                    if stored:
                        contents[stored[0]] = stored[1]
                        continue
                    kind, predicate = read_statement(read_envelope(line)[0])
                except BadRecord as error:
                    raise BadRecord(str(error), place=place, code=error.code) from None
                yield Record(kind, predicate, address_of(line), place, contents)
