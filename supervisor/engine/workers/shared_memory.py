"""The memory that a host and one worker share: the question, how far the worker is, and what it has found.

It belongs to no process alone, so what was found is still there after the worker was killed. Each word has one writer:
the worker says where it is and what it found, the host what to judge and where to stop.
"""

from __future__ import annotations

import mmap
import time
from typing import Any

import orjson

_HEADER = 4096  # bytes, of which nine words are used
_FOUND = 16 * 1024 * 1024
QUESTION_BYTES = 64 * 1024 * 1024  # the largest question; pages that nobody touches cost nothing
_PIECE = 1024 * 1024  # bytes that are written before other threads may run: pages touched first cost 1 ms a megabyte
_QUESTION = _HEADER + _FOUND
SIZE = _QUESTION + QUESTION_BYTES
_SMALL = 16 * 1024 * 1024  # bytes of a question. A worker that is ended for a larger one forgets what it was told
_READY, _READ, _STOP_BEFORE, _AT, _SINCE, _READER, _FOUND_BYTES, _QUESTION_BYTES, _PROCESS = range(9)


class SharedMemory:
    """One worker's shared memory, seen from either side. Times are `time.monotonic()`, the same in both processes."""

    def __init__(self, file: int) -> None:
        self._memory = mmap.mmap(file, SIZE)
        self._header = memoryview(self._memory)[: 8 * (_PROCESS + 1)]
        self._words = self._header.cast("Q")
        self._times = self._header.cast("d")

    # The host writes a question and reads how it goes.

    def ask(self, question: bytes, stop_before: int) -> None:
        """Puts a question. `stop_before` is the number of the first specialist that is not to be asked."""
        whole = memoryview(question)
        for start in range(0, len(question), _PIECE):
            piece = whole[start : start + _PIECE]
            self._memory[_QUESTION + start : _QUESTION + start + len(piece)] = piece
        words = self._words
        words[_QUESTION_BYTES], words[_STOP_BEFORE] = len(question), stop_before
        words[_READ] = words[_AT] = words[_READER] = words[_FOUND_BYTES] = 0

    def stop_before(self, number: int) -> None:
        """Has the worker stop early: somebody else asks the specialists from `number` on."""
        self._words[_STOP_BEFORE] = number

    @property
    def is_large(self) -> bool:
        """Whether the question takes much memory, which stays allocated as long as the shared memory."""
        return self._words[_QUESTION_BYTES] > _SMALL

    @property
    def is_ready(self) -> bool:
        """Whether the worker has what it needs to judge: before that, no clock runs."""
        return self._words[_READY] != 0

    @is_ready.setter
    def is_ready(self, ready: bool) -> None:
        self._words[_READY] = ready

    @property
    def is_read(self) -> bool:
        """Whether the worker has read the question, which may bring a long history."""
        return self._words[_READ] != 0

    @property
    def at(self) -> int | None:
        """The number of the specialist that is being asked, None between two."""
        number = self._words[_AT]
        return number - 1 if number else None

    @property
    def since(self) -> float:
        """When the worker began with it."""
        return self._times[_SINCE]

    @property
    def process(self) -> int:
        """The worker's process id, 0 before it has said so."""
        return self._words[_PROCESS]

    @process.setter
    def process(self, number: int) -> None:
        self._words[_PROCESS] = number

    @property
    def progress(self) -> tuple[int, ...]:
        """What changes as long as the worker goes on."""
        return tuple(self._words)

    @property
    def reader(self) -> int:
        """The number of the evidence reader that is at work, 0 outside of any."""
        return self._words[_READER]

    def found(self) -> list[list[Any]]:
        """What was found so far: `[number]` for a plain ok, else `[number, opinion]`. ValueError where it cannot be
        read."""
        written = self._memory[_HEADER : _HEADER + min(self._words[_FOUND_BYTES], _FOUND)]
        found: list[list[Any]] = orjson.loads(b"[%b]" % written[:-1])
        return found

    # The worker reads the question and writes how it goes.

    @property
    def reader_cell(self) -> memoryview:
        """Where the reader at work is noted."""
        return self._words[_READER : _READER + 1]

    def question(self) -> Any:
        """The question put last."""
        return orjson.loads(self._memory[_QUESTION : _QUESTION + self._words[_QUESTION_BYTES]])

    def has_read(self) -> None:
        """From now on the clocks run."""
        self._words[_READ] = 1

    def goes_on_to(self, number: int) -> bool:
        """Begins with the specialist of this number, unless the host says that it is somebody else's."""
        if number >= self._words[_STOP_BEFORE]:
            return False
        self._words[_READER] = 0
        self._times[_SINCE] = time.monotonic()
        self._words[_AT] = number + 1
        return True

    def add(self, finding: bytes) -> bool:
        """Adds one finding; False where there is no room left for it."""
        used = self._words[_FOUND_BYTES]
        start, end = _HEADER + used, _HEADER + used + len(finding) + 1
        if end > _HEADER + _FOUND:
            return False
        self._memory[start:end] = finding + b","
        self._words[_FOUND_BYTES] = used + len(finding) + 1
        return True

    def rest(self) -> None:
        """Ends with the specialist at hand."""
        self._words[_AT] = 0
