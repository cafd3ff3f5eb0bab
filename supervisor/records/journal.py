"""The journal: a folder of segments, each written by one process, each line final once it is acknowledged.

A segment holds content lines (`{"sha256": …, "content": …}`) and envelopes. Every envelope names the SHA-256 of all
bytes before it, so the segment is one chain over records and content alike. Each writer has segments of its own
(O_EXCL, O_APPEND, one `writev` a record): no lock is shared, and a frozen or killed writer holds up nobody.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import threading
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from supervisor.errors import RecordFailed
from supervisor.history import address_of
from supervisor.records.checkpoint import (
    Checkpoint,
    head_line,
    head_path,
    newest_checkpoints,
    write_checkpoint,
)
from supervisor.records.envelope import Signer
from supervisor.records.statement import content_line, members_of, statement

_log = logging.getLogger(__name__)
CHECKPOINT_EVERY = 64  # records; how many a killed process leaves without a checkpoint, at most
SEGMENT_BYTES = 64 * 1024 * 1024
MOST_STORED = 8_192  # addresses of content that a writer remembers; what it has forgotten is written once more
_RECENT = 64  # steps of a history that it remembers: whoever knows the newest ones lacks none before them

Content = tuple[str, bytes]  # address, JSON bytes
Lacking = Callable[[Container[str]], Iterable[Content]]  # what a store of these addresses lacks, oldest first


@dataclass(slots=True)
class _Segment:
    name: str
    file: int
    head: int
    process: int
    records: int = 0
    size: int = 0
    retold: int = 0  # bytes of histories that an earlier segment holds, too, and this one repeats to stand alone
    digest: Any = field(default_factory=hashlib.sha256)
    stored: dict[str, None] = field(default_factory=dict)  # addresses, the oldest first

    def remember(self, addresses: Iterable[str]) -> None:
        """That these are stored. Where there are too many, the older half is forgotten."""
        self.stored.update(dict.fromkeys(addresses))
        if len(self.stored) > MOST_STORED:
            self.stored = dict.fromkeys(list(self.stored)[-MOST_STORED // 2 :])

    def close(self) -> None:
        os.close(self.file)
        os.close(self.head)

    def checkpoint(self, *, sealed: bool) -> Checkpoint:
        return Checkpoint(self.name, self.records, self.size, self.digest.hexdigest(), sealed)


class Journal:
    """Appends signed records to segments in `folder`. Safe to share between threads; a forked child starts its own
    segment. `sync` waits for the disk with every record, which survives a power cut."""

    def __init__(self, folder: Path, signer: Signer, *, sync: bool = False) -> None:
        self._folder = folder
        self._signer = signer
        self._sync = sync
        self._segment: _Segment | None = None
        self._lock = threading.Lock()

    def append(
        self,
        kind: str,
        predicate: Mapping[str, Any],
        subject: str,
        contents: Iterable[Content] = (),
        history: Lacking = lambda _: (),
    ) -> bytes:
        """Writes one record about `subject` (a SHA-256), and what the segment does not have yet of `contents` and of
        a `history`.

        Returns the record's line, whose SHA-256 is its address. When it returns, the record is on disk (see `sync`).
        Raises RecordFailed if it could not be written whole.
        """
        members = members_of(predicate)
        with self._lock:
            try:
                segment = self._current()
                steps = list(history(segment.stored))
                others = {at: each for at, each in contents if at not in segment.stored}
                line = self._write(segment, kind, subject, members, dict(steps) | others)
                segment.remember([*(at for at, _ in steps[-_RECENT:]), *others])
                segment.retold += sum(len(step) for _, step in steps[:-1])
                return line
            except OSError as error:
                self._abandon()
                where = str(self._folder)
                raise RecordFailed(f"the record cannot be written: {error.strerror}", place=where) from None
            except BaseException:  # interrupted: what is on disk may be more than the chain here knows of
                self._abandon()
                raise

    def close(self) -> None:
        """Seals the segment: from now on, a record cut from its end is found."""
        with self._lock:
            segment, self._segment = self._segment, None
            if segment is not None and segment.process == os.getpid():
                self._seal(segment)

    def _current(self) -> _Segment:
        """The segment to write to. One that is left is forgotten before it is closed, whatever interrupts that: its
        descriptors may be another file's by the next record."""
        segment = self._segment
        if segment is None or segment.process != os.getpid():
            self._abandon()  # in a forked child it stays its parent's
        elif segment.size - segment.retold >= SEGMENT_BYTES:
            self._segment = None
            self._seal(segment)
        if self._segment is None:
            self._segment = self._open()
        return self._segment

    def _abandon(self) -> None:
        """Leaves a segment; the next record begins another."""
        segment, self._segment = self._segment, None
        if segment is not None:
            segment.close()

    def _open(self) -> _Segment:
        """A new segment, beginning with a record that names the newest others, so that a lost one is missed."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._publish_key()
        neighbours = newest_checkpoints(self._folder)
        now = datetime.now(UTC)
        name = f"{now:%Y%m%dT%H%M%S.%f}-{os.getpid()}-{os.urandom(3).hex()}"
        segment = self._create(name)
        header = {"segment": name, "started": now.isoformat(), "neighbours": [each.to_json() for each in neighbours]}
        try:
            self._write(segment, "segment", address_of(name.encode()), members_of(header), {})
            write_checkpoint(self._folder, segment.checkpoint(sealed=False), self._signer)
        except OSError:
            segment.close()
            self._remove(name)  # nothing in it was acknowledged, and a full disk shall not fill up with beginnings
            raise
        return segment

    def _create(self, name: str) -> _Segment:
        new = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        file = os.open(self._path(name), new | os.O_APPEND, 0o600)
        try:
            return _Segment(name, file, os.open(head_path(self._folder, name), new, 0o600), os.getpid())
        except OSError:
            os.close(file)
            self._remove(name)
            raise

    def _remove(self, name: str) -> None:
        self._path(name).unlink()
        head_path(self._folder, name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jsonl"

    def _write(self, segment: _Segment, kind: str, subject: str, members: bytes, fresh: Mapping[str, bytes]) -> bytes:
        before = b"".join([content_line(address, content) for address, content in fresh.items()])
        digest = segment.digest.copy()
        digest.update(before)
        place = b'"sequence":%d,"prefix":"%s"' % (segment.records, digest.hexdigest().encode())
        line = self._signer.seal(statement(kind, subject, place, members))
        digest.update(line)
        digest.update(b"\n")
        size = len(before) + len(line) + 1
        if os.writev(segment.file, (before, line, b"\n")) != size:
            os.ftruncate(segment.file, segment.size)  # nobody was told of it
            raise OSError(errno.ENOSPC, "the disk took only a part of it")
        if self._sync:
            os.fdatasync(segment.file)
        segment.digest, segment.size, segment.records = digest, segment.size + size, segment.records + 1
        os.pwrite(segment.head, head_line(segment.records, digest.hexdigest()), 0)
        if segment.records % CHECKPOINT_EVERY == 0:
            self._checkpoint(segment, sealed=False)
        return line

    def _seal(self, segment: _Segment) -> None:
        """Ends a segment with a record that says so. One that cannot be ended stays open, which verifies as well."""
        try:
            self._write(segment, "end", address_of(segment.name.encode()), members_of({"segment": segment.name}), {})
            self._checkpoint(segment, sealed=True)
            head_path(self._folder, segment.name).unlink()
        except OSError as error:
            _log.warning("%s: %s could not be sealed: %s", self._folder, segment.name, error.strerror)
        finally:
            segment.close()

    def _checkpoint(self, segment: _Segment, *, sealed: bool) -> None:
        """A checkpoint that cannot be written loses no record; the next one says the same and more."""
        try:
            write_checkpoint(self._folder, segment.checkpoint(sealed=sealed), self._signer)
        except OSError as error:
            _log.warning("%s: no checkpoint could be written: %s", self._folder, error.strerror)

    def _publish_key(self) -> None:
        path = self._folder / "keys" / f"{self._signer.key_id}.pem"
        if not path.exists():
            path.parent.mkdir(exist_ok=True, mode=0o700)
            fresh = path.with_suffix(f".{os.getpid()}.tmp")
            try:
                fresh.write_bytes(self._signer.public_pem)
                fresh.replace(path)
            except OSError:
                fresh.unlink(missing_ok=True)
                raise
