"""Which process is meant: a pid is used again, its start time and the boot are not."""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from supervisor.runtime.processes.process_table import READER
from supervisor.runtime.processes.row import Row

_HAS_PIDFD = hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal")


@dataclass(frozen=True, slots=True)
class Identity:
    """One process. `started` is in ticks since the boot on Linux, elsewhere in microseconds since 1970."""

    pid: int
    started: int
    boot: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Identity:
        return cls(int(stored["pid"]), int(stored["started"]), str(stored["boot"]))


def identity_of(pid: int) -> Identity | None:
    """The identity of the process that has this pid now; None if there is none, or a zombie."""
    row = READER.row_of(pid)
    return None if row is None else identity_in(row)


def identity_in(row: Row) -> Identity:
    return Identity(row.pid, row.started, boot_id())


def is_alive(identity: Identity) -> bool:
    """Whether this very process still runs. A zombie does not."""
    return identity_of(identity.pid) == identity


def send(identity: Identity, number: signal.Signals) -> bool:
    """Signals this very process, and never another one that has taken its pid. Returns False if it has ended. Raises
    PermissionError if this user may not signal it."""
    try:
        return _send_by_pidfd(identity, number) if _HAS_PIDFD else _send_by_pid(identity, number)
    except ProcessLookupError:
        return False


def _send_by_pidfd(identity: Identity, number: signal.Signals) -> bool:
    """The descriptor holds on to one process, so nothing can take the pid between the check and the signal."""
    descriptor = os.pidfd_open(identity.pid)
    try:
        if not is_alive(identity):
            return False
        signal.pidfd_send_signal(descriptor, number)
        return True
    finally:
        os.close(descriptor)


def _send_by_pid(identity: Identity, number: signal.Signals) -> bool:
    if not is_alive(identity):
        return False
    os.kill(identity.pid, number)
    return True


@functools.cache
def boot_id() -> str:
    """The kernel's name for this boot. Empty where start times are dates: these differ between boots anyway."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip() if sys.platform == "linux" else ""
