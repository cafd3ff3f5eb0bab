"""Trouble on purpose, for whoever wants to see that a checkout survives it.

The file `trouble/ORDER` has two words or three: what happens, `before` or `after`, and the transaction. `kill` is a
SIGKILL of the process itself, once; `hold` stops there, once, until somebody kills it; `fail` is an error each time.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

PLACE = Path("trouble")


def at(no: str, when: str, transaction: str) -> None:
    """Makes the trouble that is wanted at this boundary, if any is."""
    file = PLACE / no
    if not file.exists():
        return
    what, _, where = file.read_text().strip().partition(" ")
    if where != f"{when} {transaction}":
        return
    if what == "fail":
        raise ConnectionError(f"no answer {where}, on purpose")
    (PLACE / f"{no}.happened").write_text(str(os.getpid()))
    file.unlink()
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    while what == "hold":
        time.sleep(1)
