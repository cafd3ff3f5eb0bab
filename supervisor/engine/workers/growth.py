"""The memory of a worker: what it keeps of histories by intention, and what specialists have left behind."""

from __future__ import annotations

import os
import sys

from supervisor.engine.workers.history_sync import ReceivedHistories

_LEFT = 64 * 1024 * 1024  # bytes that specialists may leave behind
_UNPACKED = 4  # the memory of a history, as a multiple of its JSON
_READ = 20  # the memory of what was read from a history, as a multiple of its JSON
_SHARE = 16  # the part of its address space that a worker may use for that
_UNLIMITED = 1024 * 1024 * 1024  # bytes of address space to count with where there is no limit


class Growth:
    """Tells when a worker holds so much memory that another must replace it.

    Histories, and what was read from them, are kept by intention and do not count: a worker that serves a hundred
    sessions would otherwise be replaced again and again, and its successor would read all of them anew.
    """

    def __init__(self, histories: ReceivedHistories) -> None:
        self._histories = histories
        self._at_birth = _most_resident()
        self._most_read = _address_space() // _SHARE // _READ  # bytes of JSON

    def is_too_much(self) -> bool:
        """Whether specialists have left too much behind. Drops what was read from histories beyond a limit, and from
        all but the newest if the memory is more than expected."""
        self._histories.keep_read(self._most_read)
        if self._is_within(_most_resident()) or self._is_within(_resident()):
            return False
        self._histories.keep_read(0)
        _return_free_memory()
        return not self._is_within(_resident())

    def _is_within(self, resident: int) -> bool:
        kept = _UNPACKED * self._histories.size + _READ * min(self._histories.read, self._most_read)
        return resident - self._at_birth <= kept + _LEFT


def _most_resident() -> int:
    """The peak resident memory of this process, in bytes; 0 if the platform does not report it."""
    if sys.platform == "win32":
        return 0
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _resident() -> int:
    """The resident memory of this process, in bytes; the peak if the platform does not report it in /proc."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as statistics:
            return int(statistics.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # not Linux, or specialists have used up the open files
        return _most_resident()


def _return_free_memory() -> None:
    """Returns what the C library holds of freed memory, where it can: else freed memory would count as held."""
    if sys.platform == "linux":
        import ctypes

        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # only glibc has it
        if trim is not None:
            trim(0)


def _address_space() -> int:
    """The bytes of address space that this process may use."""
    if sys.platform == "win32":
        return _UNLIMITED
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return _UNLIMITED if limit == resource.RLIM_INFINITY else limit
