"""One row of a table of processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One running process. `started` is in ticks since the boot on Linux, elsewhere in microseconds since 1970. `cpu`
    is in seconds, and includes the children that it has waited for."""

    pid: int
    parent: int
    session: int
    started: int
    cpu: float
