"""What attacks share."""

from __future__ import annotations

import contextlib
import io
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
    """Runs `supervisor` in this process, as whoever installs the guard runs it in a terminal."""
    from supervisor.cli import main

    def running(*arguments: str | Path) -> Ended:
        told = io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["supervisor", *map(str, arguments)])
            with (
                contextlib.redirect_stdout(told),
                contextlib.redirect_stderr(told),
                pytest.raises(SystemExit) as exited,
            ):
                main()
        return Ended(int(exited.value.code or 0), told.getvalue())

    return running
