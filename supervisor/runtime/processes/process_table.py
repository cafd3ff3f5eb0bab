"""The processes of this machine: parents, sessions, start times, and what they have used."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from supervisor.runtime.processes.row import Row

if sys.platform == "linux" or TYPE_CHECKING:
    from supervisor.runtime.processes import linux_table as _here
else:
    from supervisor.runtime.processes import psutil_table as _here

Snapshot = Mapping[int, Row]


class Reader(Protocol):
    """How a platform tells of its processes. Whatever ends while it is read is left out, and so is what this user may
    not look at."""

    def pids(self) -> list[int]: ...

    def row_of(self, pid: int) -> Row | None:
        """The running process with this pid; None if there is none, or a zombie: that runs no code."""

    def children(self, pid: int) -> set[int]:
        """The children of a process, also zombies; empty where the platform does not list them."""

    def environment(self, pid: int) -> list[str]:
        """The environment that a process was started with, as `NAME=VALUE`."""

    def io_bytes(self, pid: int) -> int:
        """The bytes that a process has read and written so far, through files, pipes and sockets."""


READER: Reader = _here


def snapshot() -> Snapshot:
    """All running processes by pid."""
    rows = map(READER.row_of, READER.pids())
    return {row.pid: row for row in rows if row is not None}


def descendants(table: Snapshot, roots: Iterable[int]) -> set[int]:
    """The roots that run, and every process that descends from one."""
    children: dict[int, list[int]] = {}
    for row in table.values():
        children.setdefault(row.parent, []).append(row.pid)
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        pid = waiting.pop()
        if pid not in found:
            found.add(pid)
            waiting.extend(children.get(pid, ()))
    return found & table.keys()


def started_with(table: Snapshot, variable: str, value: str) -> set[int]:
    """The processes that were started with this variable in their environment."""
    entry = f"{variable}={value}"
    return {pid for pid in table if entry in READER.environment(pid)}
