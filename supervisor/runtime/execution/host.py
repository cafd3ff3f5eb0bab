"""This machine, as executors know it, and whether a process of it still lives."""

from __future__ import annotations

import os
import sys

from supervisor.errors import SupervisorError
from supervisor.runtime.processes.identity import Identity, boot_id, identity_of, is_alive
from supervisor.runtime.store.executors import Sign


def host_key() -> str:
    """Names this boot of this machine, and the space in which its pids count; empty where that cannot be told: then no
    process is looked for."""
    if sys.platform != "linux":
        return ""
    return f"{boot_id()}/{os.stat('/proc/self/ns/pid').st_ino}"


def own_identity() -> Identity:
    found = identity_of(os.getpid())
    if found is None:
        raise SupervisorError("this process is not in the table of processes", code="no_identity")
    return found


def has_ended(sign: Sign, host: str) -> bool:
    """Whether an executor's process has certainly ended: it ran here, and does not any more."""
    return bool(host) and sign.host == host and not is_alive(sign.process)
