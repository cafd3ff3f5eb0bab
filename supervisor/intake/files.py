"""Opening files in places where an agent may write, so that no file can block, flood or mislead the reader.

A fifo would block, a device never ends, a symlink leads to another file (CWE-59), and another user controls that user's
files. The checks use the open descriptor, never the name, which may mean another file by then (CWE-367).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE = 5.0  # seconds to wait for a lock that is normally held for milliseconds
_RETRY = 0.01
_BLOCK = 4096  # bytes to read at once from a file that does not report its size
NOT_REGULAR = (
    errno.ELOOP,
    errno.EINVAL,
    errno.EISDIR,
    errno.EFBIG,
    errno.ENXIO,
)  # errors of what is at the path, not of the system
_KINDS = {stat.S_IFREG: "regular file", stat.S_IFDIR: "folder", stat.S_IFSOCK: "socket"}

_AT_ONCE = os.O_CLOEXEC if hasattr(os, "O_CLOEXEC") else 0
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY"):  # not every platform has all of them
    _AT_ONCE |= getattr(os, _name, 0)
_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)


def read_file(path: str | Path, most: int, *, own: bool = False, follow: bool = True) -> bytes:
    """The content of a regular file of at most `most` bytes.

    `own` files are written by this program only: they must belong to its user or to root, and must not be symlinks.
    Other files may be symlinks unless `follow` is false. Raises OSError: EFBIG for a larger file, EINVAL for one that
    is not regular, EPERM for another user's, ELOOP for a symlink.
    """
    file, size = _opened(path, os.O_RDONLY, own=own, follow=follow)
    try:
        at_once = max(size, _BLOCK) + 1  # allocating `most` bytes would take longer than most reads
        content = os.read(file, min(at_once, most + 1))
        if len(content) == size <= most:  # fewer bytes than were asked for: the file ends here
            return content
        while len(content) <= most and (more := os.read(file, min(at_once, most + 1 - len(content)))):
            content = content + more if content else more
    finally:
        os.close(file)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"more than the {most:,} allowed", str(path))
    return content


def open_file(path: str | Path, flags: int = os.O_RDONLY, *, own: bool = False, follow: bool = True) -> int:
    """A descriptor of a regular file, created with mode 0600 if `flags` say so; see `read_file`. Raises OSError."""
    return _opened(path, flags, own=own, follow=follow)[0]


def _opened(path: str | Path, flags: int, *, own: bool, follow: bool) -> tuple[int, int]:
    """The descriptor of `open_file`, and the file's size in bytes."""
    try:
        file = os.open(path, flags | _AT_ONCE | (_NO_LINK if own or not follow else 0), 0o600)
    except ValueError:  # NUL in its name
        raise OSError(errno.EINVAL, "no path") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "a symbolic link, not a regular file", str(path)) from None
        raise
    try:
        about = os.fstat(file)
        check_own(about, str(path), stat.S_IFREG, any_owner=not own)
    except OSError:
        os.close(file)
        raise
    return file, about.st_size


def check_folder(path: str | Path) -> None:
    """Raises OSError unless the path is a folder (no symlink) of this user or root that other users cannot write to."""
    about = os.lstat(path)
    check_own(about, str(path), stat.S_IFDIR)
    if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise OSError(errno.EPERM, "others may write into it; `chmod go-w` ends that", str(path))


def check_own(about: os.stat_result, path: str, kind: int, *, any_owner: bool = False) -> None:
    """Raises OSError if the file is of another kind (`stat.S_IFREG`, …), or belongs to another user."""
    if stat.S_ISDIR(about.st_mode) and kind != stat.S_IFDIR:
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if stat.S_IFMT(about.st_mode) != kind:
        raise OSError(errno.EINVAL, f"not a {_KINDS[kind]}", path)
    if hasattr(os, "geteuid") and not any_owner and about.st_uid not in (os.geteuid(), 0):
        raise OSError(errno.EPERM, "it belongs to another user", path)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder: one process and one thread at a time. Raises OSError after PATIENCE seconds."""
    import fcntl  # not on every platform

    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _flock(lock, time.monotonic() + PATIENCE)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)  # a child that was forked meanwhile would otherwise keep the lock
    finally:
        os.close(lock)


def _flock(lock: int, deadline: float) -> None:
    import fcntl

    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_RETRY)


def replace_file(path: Path, content: bytes, *, sync: bool = False) -> None:
    """Replaces a file (mode 0600) completely or not at all; waits for the disk if `sync`. Raises OSError."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    if sync:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Waits until the names in a folder are on the disk: a synced file can still be lost if its name is not synced."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync folders
            raise
    finally:
        os.close(file)
