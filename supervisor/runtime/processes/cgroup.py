"""A cgroup (version 2) of a worker's own: no process leaves it by forking, and one write kills everything in it.

docs.kernel.org/admin-guide/cgroup-v2.html
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PREFIX = "supervisor-"
_LOOK = 0.0005  # seconds between two looks whether it is empty, or unlocked
_LOCKED = 5.0  # seconds for another process to remove what is abandoned; it takes milliseconds


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
        """Kills everything in it, whatever it forks meanwhile. Raises PermissionError if it is another user's."""
        with _may_be_gone():
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
            with _may_be_gone():
                folder.rmdir()

    def _folders(self) -> list[Path]:
        """This folder and those below, parents first."""
        return sorted(Path(folder) for folder, _, _ in os.walk(self.path))


@contextlib.contextmanager
def filling(parent: Path) -> Iterator[None]:
    """Makes a cgroup in this folder, and lets a process enter it, while nobody removes empty ones. Raises OSError."""
    with _locked(parent, fcntl.LOCK_SH, _LOCKED):
        yield


def remove_abandoned(parent: Path) -> None:
    """Removes the cgroups without a process: daemons that died have left them. Does nothing while another process
    starts a worker, because a cgroup is empty until that has entered it. The next daemon removes them then."""
    with contextlib.suppress(TimeoutError), _locked(parent, fcntl.LOCK_EX, 0):
        for path in parent.glob(f"{_PREFIX}*"):
            _remove_if_empty(Cgroup(path))


def _remove_if_empty(cgroup: Cgroup) -> None:
    with contextlib.suppress(PermissionError):  # another user's
        if not cgroup.is_populated():
            cgroup.remove()


@contextlib.contextmanager
def _locked(folder: Path, mode: int, seconds: float) -> Iterator[None]:
    """Holds a lock on a folder, which the kernel takes from a process that dies. Raises TimeoutError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        until = time.monotonic() + seconds
        while not _lock(descriptor, mode):
            if time.monotonic() >= until:
                raise TimeoutError(errno.ETIMEDOUT, "another process keeps it locked", str(folder))
            time.sleep(_LOOK)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, mode: int) -> bool:
    try:
        fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def _may_be_gone() -> Iterator[None]:
    """Ignores that a cgroup was removed before or meanwhile."""
    try:
        yield
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno != errno.ENODEV:
            raise


def _read(file: Path) -> str:
    """What a file says; empty if the cgroup is gone."""
    with _may_be_gone():
        return file.read_text()
    return ""
