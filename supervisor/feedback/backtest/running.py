"""Runs a backtest over many files: in parallel, resumable, with bounded memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from pathlib import Path

import orjson

from supervisor.errors import BadInput, SupervisorError
from supervisor.feedback.backtest.judging import judge
from supervisor.feedback.backtest.settings import Settings
from supervisor.feedback.backtest.sources import Source
from supervisor.feedback.backtest.tally import Tally
from supervisor.intake.files import open_file
from supervisor.version import VERSION

Progress = Callable[[Tally], None]
_AT_ONCE = 4  # files a worker that wait, so that a million files are not all submitted
_LONGEST_LINE = 64 * 1024 * 1024


class ProcessLost(SupervisorError):
    """A process of the executor has ended before its work."""

    code = "process_lost"


def run(
    sources: Sequence[Source],
    settings: Settings,
    executor: Executor,
    *,
    workers: int = 1,
    state: State | None = None,
    progress: Progress = lambda _: None,
) -> Tally:
    """The tally of all sources. Any executor may carry it; its workers must be able to read the files.

    `state` keeps the tally of each finished file, so that a run that was interrupted goes on where it was. Raises
    ProcessLost, and what judging raises.
    """
    total = Tally()
    waiting: dict[Future[Tally], Source] = {}
    try:
        for source, known in _known(sources, settings, state):
            if known is not None:
                total.add(known)
                continue
            waiting[executor.submit(judge, source, settings)] = source
            if len(waiting) >= _AT_ONCE * workers:
                _take(waiting, total, settings, state, progress)
        while waiting:
            _take(waiting, total, settings, state, progress)
    except BrokenExecutor:
        files = ", ".join(str(source.path) for source in waiting.values())
        problem = (
            "a process that judged one of these files has ended, perhaps for want of memory: --state keeps the rest"
        )
        raise ProcessLost(problem, place=files) from None
    return total


def _known(sources: Sequence[Source], settings: Settings, state: State | None) -> Iterator[tuple[Source, Tally | None]]:
    return ((source, state.tally_of(source, settings) if state else None) for source in sources)


def _take(
    waiting: dict[Future[Tally], Source], total: Tally, settings: Settings, state: State | None, progress: Progress
) -> None:
    """Adds the tallies of the files that are finished."""
    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
        tally = future.result()
        source = waiting.pop(future)
        if state is not None:
            state.keep(source, settings, tally)
        total.add(tally)
        progress(total)


class State:
    """The tallies of finished files, one a line of a file. A line that a crash has cut is done again. In memory is only
    where each of them stands."""

    def __init__(self, path: Path) -> None:
        """Raises BadInput if the file cannot be read or written."""
        self.salt = os.urandom(32)
        self._places: dict[str, int] = {}
        try:
            self._file = os.fdopen(open_file(path, os.O_RDWR | os.O_CREAT | os.O_APPEND), "r+b")
            self._read()
        except OSError as error:
            raise BadInput(f"cannot be used: {error.strerror}", place=str(path), code="bad_state") from None

    def _read(self) -> None:
        self._file.seek(0)
        salted, line, end = False, b"\n", 0
        while following := self._file.readline(_LONGEST_LINE):
            line, begin = following, end
            end += len(line)
            try:
                value = orjson.loads(line)
                if "salt" in value:
                    self.salt, salted = bytes.fromhex(value["salt"]), True
                else:
                    self._places[value["key"]] = begin
            except (ValueError, KeyError, TypeError):  # a crash has cut it: its file is judged again
                continue
        if not line.endswith(b"\n"):
            self._write(b"")
        if not salted:
            self._write(orjson.dumps({"salt": self.salt.hex()}))

    def tally_of(self, source: Source, settings: Settings) -> Tally | None:
        """The tally of a file that is finished and has not changed since; None if there is none."""
        place = self._places.get(_key(source, settings))
        if place is None:
            return None
        self._file.seek(place)
        try:
            return Tally.of_json(orjson.loads(self._file.readline(_LONGEST_LINE))["tally"])
        except (KeyError, TypeError, ValueError):  # of another version
            return None

    def keep(self, source: Source, settings: Settings, tally: Tally) -> None:
        """Remembers the tally of a file. Raises OSError, as for a full disk."""
        self._write(orjson.dumps({"key": _key(source, settings), "tally": tally.to_json()}))

    def _write(self, line: bytes) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(line + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def _key(source: Source, settings: Settings) -> str:
    """Identifies a file as it is now, or a part of it, and everything that it is judged with."""
    try:
        found = os.stat(source.path)
        content = (found.st_size, found.st_mtime_ns)
    except OSError:
        content = (0, 0)
    parts = (str(source.path), source.format, source.part, *content, settings, VERSION)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
