"""What the machine says of this process and of those it started: memory, and who is still there."""

from __future__ import annotations

import ctypes
import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MARK = "SUPERVISOR_HOSTILE_CORPUS"  # in the environment of every process that is started while it is set
_PROC = Path("/proc")


@contextmanager
def own_heap_set_aside() -> Iterator[None]:
    """What this process has when the block begins is not walked by the garbage collector: that takes tens of
    milliseconds, and hundreds where thousands of tests are in memory. What is asked is what proposals and the guard
    add."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def marked() -> Iterator[str]:
    """Marks all processes that are started meanwhile, however they detach themselves; yields the mark."""
    mark = os.environ[MARK] = f"{os.getpid()}-{time.monotonic_ns()}"
    try:
        yield mark
    finally:
        os.environ.pop(MARK, None)


def started(mark: str) -> list[int]:
    """The processes that carry a mark, orphans as well; not this one. Zombies have ended."""
    entry = f"{MARK}={mark}".encode()
    return [pid for pid in _pids() if pid != os.getpid() and entry in _read(pid, "environ").split(b"\0")]


def left(mark: str, seconds: float = 2.0) -> list[str]:
    """The command lines of those that are still there after so many seconds."""
    end = time.monotonic() + seconds
    while (pids := started(mark)) and time.monotonic() < end:
        time.sleep(0.02)
    return [f"{pid}: {_read(pid, 'cmdline').replace(bytes(1), b' ').decode(errors='replace')}" for pid in pids]


def resident(pids: list[int]) -> int:
    """The bytes of memory that these processes hold together. What is shared counts in proportion (PSS)."""
    return sum(_kilobytes(_read(pid, "smaps_rollup"), b"Pss:") for pid in pids) * 1024


def with_shared(pid: int) -> int:
    """The bytes of memory of a process, with all that it shares with others."""
    return _kilobytes(_read(pid, "smaps_rollup"), b"Rss:") * 1024


def settle() -> None:
    """Gives back to the machine what this process has freed, so that only what it keeps is counted."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc alone has it
    if trim:
        trim(0)


def _pids() -> Iterator[int]:
    yield from (int(each.name) for each in _PROC.iterdir() if each.name.isdigit())


def _read(pid: int, name: str) -> bytes:
    """Empty for a process that has ended, or is another user's."""
    try:
        return (_PROC / str(pid) / name).read_bytes()
    except OSError:
        return b""


def _kilobytes(text: bytes, key: bytes) -> int:
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith(key)), 0)
