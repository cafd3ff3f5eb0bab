"""The memory that a host and one worker share: the question, the worker's progress, and its opinions.

The opinions survive the worker's death. Each word has one writer: the worker writes its progress and opinions, the host
writes the question and where to stop.
"""

from __future__ import annotations

import mmap
import time
from typing import Any

import orjson

_HEADER = 4096  # bytes, of which ten words are used
_FOUND = 16 * 1024 * 1024
QUESTION_BYTES = 64 * 1024 * 1024  # the largest question; untouched pages cost nothing
_PIECE = 1024 * 1024  # bytes written before other threads may run: the first touch of pages costs 1 ms a megabyte
_QUESTION = _HEADER + _FOUND
SIZE = _QUESTION + QUESTION_BYTES
_SMALL = 16 * 1024 * 1024  # bytes of a question; a larger one ends the worker, which loses its histories
_READY, _READ, _STOP_BEFORE, _AT, _SINCE, _READER, _FOUND_BYTES, _QUESTION_BYTES, _PROCESS, _COMPUTED = range(10)


class SharedMemory:
    """One worker's shared memory, for either side. Times are `time.monotonic()`, the same in both processes."""

    def __init__(self, file: int) -> None:
        self._memory = mmap.mmap(file, SIZE)
        self._header = memoryview(self._memory)[: 8 * (_COMPUTED + 1)]
        self._words = self._header.cast("Q")
        self._times = self._header.cast("d")

    # The host writes a question and reads the progress.

    def ask(self, question: bytes, stop_before: int) -> None:
        """Writes a question. `stop_before` is the number of the first specialist that must not be asked."""
        whole = memoryview(question)
        for start in range(0, len(question), _PIECE):
            piece = whole[start : start + _PIECE]
            self._memory[_QUESTION + start : _QUESTION + start + len(piece)] = piece
        words = self._words
        words[_QUESTION_BYTES], words[_STOP_BEFORE] = len(question), stop_before
        words[_READ] = words[_AT] = words[_READER] = words[_FOUND_BYTES] = 0

    def stop_before(self, number: int) -> None:
        """Stops the worker before the specialist `number`: another worker asks from there on."""
        self._words[_STOP_BEFORE] = number

    @property
    def is_large(self) -> bool:
        """Whether the question uses much memory, which is freed only with the shared memory."""
        return self._words[_QUESTION_BYTES] > _SMALL

    @property
    def is_ready(self) -> bool:
        """Whether the worker has imported what it needs. Before that, no time budget counts."""
        return self._words[_READY] != 0

    @is_ready.setter
    def is_ready(self, ready: bool) -> None:
        self._words[_READY] = ready

    @property
    def is_read(self) -> bool:
        """Whether the worker has read the question, which may contain a long history."""
        return self._words[_READ] != 0

    @property
    def at(self) -> int | None:
        """The number of the specialist that is running, None between two."""
        number = self._words[_AT]
        return number - 1 if number else None

    @property
    def since(self) -> float:
        """When that specialist began."""
        return self._times[_SINCE]

    @property
    def computed(self) -> float:
        """Seconds that the worker had computed when that specialist began."""
        return self._times[_COMPUTED]

    @property
    def process(self) -> int:
        """The worker's process id, 0 until the worker has written it."""
        return self._words[_PROCESS]

    @process.setter
    def process(self, number: int) -> None:
        self._words[_PROCESS] = number

    @property
    def progress(self) -> tuple[int, ...]:
        """A value that changes while the worker makes progress."""
        return tuple(self._words)

    @property
    def reader(self) -> int:
        """The number of the evidence reader that is running, 0 if none is."""
        return self._words[_READER]

    def found(self) -> list[list[Any]]:
        """The opinions so far: `[number]` for a plain ok, else `[number, opinion]`. Raises ValueError if they are not
        JSON."""
        written = self._memory[_HEADER : _HEADER + min(self._words[_FOUND_BYTES], _FOUND)]
        found: list[list[Any]] = orjson.loads(b"[%b]" % written[:-1])
        return found

    # The worker reads the question and writes its progress.

    @property
    def reader_cell(self) -> memoryview:
        """The word for the number of the running evidence reader."""
        return self._words[_READER : _READER + 1]

    def question(self) -> Any:
        """The last question."""
        return orjson.loads(self._memory[_QUESTION : _QUESTION + self._words[_QUESTION_BYTES]])

    def has_read(self) -> None:
        """Marks the question as read. From now on time budgets count."""
        self._words[_READ] = 1

    def begin_with(self, number: int) -> bool:
        """Marks a specialist as begun; False if the host has given it to another worker."""
        if number >= self._words[_STOP_BEFORE]:
            return False
        self._words[_READER] = 0
        self._times[_COMPUTED] = time.process_time()
        self._times[_SINCE] = time.monotonic()
        self._words[_AT] = number + 1
        return True

    def add(self, finding: bytes) -> bool:
        """Adds one opinion; False if there is no room left for it."""
        used = self._words[_FOUND_BYTES]
        start, end = _HEADER + used, _HEADER + used + len(finding) + 1
        if end > _HEADER + _FOUND:
            return False
        self._memory[start:end] = finding + b","
        self._words[_FOUND_BYTES] = used + len(finding) + 1
        return True

    def rest(self) -> None:
        """Marks that no specialist is running."""
        self._words[_AT] = 0
