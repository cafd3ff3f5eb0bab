"""What a process prints: drained all the time, so that it never blocks, and kept up to a bound."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_CHUNK = 65536


@dataclass(frozen=True, slots=True)
class Bound:
    """How many bytes are kept of the beginning and of the end."""

    head: int = 1_000_000
    tail: int = 1_000_000


class Kept:
    """The beginning and the end of a stream, and how many bytes between them were dropped."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, chunk: bytes) -> bytes:
        """Takes in what comes next. Returns the part that belongs to the beginning."""
        self.total += len(chunk)
        first = chunk[: self._bound.head - len(self._head)]
        self._head += first
        self._tail += chunk[len(first) :]
        if len(self._tail) > 2 * self._bound.tail + _CHUNK:  # seldom, so that each byte is moved about once
            self._shorten()
        return first

    @property
    def dropped(self) -> int:
        return self.total - len(self._head) - min(len(self._tail), self._bound.tail)

    def end(self) -> bytes:
        """What is kept after the beginning. If something between was dropped, a line says how much."""
        self._shorten()
        mark = f"\n[… {self.dropped} bytes are not kept …]\n".encode() if self.dropped else b""
        return mark + bytes(self._tail)

    def content(self) -> bytes:
        return bytes(self._head) + self.end()

    def _shorten(self) -> None:
        del self._tail[: max(0, len(self._tail) - self._bound.tail)]


class Drain:
    """Reads a pipe to its end in a thread. `listener` gets every chunk, in that thread. With a file, the beginning is
    written to it as it comes, so that a crash loses none of it, and the rest at the end."""

    def __init__(
        self, pipe: int, bound: Bound, file: Path | None = None, listener: Callable[[bytes], None] | None = None
    ) -> None:
        """Owns the pipe from now on. Raises OSError if the file cannot be made, and closes the pipe then."""
        self._pipe = pipe
        self._kept = Kept(bound)
        self._lock = threading.Lock()
        self._listener = listener
        try:
            self._file = None if file is None else _new_file(file)
        except OSError:
            os.close(pipe)
            raise
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="drain", daemon=True)
        self._thread.start()

    def content(self) -> bytes:
        """What is kept so far."""
        with self._lock:
            return self._kept.content()

    @property
    def total(self) -> int:
        """The number of bytes so far, kept or not."""
        return self._kept.total

    def finish(self, seconds: float) -> bool:
        """Waits until everything is read. Returns False if a process still holds the pipe after so many seconds.
        Raises what the listener or the file raised: the pipe was drained and kept nevertheless."""
        self._thread.join(seconds)
        if self._failure is not None:
            raise self._failure
        return not self._thread.is_alive()

    def _run(self) -> None:
        while chunk := _read(self._pipe):
            with self._lock:
                first = self._kept.add(chunk)
            self._try(self._pass_on, first, chunk)
        os.close(self._pipe)
        self._try(self._end_file)
        if self._file is not None:
            os.close(self._file)

    def _try(self, step: Callable[..., None], *values: bytes) -> None:
        """Runs a step unless an earlier one has failed: whoever waits for the end hears of the first failure."""
        try:
            if self._failure is None:
                step(*values)
        except Exception as error:  # noqa: BLE001 - the pipe must be drained whatever a listener does
            self._failure = error

    def _pass_on(self, first: bytes, chunk: bytes) -> None:
        if self._file is not None:
            _write(self._file, first)
        if self._listener is not None:
            self._listener(chunk)

    def _end_file(self) -> None:
        if self._file is not None:
            _write(self._file, self._kept.end())


def _read(pipe: int) -> bytes:
    """What comes next; empty at the end. The end of a terminal is an error (EIO)."""
    try:
        return os.read(pipe, _CHUNK)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        return b""


def _new_file(file: Path) -> int:
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)


def _write(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]
