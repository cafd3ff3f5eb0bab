"""Reading and replacing files where others may have put a link, a pipe, a folder, or more than fits in memory."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

NOT_REGULAR = (errno.ELOOP, errno.EINVAL, errno.EFBIG, errno.ENXIO)  # what was put there, not what the system lacks


def open_regular(path: Path, *, follow: bool = False) -> int:
    """A descriptor to read a regular file with. Opening never waits, as it would for the writer of a pipe (CWE-367:
    what was opened is looked at, not what stood there before). A link is refused unless `follow`. Raises OSError."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    try:
        file = os.open(path, flags)
    except ValueError:  # NUL in its name
        raise OSError(errno.EINVAL, "no path") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "a symbolic link, not a regular file") from None
        raise
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.EINVAL, "not a regular file")


def read_regular(path: Path, limit: int, *, follow: bool = False) -> bytes:
    """The bytes of a regular file of at most `limit` bytes. Raises OSError for anything else."""
    with open(open_regular(path, follow=follow), "rb") as file:
        raw = file.read(limit + 1)
    if len(raw) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit:,} bytes")
    return raw


def replace_private(path: Path, content: bytes, *, sync: bool = False) -> None:
    """Puts a whole file (mode 0600) in place of another, or leaves that one; on the disk if `sync`. Raises OSError."""
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
    """Waits until the names in a folder are on the disk: a file that is synced alone can be lost with its name."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems sync no folders
            raise
    finally:
        os.close(file)
