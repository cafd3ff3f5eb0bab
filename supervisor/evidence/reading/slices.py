"""Long work that does not block an event loop: in short slices, or in a thread if it cannot be sliced.

Most coroutines of specialists end without any of it, and need no loop (`ahead_of_loop`).

Sliced work is a generator that yields between steps of less than a millisecond, and returns the result. All sliced
work of a loop takes turns, one slice in each iteration: several slices in one iteration would block it for longer.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, update_wrapper
from types import coroutine as as_coroutine
from typing import Any, Generic, ParamSpec, TypeVar, cast

from anyio import CapacityLimiter, Lock, to_thread
from anyio.lowlevel import RunVar

P = ParamSpec("P")
T = TypeVar("T")
Work = Generator[None, None, T]
SLICE = 0.0005  # seconds
_turn: RunVar[Lock] = RunVar("turn")
_thread: RunVar[CapacityLimiter] = RunVar("thread")
_lock = threading.Lock()
# The calls of `run_in_thread` in all loops, and the switch interval without them.
_under_way, _usual = 0, sys.getswitchinterval()
_SPACE = re.compile(r"\s")
_is_ahead: ContextVar[bool] = ContextVar("is_ahead", default=False)


def ahead_of_loop(begun: Coroutine[Any, Any, T]) -> bool:
    """Runs a coroutine up to the first place where it needs an event loop (`loop_reached`). Returns False if it stopped
    there: `going_on` runs the rest. Raises StopIteration with its result if it ended, and whatever it raises."""
    token = _is_ahead.set(True)
    try:
        begun.send(None)
    finally:
        _is_ahead.reset(token)
    return False


@as_coroutine
def going_on(begun: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """The result of a coroutine that `ahead_of_loop` began, awaited inside a loop."""
    return (yield from begun.__await__())


@as_coroutine
def loop_reached() -> Generator[None, None, None]:
    """Awaited before anything that needs an event loop."""
    if _is_ahead.get():
        yield


class Sliced(Generic[P, T]):
    """A function that is called like any other, or awaited slice by slice: `await words.unhurried(text)`.

    `work` serves other sliced work that contains it: `yield from words.work(text)`.
    """

    def __init__(self, work: Callable[P, Work[T]]) -> None:
        self.work = work
        update_wrapper(self, work)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        work = self.work(*args, **kwargs)
        while True:
            try:
                next(work)
            except StopIteration as done:
                return cast("T", done.value)

    async def unhurried(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The same result. Other tasks run between the slices, and the caller's deadline cancels it."""
        work = self.work(*args, **kwargs)
        try:
            if _is_ahead.get():
                _slice(work)
                await loop_reached()
            turn = _of_this_loop(_turn, Lock)
            while True:
                async with turn:  # acquired in the loop's next iteration
                    _slice(work)
        except _Done as done:
            return cast("T", done.value)


class _Done(Exception):
    """Sliced work has ended."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _slice(work: Work[Any]) -> None:
    """One slice of work. Raises _Done with its result at its end."""
    pause = time.perf_counter() + SLICE
    try:
        next(work)
        while time.perf_counter() < pause:
            next(work)
    except StopIteration as done:
        raise _Done(done.value) from None


async def run_in_thread(work: Callable[..., T], *args: object) -> T:
    """Runs work in a thread, one call at a time: several would only take turns, and block the loop for longer."""
    await loop_reached()
    thread = _of_this_loop(_thread, partial(CapacityLimiter, 1))
    with _short_turns():
        return await to_thread.run_sync(work, *args, limiter=thread)


@contextmanager
def _short_turns() -> Iterator[None]:
    """Makes a computing thread let others run after a SLICE, not after 5 ms, for which the loop would wait each time.

    The setting applies to all threads, so the previous value is restored.
    """
    global _under_way, _usual
    with _lock:
        if not _under_way:
            _usual = sys.getswitchinterval()
            sys.setswitchinterval(min(SLICE, _usual))
        _under_way += 1
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if not _under_way:
                sys.setswitchinterval(_usual)


def _of_this_loop(variable: RunVar[T], make: Callable[[], T]) -> T:
    value = variable.get(None)
    if value is None:
        variable.set(value := make())
    return value


def pieces(text: str, size: int) -> Iterator[str]:
    """A text in pieces of `size` to twice `size` characters that end before white space, if that range has any."""
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + size, start + 2 * size)
        end = space.start() if space else start + 2 * size
        yield text[start:end]
        start = end


def lines(text: str) -> Iterator[str]:
    """The lines of a text, as `split("\\n")` returns them, without building them all at once."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]
