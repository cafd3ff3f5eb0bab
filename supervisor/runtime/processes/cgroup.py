"""A cgroup (version 2) of a worker's own: no process leaves it by forking, and one write kills everything in it.

docs.kernel.org/admin-guide/cgroup-v2.html
"""

from __future__ import annotations

import errno
import time
from dataclasses import dataclass
from pathlib import Path

_PREFIX = "supervisor-"
_LOOK = 0.0005  # seconds between two looks whether it is empty


@dataclass(frozen=True, slots=True)
class Cgroup:
    """A folder of the cgroup file system. It may be gone: then no process is in it."""

    path: Path

    @classmethod
    def named(cls, parent: Path, marker: str) -> Cgroup:
        return cls(parent / f"{_PREFIX}{marker}")

    def create(self) -> None:
        self.path.mkdir()

    @property
    def door(self) -> Path:
        """The file in which a process enters."""
        return self.path / "cgroup.procs"

    def pids(self) -> set[int]:
        """The processes in it, and in cgroups that they made below."""
        return {int(pid) for folder in self._folders() for pid in _read(folder / "cgroup.procs").split()}

    def is_populated(self) -> bool:
        return "populated 1" in _read(self.path / "cgroup.events")

    def cpu(self) -> float:
        """The seconds of CPU time of all processes that were ever in it."""
        counts = dict(line.split() for line in _read(self.path / "cpu.stat").splitlines())
        return int(counts.get("usage_usec", 0)) / 1e6

    def kill(self) -> None:
        """Kills everything in it, whatever it forks meanwhile."""
        if self.path.is_dir():
            (self.path / "cgroup.kill").write_text("1")

    def wait_until_empty(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while self.is_populated():
            if time.monotonic() > until:
                return False
            time.sleep(_LOOK)
        return True

    def remove(self) -> None:
        """Removes the folder and those below. Raises OSError if a process is left."""
        for folder in reversed(self._folders()):
            folder.rmdir()

    def _folders(self) -> list[Path]:
        """This folder and those below, parents first."""
        return sorted(file.parent for file in self.path.rglob("cgroup.procs"))


def _read(file: Path) -> str:
    """What a file says; empty if the cgroup was removed before or meanwhile."""
    try:
        return file.read_text()
    except FileNotFoundError:
        return ""
    except OSError as error:
        if error.errno != errno.ENODEV:
            raise
        return ""
