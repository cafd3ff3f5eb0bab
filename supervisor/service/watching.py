"""Notices edits of files by their status: a few system calls for each file, and no reading."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

Stamp = tuple[int, int, int, int, int] | None  # None: nothing is there, or it cannot be looked at
Stamps = tuple[tuple[str, Stamp], ...]
EVERY = 0.25  # seconds between two looks
_MOST_FILES = 20_000  # of one folder
_QUIET = 0.1  # seconds without a change, after which a file counts as written: a part of a policy may be one, too
_PATIENCE = 2.0  # seconds to wait for that


class Watched:
    """The files of a policy and of its taxonomy's folders, as they were before they were read."""

    def __init__(self, files: Iterable[str]) -> None:
        self._files = tuple(files)
        self.folders: tuple[str, ...] = ()
        self._stamps = _real_stamps(self._files)
        self._inside: Stamps = ()

    def wait_until_quiet(self) -> bool:
        """Waits until the files have not changed for a moment. Returns whether that came to be."""
        until = time.monotonic() + _PATIENCE
        while self._is_young():
            if time.monotonic() > until:
                return False
            time.sleep(_QUIET / 2)
            self._stamps = _real_stamps(self._files)
        return True

    def watch_folders(self, folders: Iterable[str]) -> None:
        """Watches the files in these folders of entries and specialists, too."""
        self.folders = tuple(folders)
        self._inside = _stamps(_files_in(self.folders))

    def has_changed(self) -> bool:
        """Whether anything was edited since."""
        return (_real_stamps(self._files), _stamps(_files_in(self.folders))) != (self._stamps, self._inside)

    def has_same_folders(self, later: Watched) -> bool:
        """Whether the files in the folders are those of a later look."""
        return self._inside == later._inside

    def _is_young(self) -> bool:
        now = time.time_ns()
        return any(stamp is not None and 0 <= now - stamp[0] < _QUIET * 1e9 for _, stamp in self._stamps)


def _real_stamps(files: Iterable[str]) -> Stamps:
    """The stamps with real paths: whether a project's policy is trusted depends on them."""
    return _stamps(map(_real, files))


def _real(file: str) -> str:
    try:
        return os.path.realpath(file)
    except ValueError:  # NUL in its name: nothing is there
        return file


def _stamps(files: Iterable[str]) -> Stamps:
    return tuple((file, stamp_of(file)) for file in files)


def stamp_of(path: str) -> Stamp:
    """The times of the last change of status and content in nanoseconds, the size, inode and device of a file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_ctime_ns, found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev


def _files_in(folders: Iterable[str]) -> Iterator[str]:
    """The files of folders of the taxonomy, and of their families."""
    for folder in folders:
        for part in ("taxonomy", "specialists"):
            top = Path(folder, part)
            for place in [top, *_folders_in(top)]:
                files = [entry.path for entry in _listed(place) if entry.name.endswith((".yaml", ".yml", ".py"))]
                yield from sorted(files)[:_MOST_FILES]


def _folders_in(place: Path) -> list[Path]:
    return sorted(Path(entry.path) for entry in _listed(place) if entry.is_dir() and entry.name != "__pycache__")


def _listed(place: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as found:
            return list(found)
    except OSError:  # the catalogue reports it when it is read
        return []
