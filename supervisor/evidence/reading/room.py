"""Room on the stack for deeply nested input.

Each reader counts its levels itself, so that a replay reaches the same result.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_at_work = 0
_before = 0


@contextmanager
def room_for(frames: int) -> Iterator[None]:
    """Raises the recursion limit of the interpreter to `frames` for the block; the last block to end restores it."""
    global _at_work, _before
    with _lock:
        if not _at_work:
            _before = sys.getrecursionlimit()
        _at_work += 1
        sys.setrecursionlimit(max(frames, sys.getrecursionlimit()))
    try:
        yield
    finally:
        with _lock:
            _at_work -= 1
            if not _at_work:
                sys.setrecursionlimit(_before)
