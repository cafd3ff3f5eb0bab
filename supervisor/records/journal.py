"""The journal: a folder of segments, each written by one process, each line final once it is acknowledged.

A segment holds content lines (`{"sha256": …, "content": …}`) and envelopes. Every envelope names the SHA-256 of all
bytes before it, so the segment is one chain over records and content alike. Each writer has segments of its own
(O_EXCL, O_APPEND, one `writev` a record): no lock is shared, and a frozen or killed writer holds up nobody.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from supervisor.errors import BadRecord, RecordFailed
from supervisor.history import address_of
from supervisor.records.checkpoint import Checkpoint, neighbour, newest_segments, write_checkpoint
from supervisor.records.envelope import Signer
from supervisor.records.head import BLOCK, head_path
from supervisor.records.keys import publish_key, published_keys
from supervisor.records.lines import MAX_LINE
from supervisor.records.register import NEIGHBOURS, Register, read_register, registering, write_register
from supervisor.records.segment import Chained, Segment
from supervisor.records.statement import content_line, members_of, statement
from supervisor.records.version_0_1 import UPGRADED, is_journal_of_0_1

_log = logging.getLogger(__name__)
_PATIENCE = 0.2  # seconds; a writer that is frozen while it registers holds up nobody for longer
SEGMENT_BYTES = 64 * 1024 * 1024
_RECENT = 64  # steps of a history that it remembers: whoever knows the newest ones lacks none before them

Content = tuple[str, bytes]  # address, JSON bytes
Lacking = Callable[[Container[str]], Iterable[Content]]  # what a store of these addresses lacks, oldest first


class Journal:
    """Appends signed records to segments in `folder`. Safe to share between threads; a forked child starts its own
    segment. `sync` waits for the disk with every record, which survives a power cut."""

    def __init__(self, folder: Path, signer: Signer, *, sync: bool = False) -> None:
        self._folder = folder
        self._signer = signer
        self._sync = sync
        self._segment: Segment | None = None
        self._left: list[Checkpoint] = []  # segments that could not be written on: the next one names them
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
        """Writes one record about `subject` (a SHA-256), and what the segment does not have yet of `contents` and of
        a `history`.

        Returns the record's line, whose SHA-256 is its address. When it returns, the record is in the folder (see
        `sync` for the disk). Raises RecordFailed if it could not be written whole, or does not stand where it is looked
        for.
        """
        members = members_of(predicate)
        with self._lock:
            try:
                segment = self._current()
                if not segment.is_registered:
                    self._register(segment)
                steps = list(history(segment.stored))
                others = {at: each for at, each in contents if at not in segment.stored}
                line = self._write(segment, kind, subject, members, dict(steps) | others)
                segment.look()
                segment.acknowledged = segment.chained
                segment.remember([*(at for at, _ in steps[-_RECENT:]), *others])
                segment.retold += sum(len(step) for _, step in steps[:-1])
                return line
            except OSError as error:
                self._leave()
                where = str(self._folder)
                raise RecordFailed(f"the record cannot be written: {error.strerror}", place=where) from error
            except BaseException:  # interrupted: what is on disk may be more than the chain here knows of
                self._abandon()
                raise

    def look(self) -> None:
        """Raises RecordFailed where the folder, or the segment that is written to, is not where it was."""
        with self._lock:
            try:
                if self._has_begun and not self._folder.is_dir():
                    raise OSError(errno.ENOENT, "the folder is gone")
                if self._segment is not None and self._segment.process == os.getpid():
                    self._segment.look()
            except OSError as error:
                raise RecordFailed(f"records are lost: {error.strerror}", place=str(self._folder)) from None

    def close(self) -> None:
        """Seals the segment: from now on, a record cut from its end is found."""
        with self._lock:
            segment, self._segment = self._segment, None
            if segment is not None and segment.process == os.getpid():
                self._seal(segment)

    def _current(self) -> Segment:
        """The segment to write to. One that is left is forgotten before it is closed, whatever interrupts that: its
        descriptors may be another file's by the next record."""
        segment = self._segment
        if segment is None or segment.process != os.getpid():
            self._abandon()  # in a forked child it stays its parent's
        elif segment.chained.size - segment.retold >= SEGMENT_BYTES:
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

    def _leave(self) -> None:
        """Abandons a segment that cannot be written on, and remembers what was in it: it may be lost."""
        segment = self._segment
        self._abandon()
        if segment is not None and segment.acknowledged.records:
            self._left = [*self._left, segment.told()][-NEIGHBOURS:]

    def _open(self) -> Segment:
        """A new segment, beginning with a record that names the newest others, so that a lost one is missed. From the
        register on, nothing that belongs to it may be missing."""
        self._make_folder()
        publish_key(self._folder, self._signer, sync=self._sync)
        with registering(self._folder, _PATIENCE) as has_turn:
            register, state = self._registered()
            now = datetime.now(UTC)
            name = f"{now:%Y%m%dT%H%M%S.%f}-{os.getpid()}-{os.urandom(3).hex()}"
            segment = Segment.create(self._folder, name)
            header = {"segment": name, "started": now.isoformat(), "register": state, "late": not has_turn}
            try:
                told = members_of(header | {"neighbours": self._neighbours(register)})
                self._write(segment, "segment", address_of(name.encode()), told, {})
                if self._sync:
                    os.fdatasync(segment.head)  # so that a power cut leaves an old one rather than none
                write_checkpoint(self._folder, segment.checkpoint(), self._signer, sync=self._sync)
                segment.look()
                if has_turn:
                    write_register(self._folder, register.with_segment(name), self._signer, sync=self._sync)
                segment.is_registered = has_turn
            except OSError:
                segment.remove()  # a full disk shall not fill up with beginnings
                raise
            except BaseException:  # interrupted: it may be registered already
                segment.close()
                raise
        segment.acknowledged = segment.chained
        self._left, self._has_begun = [], True
        return segment

    def _make_folder(self) -> None:
        """A folder that was there, and is not any more, is not made again: somebody has to know of it."""
        if not self._has_begun:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        elif not self._folder.is_dir():
            raise OSError(errno.ENOENT, "its folder is gone; bring it back, or make an empty one")

    def _registered(self) -> tuple[Register, str]:
        """What is known of earlier segments, and how: `kept`, `first`, UPGRADED, or what is wrong with the register."""
        key_id = self._signer.key_id
        try:
            found = read_register(self._folder, published_keys(self._folder)[0] | self._own())
        except BadRecord as error:
            return self._found(f"bad: {error.code}")
        if found is None and not any(name.endswith(".jsonl") for name in os.listdir(self._folder)):
            first = Register(0, (), key_id)
            write_register(self._folder, first, self._signer, sync=self._sync)
            return first, "first"
        if found is None and is_journal_of_0_1(self._folder):
            return self._found(UPGRADED, published_keys(self._folder)[0])
        if found is None:
            return self._found("missing")
        if found.key_id == key_id:
            return found, "kept"
        _log.warning("%s: records are signed by key %s from now on, not by %s", self._folder, key_id, found.key_id)
        return found, f"key: {found.key_id}"

    def _found(self, state: str, keys: Mapping[str, Any] | None = None) -> tuple[Register, str]:
        """The register anew, from what lies in the folder. That it had to be is said in the segment's header."""
        if state != UPGRADED:
            _log.warning(
                "%s: the register of segments is %s; `supervisor verify` says what is lost", self._folder, state
            )
        count = sum(name.endswith(".jsonl") for name in os.listdir(self._folder))
        return Register(count, tuple(newest_segments(self._folder, {**(keys or {}), **self._own()}))), state

    def _register(self, segment: Segment) -> None:
        """Registers a segment whose turn did not come when it began."""
        with registering(self._folder, 0) as has_turn:
            if has_turn:
                register, _ = self._registered()
                write_register(self._folder, register.with_segment(segment.name), self._signer, sync=self._sync)
                segment.is_registered = True

    def _own(self) -> dict[str, Any]:
        return {self._signer.key_id: self._signer.key.public_key()}

    def _neighbours(self, register: Register) -> list[dict[str, Any]]:
        """How far the segments had come that were here before, and those of this writer that it had to leave."""
        keys = published_keys(self._folder)[0] | self._own()
        left = {each.segment: each for each in self._left}
        found = {name: neighbour(self._folder, name, keys) for name in register.segments if name not in left}
        return [each.to_json() for each in (found | left).values()]

    def _write(self, segment: Segment, kind: str, subject: str, members: bytes, fresh: Mapping[str, bytes]) -> bytes:
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
        line = self._signer.seal(statement(kind, subject, place, members))
        digest.update(line)
        digest.update(b"\n")
        size = chained.size + len(before) + len(line) + 1
        segment.write(before, line, Chained(digest, size, chained.records + 1), sync=self._sync)
        if segment.chained.records % BLOCK == 0:
            self._checkpoint(segment, sealed=False)
        return line

    def _seal(self, segment: Segment) -> None:
        """Ends a segment with a record that says so. One that cannot be ended stays open, which verifies as well."""
        try:
            if not segment.is_registered:
                self._register(segment)
            self._write(segment, "end", address_of(segment.name.encode()), members_of({"segment": segment.name}), {})
            segment.look()
            self._checkpoint(segment, sealed=True)
            head_path(self._folder, segment.name).unlink()
        except OSError as error:
            _log.warning("%s: %s could not be sealed: %s", self._folder, segment.name, error.strerror)
            self._left = [*self._left, segment.told()][-NEIGHBOURS:]
        finally:
            segment.close()

    def _checkpoint(self, segment: Segment, *, sealed: bool) -> None:
        """A checkpoint that cannot be written loses no record; the next one says the same and more."""
        try:
            write_checkpoint(self._folder, segment.checkpoint(sealed=sealed), self._signer, sync=self._sync)
        except OSError as error:
            _log.warning("%s: no checkpoint could be written: %s", self._folder, error.strerror)
