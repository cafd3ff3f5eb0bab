"""What is stored of a worker, and how all of its processes are found with nothing else."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from supervisor.errors import BadInput
from supervisor.runtime.processes.cgroup import Cgroup
from supervisor.runtime.processes.containment import Containment, Method
from supervisor.runtime.processes.identity import Identity, identity_in, is_alive
from supervisor.runtime.processes.process_table import READER, Snapshot, descendants, snapshot, started_with

_MARKER = re.compile(r"[a-z0-9][a-z0-9-]{7,63}")
MARKER = "SUPERVISOR_WORKER"  # the variable that marks the environment of a worker


@dataclass(frozen=True, slots=True)
class Usage:
    """What a whole tree has used by a time. `cpu` is in seconds. Either may fall when a process ends."""

    at: float
    cpu: float
    io: int


@dataclass(frozen=True, slots=True)
class Tree:
    """All processes of one worker. `marker` is unique and never used again. Leader and shim are None as long as the
    worker is only planned: who stores a plan before the start can also kill what it did not live to see started."""

    method: Method
    marker: str
    leader: Identity | None = None
    shim: Identity | None = None
    parent: Path | None = None

    def __post_init__(self) -> None:
        """Raises BadInput for a marker that could name a foreign cgroup, or the environment of foreign processes."""
        if not _MARKER.fullmatch(self.marker):
            raise BadInput("is no marker: 8 to 64 lower-case letters, digits and hyphens", place=self.marker)

    @classmethod
    def planned(cls, marker: str, containment: Containment) -> Tree:
        return cls(containment.method, marker, parent=containment.parent)

    def started(self, leader: Identity | None, shim: Identity | None) -> Tree:
        return replace(self, leader=leader, shim=shim)

    @property
    def cgroup(self) -> Cgroup | None:
        return None if self.parent is None else Cgroup.named(self.parent, self.marker)

    def members(self) -> set[Identity]:
        """All running processes of the worker, without the shim: those in the cgroup, those with the marker, those in
        the leader's session, and all that descend from any of these or from the shim."""
        table = snapshot()
        contained = self.cgroup.pids() if self.cgroup else set()
        marked = started_with(table, MARKER, self.marker)
        found = descendants(table, contained | marked | self._session(table) | self._roots())
        found -= {os.getpid(), self.shim.pid if self.shim else 0}
        return {identity_in(table[pid]) for pid in found}

    def orphans(self) -> set[int]:
        """The processes that the shim has adopted, and the leader. Takes microseconds, `members` takes milliseconds."""
        return READER.children(self.shim.pid) if self.shim is not None and is_alive(self.shim) else set()

    def usage(self, now: float) -> Usage:
        """What the processes in the cgroup, or below the shim or leader, have used. Costs less than `members`."""
        if self.cgroup is not None:
            return Usage(now, self.cgroup.cpu(), sum(map(READER.io_bytes, self.cgroup.pids())))
        table = snapshot()
        pids = descendants(table, self._roots())
        return Usage(now, sum(table[pid].cpu for pid in pids), sum(map(READER.io_bytes, pids)))

    def _roots(self) -> set[int]:
        """The pids of the leader and the shim, as long as these are theirs."""
        return {identity.pid for identity in (self.leader, self.shim) if identity is not None and is_alive(identity)}

    def _session(self, table: Snapshot) -> set[int]:
        """The leader's session. It counts only while the leader runs: later its number may name a foreign one."""
        if self.leader is None or not is_alive(self.leader):
            return set()
        return {row.pid for row in table.values() if row.session == self.leader.pid}

    def to_json(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "marker": self.marker,
            "leader": self.leader and self.leader.to_json(),
            "shim": self.shim and self.shim.to_json(),
            "parent": self.parent and str(self.parent),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Tree:
        leader, shim = (Identity.from_json(stored[name]) if stored[name] else None for name in ("leader", "shim"))
        parent = Path(stored["parent"]) if stored["parent"] else None
        return cls(stored["method"], stored["marker"], leader, shim, parent)
