"""One segment as its writer has it: two open files, and the chain so far.

An open descriptor may no longer be the file in the folder: the folder was removed, renamed, mounted over or swapped, or
the file unlinked, replaced or cut. The kernel still accepts each write, but no reader will find it. So after every
write the names are looked up again (CWE-672).
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from supervisor.intake.files import open_file
from supervisor.records.checkpoint import Checkpoint, checkpoint_path
from supervisor.records.head import HEAD_BYTES, Chain, head_path
from supervisor.records.lines import MAX_LINE
from supervisor.records.seal import SEAL_SECONDS

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
_Identity = tuple[int, int]
MOST_STORED = 8_192  # addresses of content that a writer remembers; forgotten content is written once more


@dataclass(frozen=True, slots=True)
class Chained:
    """The state of a segment's chain: digest, bytes, number of records."""

    digest: Any = field(default_factory=hashlib.sha256)
    size: int = 0
    records: int = 0


@dataclass(slots=True)
class Segment:
    """A segment that is written to. `acknowledged` is the state after the last acknowledged record, `chained` that of
    the file."""

    name: str
    folder: Path
    file: int
    head: int
    process: int
    chained: Chained = field(default_factory=Chained)
    acknowledged: Chained = field(default_factory=Chained)
    repeated: int = 0  # bytes of histories that an earlier segment also has; repeated so that this one is complete
    begun: float = field(default_factory=time.time)  # seconds since the epoch: a machine's sleep counts
    is_registered: bool = False
    unsigned_since: float | None = None  # on the monotonic clock: the first record after the last signed one
    stored: dict[str, None] = field(default_factory=dict)  # addresses, the oldest first
    tokens: Chain = field(default_factory=Chain)
    _places: tuple[tuple[str, _Identity], ...] = ()

    @classmethod
    def create(cls, folder: Path, name: str) -> Segment:
        """A new, empty segment. Its head is created first: a segment without one was tampered with. Raises OSError."""
        path, beside = segment_path(folder, name), head_path(folder, name)
        head = os.open(beside, _NEW, 0o600)
        try:
            file = os.open(path, _NEW | os.O_APPEND, 0o600)
        except OSError:
            os.close(head)
            beside.unlink(missing_ok=True)
            raise
        _mark_open(file)
        segment = cls(name, folder, file, head, os.getpid())
        segment._places = ((str(beside), _identity(os.fstat(head))), (str(path), _identity(os.fstat(file))))
        return segment

    def write(self, before: bytes, line: bytes, chained: Chained, *, sync: bool) -> None:
        """Appends a record's line, and the content `before` it. Raises OSError if they were not written completely."""
        if len(line) >= MAX_LINE:
            raise OSError(errno.EFBIG, f"a line of {len(line):,} bytes is larger than any reader takes")
        if os.writev(self.file, (before, line, b"\n")) != chained.size - self.chained.size:
            os.ftruncate(self.file, self.chained.size)  # it was not acknowledged
            raise OSError(errno.ENOSPC, "the disk took only a part of it")
        if sync:
            os.fdatasync(self.file)
        self.chained = chained
        os.pwrite(self.head, self.tokens.head(chained.records), 0)

    def renew_seal(self, seal: bytes) -> None:
        """Writes a seal of all records in place of the last one. Raises OSError."""
        if os.pwrite(self.head, seal, HEAD_BYTES) != len(seal):
            raise OSError(errno.ENOSPC, "the disk took only a part of it")

    def is_signature_due(self) -> bool:
        """Whether a record has waited SEAL_SECONDS for a signature: on a busy machine, the sealer may be late."""
        return self.unsigned_since is not None and time.monotonic() - self.unsigned_since >= SEAL_SECONDS

    def note_signature(self, *, is_signed: bool) -> None:
        """Notes whether the last record was signed, and with it all before it."""
        if is_signed:
            self.unsigned_since = None
        elif self.unsigned_since is None:
            self.unsigned_since = time.monotonic()

    def remember(self, addresses: Iterable[str]) -> None:
        """Notes that these addresses are stored. If there are too many, the older half is forgotten."""
        self.stored.update(dict.fromkeys(addresses))
        if len(self.stored) > MOST_STORED:
            self.stored = dict.fromkeys(list(self.stored)[-MOST_STORED // 2 :])

    def look(self) -> None:
        """Raises OSError if the files of the segment's names are not the open ones, or if the file's size is not what
        was written."""
        for path, identity in self._places:
            try:
                status = os.lstat(path)
            except OSError as error:
                raise OSError(errno.ESTALE, f"{self.name} is not to be found any more: {error.strerror}") from None
            if _identity(status) != identity:
                raise OSError(errno.ESTALE, f"{self.name} is another file than the one that was written to")
        if status.st_size != self.chained.size:
            raise OSError(errno.ESTALE, f"{self.name} has {status.st_size} bytes, not the {self.chained.size} written")

    def checkpoint(self, *, sealed: bool = False) -> Checkpoint:
        """The checkpoint of all that is in the file."""
        return _checkpoint(self.name, self.chained, sealed=sealed)

    def acknowledged_checkpoint(self) -> Checkpoint:
        """The checkpoint of all acknowledged records."""
        return _checkpoint(self.name, self.acknowledged, sealed=False)

    def close(self) -> None:
        """Closes its files."""
        os.close(self.file)
        os.close(self.head)

    def remove(self) -> None:
        """Closes the segment and removes it: none of its records was acknowledged. If it cannot be removed, `verify`
        recognizes it as a segment that was only begun."""
        self.close()
        beside = (checkpoint_path(self.folder, self.name), head_path(self.folder, self.name))
        with contextlib.suppress(OSError):
            for path in (*beside, segment_path(self.folder, self.name)):
                path.unlink(missing_ok=True)


def is_open(folder: Path, name: str) -> bool:
    """Whether a writer still has the segment open. If the file system cannot tell, it counts as open."""
    import fcntl

    try:
        file = open_file(segment_path(folder, name), os.O_RDONLY, own=True)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def _mark_open(file: int) -> None:
    """Takes the lock by which `is_open` recognizes a segment. The kernel releases it when the last descriptor closes,
    whatever ends the process."""
    import fcntl

    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def segment_path(folder: Path, name: str) -> Path:
    """The path of a segment."""
    return folder / f"{name}.jsonl"


def _identity(status: os.stat_result) -> _Identity:
    return status.st_dev, status.st_ino


def _checkpoint(name: str, chained: Chained, *, sealed: bool) -> Checkpoint:
    return Checkpoint(name, chained.records, chained.size, chained.digest.hexdigest(), sealed)
