"""By what the processes of a worker are held together on this machine, and why not by anything better."""

from __future__ import annotations

import functools
import importlib.util
import secrets
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from supervisor.runtime.processes.cgroup import Cgroup, filling, remove_abandoned

Method = Literal["cgroup", "subreaper", "group"]
_PATIENCE = 5.0  # seconds for a process that is killed as a trial


@dataclass(frozen=True, slots=True)
class Containment:
    """A method, and a sentence on why it is the best one here. `parent` is where cgroups are made."""

    method: Method
    reason: str
    parent: Path | None = None


@functools.cache
def detect() -> Containment:
    """The best method of this machine. Tried once: a cgroup is made, entered, killed and removed. Empty cgroups of
    earlier daemons are removed as well."""
    if sys.platform != "linux":
        return Containment("group", f"{sys.platform} has neither cgroups nor subreapers")
    parent, missing = cgroup_parent()
    if parent is not None:
        remove_abandoned(parent)
        return Containment("cgroup", f"cgroups can be made in {parent}", parent)
    if importlib.util.find_spec("_ctypes") is None:
        return Containment("group", f"{missing}, and this Python has no ctypes for a subreaper")
    return Containment("subreaper", missing)


def cgroup_parent() -> tuple[Path | None, str]:
    """The cgroup in which this process may make others; else None and the reason."""
    try:
        parent = _own_cgroup()
        if parent is None:
            return None, "no cgroup2 file system is mounted"
        with filling(parent):
            problem = _try(Cgroup.named(parent, secrets.token_hex(8)))
    except OSError as error:
        return None, f"no cgroup can be made: {error.strerror} ({error.filename})"
    return (None, problem) if problem else (parent, "")


def _own_cgroup() -> Path | None:
    """The folder of this process in the cgroup2 file system (proc_pid_cgroup(5), proc_pid_mountinfo(5))."""
    mounts = [line.split(" - ") for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    points = [before.split()[4] for before, after in mounts if after.split()[0] == "cgroup2"]
    names = [line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")]
    return Path(points[0], names[0].lstrip("/")) if points and names else None


def _try(cgroup: Cgroup) -> str:
    """Kills a process in a cgroup. Returns what does not work, "" if all does. Raises OSError."""
    cgroup.create()
    try:
        if not (cgroup.path / "cgroup.kill").exists():
            return "this kernel has no cgroup.kill (Linux 5.14)"
        with subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE) as process:
            try:
                cgroup.door.write_text(str(process.pid))
                cgroup.kill()
                process.wait(_PATIENCE)
            finally:
                process.kill()
        return "" if cgroup.wait_until_empty(_PATIENCE) else "a killed cgroup keeps its processes"
    finally:
        cgroup.remove()
