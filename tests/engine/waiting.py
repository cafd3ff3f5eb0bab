"""Waiting for what other processes and threads do."""

from __future__ import annotations

import time
from collections.abc import Callable


def eventually(holds: Callable[[], object], seconds: float = 60.0) -> bool:
    """Whether something comes true within a time that only a broken program needs."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
