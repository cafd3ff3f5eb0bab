"""The newest records of a journal, read from the ends of its segments, so that a long journal is not read whole.

The writers of a journal work at the same time, so the newest record may be in any segment. In one segment, a record is
at most `SLACK` older than those before it: decisions are written in the order in which they end.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

from supervisor.errors import BadRecord
from supervisor.history import address_of
from supervisor.records.envelope import read_envelope
from supervisor.records.lines import line_number, lines_after, lines_before, lines_of
from supervisor.records.statement import read_content, read_statement
from supervisor.records.verify import segment_paths

SLACK = timedelta(minutes=2)  # a decision is written when it ends; its time is that of the proposal
_SCENE = b'","content":{"task":'  # how the content line of a scene goes on after the address; see `codec.scene_of`
_SCENE_AT = len(b'{"sha256":"') + 64
_MOST_SEGMENTS = 32  # whose scenes are remembered
Report = Callable[[BadRecord], None]


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A record with its time, its segment and the byte at which its line begins. Ordered by time."""

    time: str
    path: Path
    offset: int
    kind: str = field(compare=False)
    predicate: dict[str, Any] = field(compare=False)
    address: str = field(compare=False)

    @property
    def place(self) -> str:
        """Its segment and line. Raises BadRecord if the segment cannot be read any more."""
        return f"{self.path.name}:{line_number(self.path, self.offset)}"


class Scenes:
    """The agents of records. A segment stores the scene (task, agent, facts) once, before the first record with it."""

    def __init__(self) -> None:
        self._known: OrderedDict[Path, tuple[int, dict[str, str]]] = OrderedDict()

    def agent(self, record: Found) -> str:
        """The name of the agent, or "" if it has none or the segment lacks its scene."""
        address = record.predicate.get("scene")
        if not isinstance(address, str):
            return ""
        read, agents = self._known.pop(record.path, (0, {}))
        if address not in agents:
            read = self._read_on(record.path, read, agents)
            agents.setdefault(address, "")
        self._known[record.path] = read, agents
        while len(self._known) > _MOST_SEGMENTS:
            self._known.popitem(last=False)
        return agents[address]

    def _read_on(self, path: Path, start: int, agents: dict[str, str]) -> int:
        """Reads the scenes from byte `start` on. Returns the byte up to which the segment is read."""
        try:
            for end, line in lines_after(path, start):
                start = end
                if line.startswith(_SCENE, _SCENE_AT):
                    agents[line[_SCENE_AT - 64 : _SCENE_AT].decode("ascii", "replace")] = _agent_in(line)
        except BadRecord:  # whoever reads the records of this segment reports it
            return start
        return start


def _agent_in(line: bytes) -> str:
    try:
        agent = orjson.loads(line)["content"]["agent"]
    except (ValueError, KeyError, TypeError):
        return ""
    return agent if isinstance(agent, str) else ""


def newest(
    folder: Path,
    count: int,
    wanted: Callable[[Found], bool],
    report: Report,
    *,
    since: str = "",
    ends: Mapping[Path, int] | None = None,
) -> list[Found]:
    """The newest `count` records that are `wanted`, oldest first. The memory is that of `count` records and one line.

    `since` is the earliest time (ISO 8601, UTC). `ends` limits the segments, and how much of each is read. `report` is
    called with an error for everything that cannot be read, as far as it is read. Raises BadRecord if `folder` is not a
    folder of records.
    """
    heap: list[Found] = []
    paths = segment_paths(folder)
    for path in reversed(paths if ends is None else [each for each in paths if each in ends]):
        for record in _backwards(path, report, None if ends is None else ends[path]):
            oldest = heap[0].time if len(heap) == count else since
            if record.time and record.time < max(oldest, since):
                if record.time < _before(max(oldest, since)):
                    break
            elif wanted(record):
                (heapq.heappushpop if len(heap) == count else heapq.heappush)(heap, record)
    return sorted(heap)


def _before(time: str) -> str:
    """The time at which a segment need not be read further back."""
    return (datetime.fromisoformat(time) - SLACK).isoformat() if time else ""


def _backwards(path: Path, report: Report, end: int | None) -> Iterator[Found]:
    """The records of a segment, the last one first. Behind a line that is too long, the rest is read forwards."""
    try:
        for offset, raw in lines_before(path, end):
            if record := record_in(raw, path, offset, report):
                yield record
    except BadRecord as error:
        if error.code == "overlong":
            yield from _forwards(path, report)
        else:
            report(BadRecord(error.message, place=path.name, code=error.code))


def _forwards(path: Path, report: Report) -> Iterator[Found]:
    offset = 0
    try:
        for _, raw in lines_of(path):
            if record := record_in(raw, path, offset, report):
                yield record
            offset += len(raw)
    except BadRecord as error:
        report(BadRecord(error.message, place=path.name, code=error.code))


def record_in(raw: bytes, path: Path, offset: int, report: Report) -> Found | None:
    """The record in a line; None for content, and for what cannot be read, which is reported with its place."""
    line = raw.removesuffix(b"\n")
    try:
        if read_content(line):
            return None
        kind, predicate = read_statement(read_envelope(line)[0])
        return Found(_time_of(kind, predicate), path, offset, kind, predicate, address_of(line))
    except BadRecord as error:
        report(BadRecord(error.message, place=f"{path.name}:{line_number(path, offset)}", code=error.code))
        return None


def _time_of(kind: str, predicate: dict[str, Any]) -> str:
    """The time of a record in UTC, so that times compare as texts; "" for a kind without one. Raises BadRecord."""
    written = predicate.get("time", predicate.get("started", ""))
    if written == "":
        return ""
    try:
        time = datetime.fromisoformat(written)
        return written if written.endswith("+00:00") else time.astimezone(UTC).isoformat()
    except (TypeError, ValueError, OverflowError):
        raise BadRecord("its time is none", code="bad_time") from None
