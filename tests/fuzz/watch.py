"""Watches over every example: it ends, it is counted, and what it was survives whatever it does to the process."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings

from tests.evidence.effort import hang_guard

MAX_WALL = 120.0  # seconds of one example, for C code, which no signal reaches
FOLDER = "SUPERVISOR_FUZZ"  # the environment variable by which `make fuzz` names a folder for what is going on
ROUND = 200  # examples of one property, at most; `make fuzz` comes round again

examples = 0
Test = Callable[..., None]


def fuzzed(*strategies: Any, **named: Any) -> Callable[[Test], Test]:
    """`given`, for examples that may be large and slow to make."""

    def decorate(test: Test) -> Test:
        count = min(settings().max_examples * 2 // 3, ROUND)  # two thirds, for they are slower than other examples
        usual = settings(suppress_health_check=list(HealthCheck), max_examples=count)
        decorated: Test = usual(given(*strategies, **named)(test))
        return decorated

    return decorate


@contextlib.contextmanager
def watched(example: Any) -> Iterator[None]:
    """One example, within its time."""
    global examples
    examples += 1
    _note(example)
    faulthandler.dump_traceback_later(MAX_WALL, exit=True, file=sys.__stderr__ or 2)
    try:
        with hang_guard():
            yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def _note(example: Any) -> None:
    """Writes down how many examples there were, and this one: a crash takes everything else."""
    if folder := os.environ.get(FOLDER):
        test = os.environ.get("PYTEST_CURRENT_TEST", "")
        Path(folder, "example").write_text(f"{examples}\n{test}\n{example!a}\n")


def one_line(error: Exception) -> str:
    """The message of an error, which has to be one line."""
    message = str(error)
    assert len(message.splitlines()) == 1, message
    return message
