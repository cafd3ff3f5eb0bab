"""How much work is done, counted: seconds tell more of the machine, and of what else runs on it, than of the code.

`steps` sees what runs in Python, and counts a regular expression or a parser in C as one step. So what grows is also
given once at a size at which wrong code would run for minutes, and right code for less than a second.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, TypeVar

from supervisor.errors import BadInput, Unreadable

T = TypeVar("T")

MOST = 5_000_000  # steps that any input may take which is not refused for its size
MAX_CPU = 20.0  # seconds of processor time; nothing that is guarded takes a tenth of it


class Hangs(AssertionError):
    """It took more than MAX_CPU."""


def steps(work: Callable[..., object], *args: object) -> int:
    """How many lines and calls of Python code run until it answers, or refuses its input: the same on every machine.

    What is imported, compiled and remembered at a first call is work as well.
    """
    count = 0

    def tracer(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += 1
        return tracer

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()  # it would run what others left behind
    sys.settrace(tracer)
    try:
        ends(work, *args)
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return count


def ends(work: Callable[..., object], *args: object) -> None:
    """Fails where it neither answers nor refuses its input."""
    with hang_guard(), contextlib.suppress(Unreadable, BadInput):
        work(*args)


def assert_linear(work: Callable[[T], object], make: Callable[[int], T], *, counted: int, ended: int) -> None:
    """Twice `counted` of what is made takes no more than twice the steps, and some; a large amount ends."""
    ends(work, make(counted // 2))  # what is made once is made now
    once, twice = steps(work, make(counted)), steps(work, make(2 * counted))
    assert twice < 2.5 * once, f"{once:,} steps for {counted:,}, and {twice:,} for twice as much"
    ends(work, make(ended))


@contextlib.contextmanager
def hang_guard() -> Iterator[None]:
    """Raises Hangs in what does not end. The time of other processes does not count, however busy the machine is."""
    before = signal.signal(signal.SIGPROF, _hangs)
    signal.setitimer(signal.ITIMER_PROF, MAX_CPU)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _hangs(*_: object) -> None:
    raise Hangs(f"more than {MAX_CPU:g} s of processor time")
