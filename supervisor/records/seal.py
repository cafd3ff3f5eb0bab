"""The seal of an open segment: its signed length and digest, beside its head, renewed in place while records are added.

A seal is a checkpoint. A checkpoint's own file is replaced as a whole, which takes half a millisecond; a seal is
overwritten within the file of the head, which takes microseconds. It covers the records that have only a MAC.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from supervisor.errors import BadRecord
from supervisor.records.checkpoint import Checkpoint, checkpoint_line, read_checkpoint
from supervisor.records.envelope import Signer, open_envelope
from supervisor.records.head import HEAD_BYTES

if TYPE_CHECKING:
    from supervisor.records.keys import Keys

SEAL_BYTES = 1024
_IDLE_SECONDS = 60.0  # after so long without a record, the sealer looks whether its owner is still there
SEAL_SECONDS = 0.005  # from a record to the seal that covers it; a seal covers all records until then


def seal_of(checkpoint: Checkpoint, signer: Signer) -> bytes:
    """The seal that says what a checkpoint says. Its length is always SEAL_BYTES."""
    return _padded(checkpoint_line(checkpoint, signer))


def _padded(line: bytes) -> bytes:
    return line.ljust(SEAL_BYTES - 1) + b"\n"


def read_seal(head: bytes, segment: str, keys: Keys) -> Checkpoint | None:
    """The seal in the file of a head; None if none was written yet. Raises BadRecord for anything else."""
    raw = head[HEAD_BYTES:]
    if not raw:
        return None
    line = raw.rstrip(b" \n")
    if _padded(line) != raw:
        raise BadRecord("not a whole seal", code="bad_seal")
    seal = read_checkpoint(open_envelope(line, keys))
    if seal.segment != segment:
        raise BadRecord(f"the seal of segment {seal.segment}", code="bad_seal")
    return seal


class Sealer:
    """Calls `seal` SEAL_SECONDS after the first `due`, in a thread of its own, until it ends or the owner of `seal` is
    gone."""

    def __init__(self, seal: Callable[[], None]) -> None:
        self._is_due = threading.Event()
        self._ended = threading.Event()
        self._seal = weakref.WeakMethod(seal)  # without a callback, which might run inside the events' own locks
        self._thread: threading.Thread | None = None

    def due(self) -> None:
        """There is something to seal."""
        if not self._is_due.is_set():
            self._is_due.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="supervisor-sealer", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Ends the thread, without waiting for it."""
        self._ended.set()
        self._is_due.set()

    def _run(self) -> None:
        while not self._ended.is_set() and self._seal() is not None:
            if not self._is_due.wait(_IDLE_SECONDS):
                continue
            self._ended.wait(SEAL_SECONDS)
            self._is_due.clear()
            if not self._ended.is_set():
                self._call()

    def _call(self) -> None:
        """In a function of its own, whose variables do not keep the owner alive while the thread waits."""
        if seal := self._seal():
            seal()
