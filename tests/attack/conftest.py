"""What attacks share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Ended:
    """What a run of the command came to."""

    code: int
    err: str


@pytest.fixture(scope="session")
def installing() -> Callable[..., Ended]:
    """Runs `supervisor` as a process of its own, as whoever installs the guard does."""

    def running(*arguments: str | Path) -> Ended:
        command = [sys.executable, "-m", "supervisor", *map(str, arguments)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return Ended(ended.returncode, ended.stderr)

    return running
