"""The journal: a folder of segments, each written by one process, each line final once it is acknowledged.

A segment holds content lines (`{"sha256": …, "content": …}`) and envelopes. Every envelope names the SHA-256 of all
bytes before it, so the segment is one chain over records and content alike. Each writer has segments of its own
(O_EXCL, O_APPEND, one `writev` a record): writers share no lock, and a frozen or killed writer delays no other.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
import time
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from supervisor.errors import RecordFailed
from supervisor.history import Content, address_of
from supervisor.records.beginning import found_register, neighbours_of, trusted_by
from supervisor.records.checkpoint import Checkpoint, write_checkpoint
from supervisor.records.envelope import Signer
from supervisor.records.head import BLOCK, head_path
from supervisor.records.keys import publish_key
from supervisor.records.lines import MAX_LINE
from supervisor.records.macs import may_have_mac
from supervisor.records.register import NEIGHBOURS, registering, write_register
from supervisor.records.seal import Sealer, seal_of
from supervisor.records.segment import Chained, Segment, segment_path
from supervisor.records.statement import content_line, members_of, statement

_log = logging.getLogger(__name__)
_PATIENCE = 0.2  # seconds; a writer that is frozen while it registers delays others no longer
SEGMENT_BYTES = 64 * 1024 * 1024  # a segment of this size is sealed, and the next record begins another
SEGMENT_SECONDS = 86_400.0  # so is one of this age
_RECENT = 64  # steps of a history that are remembered as stored: all steps before the newest ones are stored too

Lacking = Callable[[Container[str]], Iterable[Content]]  # the contents missing from a store of addresses, oldest first


class Journal:
    """Appends signed records to segments in `folder`. Safe to share between threads; a forked child starts its own
    segment. `sync` waits for the disk with every record, which survives a power cut. A segment is sealed, and the next
    one begun, after `most_bytes` or `most_seconds`. With `seals`, a record that need not prove itself alone gets a MAC,
    and a seal signs all of them SEAL_SECONDS later."""

    def __init__(
        self,
        folder: Path,
        signer: Signer,
        *,
        sync: bool = False,
        seals: bool = False,
        most_bytes: float = SEGMENT_BYTES,
        most_seconds: float = SEGMENT_SECONDS,
    ) -> None:
        self._folder = folder
        self._signer = signer
        self._sync = sync
        self._seals = seals
        self._sealer: Sealer | None = None
        self._most_bytes = most_bytes
        self._most_seconds = most_seconds
        self._segment: Segment | None = None
        self._left_segments: list[
            Checkpoint
        ] = []  # segments left after a failure; the header of the next one names them
        self._has_begun = False
        self._lock = threading.Lock()

    def append(
        self,
        kind: str,
        predicate: Mapping[str, Any],
        subject: str,
        contents: Iterable[Content] = (),
        history: Lacking = lambda _: (),
    ) -> bytes:
        """Writes one record about `subject` (a SHA-256), and those `contents` and steps of `history` that the segment
        does not have yet.

        Returns the record's line, whose SHA-256 is its address. The record is then in the folder (see `sync` for the
        disk). Raises RecordFailed if it could not be written completely, or if the segment's file was moved or
        replaced.
        """
        members, may_wait = members_of(predicate), self._seals and may_have_mac(kind, predicate)
        with self._lock:
            try:
                segment = self._current()
                if not segment.is_registered:
                    self._register(segment)
                steps = list(history(segment.stored))
                others = {at: each for at, each in contents if at not in segment.stored}
                fresh = dict(steps) | others
                line = self._write(segment, kind, subject, members, fresh, may_wait=may_wait)
                segment.look()
                segment.acknowledged = segment.chained
                if segment.unsigned_since is not None and self._sealer is not None:
                    self._sealer.due()
                segment.remember([*(at for at, _ in steps[-_RECENT:]), *others])
                segment.repeated += sum(len(step) for _, step in steps[:-1])
                return line
            except OSError as error:
                self._leave()
                where = str(self._folder)
                raise RecordFailed(f"the record cannot be written: {error.strerror}", place=where) from error
            except BaseException:  # interrupted: the disk may have more than the chain in memory
                self._abandon()
                raise

    def look(self) -> None:
        """Raises RecordFailed if the folder or the current segment was moved, removed or replaced."""
        with self._lock:
            try:
                if self._has_begun and not self._folder.is_dir():
                    raise OSError(errno.ENOENT, "the folder is gone")
                if self._segment is not None and self._segment.process == os.getpid():
                    self._segment.look()
            except OSError as error:
                raise RecordFailed(f"records are lost: {error.strerror}", place=str(self._folder)) from None

    @property
    def writing(self) -> Path | None:
        """The segment that the next record goes to, unless it is full; None before the first record."""
        with self._lock:
            return None if self._segment is None else segment_path(self._folder, self._segment.name)

    def close(self) -> None:
        """Seals the segment: from now on, `verify` detects any record cut from its end."""
        with self._lock:
            segment, self._segment = self._segment, None
            if segment is not None and segment.process == os.getpid():
                self._seal(segment)

    def _current(self) -> Segment:
        """The segment to write to. `_segment` is cleared before the old segment is closed, even if that is interrupted:
        its descriptors may belong to another file by the next record."""
        segment = self._segment
        if segment is None or segment.process != os.getpid():
            self._abandon()  # in a forked child, the segment still belongs to the parent
        elif self._is_full(segment):
            self._segment = None
            self._seal(segment)
        if self._segment is None:
            self._segment = self._open()
        return self._segment

    def _is_full(self, segment: Segment) -> bool:
        age = time.time() - segment.begun
        return segment.chained.size - segment.repeated >= self._most_bytes or age >= self._most_seconds

    def _abandon(self) -> None:
        """Closes the segment without sealing it; the next record begins another."""
        segment, self._segment = self._segment, None
        if segment is not None:
            segment.close()
            self._end_sealer(segment)

    def _end_sealer(self, segment: Segment) -> None:
        sealer, self._sealer = self._sealer, None
        if sealer is not None and segment.process == os.getpid():  # a forked child has not got its thread
            sealer.end()

    def _renew_seal(self) -> None:
        """Signs all acknowledged records of the segment. The sealer's thread runs this; it holds the lock only while it
        writes, so that no record waits for a signature."""
        segment = self._segment
        if segment is None or segment.unsigned_since is None:
            return
        sealed, looked = segment.acknowledged_checkpoint(), time.monotonic()
        seal = seal_of(sealed, self._signer)
        with self._lock:
            if self._segment is segment:  # the descriptor of a closed one may be another file by now
                self._write_seal(segment, seal)
                segment.unsigned_since = None if segment.chained.records == sealed.records else looked

    def _write_seal(self, segment: Segment, seal: bytes) -> None:
        """Writes a seal. A failure loses no record: the next seal covers the same records and more."""
        try:
            segment.renew_seal(seal)
        except OSError as error:
            _log.warning("%s: %s has no new seal: %s", self._folder, segment.name, error.strerror)

    def _leave(self) -> None:
        """Abandons a segment that cannot be written any more. The next header names it, since it may be lost."""
        segment = self._segment
        if segment is not None and segment.process == os.getpid() and self._sealer is not None:
            self._write_seal(segment, seal_of(segment.checkpoint(), self._signer))
        self._abandon()
        if segment is not None and segment.acknowledged.records:
            self._left_segments = [*self._left_segments, segment.acknowledged_checkpoint()][-NEIGHBOURS:]

    def _open(self) -> Segment:
        """A new segment. Its header names the newest other segments, so that a lost one is noticed. Once it is in the
        register, all of its files must exist."""
        self._make_folder()
        publish_key(self._folder, self._signer, sync=self._sync)
        with registering(self._folder, _PATIENCE) as has_lock:
            register, state = found_register(self._folder, self._signer, sync=self._sync)
            now = datetime.now(UTC)
            name = f"{now:%Y%m%dT%H%M%S.%f}-{os.getpid()}-{os.urandom(3).hex()}"
            segment = Segment.create(self._folder, name)
            keys = trusted_by(self._folder, self._signer)
            header = {"segment": name, "started": now.isoformat(), "register": state, "late": not has_lock}
            try:
                members = members_of(
                    header | {"neighbours": neighbours_of(register, self._folder, keys, self._left_segments)}
                )
                self._write(segment, "segment", address_of(name.encode()), members, {})
                if self._sync:
                    os.fdatasync(segment.head)  # so that a power cut leaves an old head rather than none
                write_checkpoint(self._folder, segment.checkpoint(), self._signer, sync=self._sync)
                segment.look()
                if has_lock:
                    write_register(self._folder, register.with_segment(name), self._signer, sync=self._sync)
                segment.is_registered = has_lock
            except OSError:
                segment.remove()  # a full disk must not collect empty segments
                raise
            except BaseException:  # interrupted: it may be registered already
                segment.close()
                raise
        segment.acknowledged = segment.chained
        self._left_segments, self._has_begun = [], True
        self._sealer = self._sealer_of()
        return segment

    def _sealer_of(self) -> Sealer | None:
        return Sealer(self._renew_seal) if self._seals else None

    def _make_folder(self) -> None:
        """Creates the folder before the first record. If it disappears later, raises OSError: records were lost."""
        if not self._has_begun:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        elif not self._folder.is_dir():
            raise OSError(errno.ENOENT, "its folder is gone; bring it back, or make an empty one")

    def _register(self, segment: Segment) -> None:
        """Registers a segment that did not get the lock when it began."""
        with registering(self._folder, 0) as has_lock:
            if has_lock:
                register, _ = found_register(self._folder, self._signer, sync=self._sync)
                write_register(self._folder, register.with_segment(segment.name), self._signer, sync=self._sync)
                segment.is_registered = True

    def _write(
        self,
        segment: Segment,
        kind: str,
        subject: str,
        members: bytes,
        fresh: Mapping[str, bytes],
        *,
        may_wait: bool = False,
    ) -> bytes:
        contents = [content_line(address, content) for address, content in fresh.items()]
        if max(map(len, contents), default=0) > MAX_LINE:
            raise OSError(errno.EFBIG, "a part of it is larger than any reader takes")
        before = b"".join(contents)
        chained = segment.chained
        digest = chained.digest.copy()
        digest.update(before)
        place = b'"sequence":%d,"prefix":"%s"' % (chained.records, digest.hexdigest().encode())
        if anchor := segment.tokens.anchor(chained.records):
            place += b',"anchor":"%s"' % anchor.encode()
        written = statement(kind, subject, place, members)
        has_mac = may_wait and not anchor and not segment.is_signature_due()
        line = self._signer.mac(written) if has_mac else self._signer.sign(written)
        digest.update(line)
        digest.update(b"\n")
        size = chained.size + len(before) + len(line) + 1
        segment.write(before, line, Chained(digest, size, chained.records + 1), sync=self._sync)
        segment.note_signature(is_signed=not has_mac)
        if segment.chained.records % BLOCK == 0:
            self._checkpoint(segment, sealed=False)
        return line

    def _seal(self, segment: Segment) -> None:
        """Ends a segment with an `end` record. If that fails it stays unsealed, which verifies as well."""
        try:
            if not segment.is_registered:
                self._register(segment)
            self._write(segment, "end", address_of(segment.name.encode()), members_of({"segment": segment.name}), {})
            segment.look()
            self._checkpoint(segment, sealed=True)
            head_path(self._folder, segment.name).unlink()
        except OSError as error:
            _log.warning("%s: %s could not be sealed: %s", self._folder, segment.name, error.strerror)
            self._left_segments = [*self._left_segments, segment.acknowledged_checkpoint()][-NEIGHBOURS:]
        finally:
            segment.close()
            self._end_sealer(segment)

    def _checkpoint(self, segment: Segment, *, sealed: bool) -> None:
        """Writes a checkpoint. A failure loses no record: the next checkpoint covers the same records and more."""
        try:
            write_checkpoint(self._folder, segment.checkpoint(sealed=sealed), self._signer, sync=self._sync)
        except OSError as error:
            _log.warning("%s: no checkpoint could be written: %s", self._folder, error.strerror)
