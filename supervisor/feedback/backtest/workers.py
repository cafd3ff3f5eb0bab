"""The processes that carry a backtest on this machine."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait

_PARENT_ENDED = 1  # an exit code that nobody reads


def processes(number: int) -> ProcessPoolExecutor:
    """An executor of this many processes. They start afresh, so that none inherits a thread or a lock, and they end
    with this one, also if it is killed."""
    return ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=end_with_parent)


def end_with_parent() -> None:
    """Makes this process end when the one that started it has ended. Else it would wait for work for ever: each worker
    holds both ends of the queue, so that it never sees the end of it. Does nothing in a process that has no parent of
    `multiprocessing`."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), name="end with parent", daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(_PARENT_ENDED)  # the other threads may be in the middle of anything, and nobody reads their results
