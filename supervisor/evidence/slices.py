"""Long work in short slices, so that an event loop that does it is not held up.

The work is a generator that yields between steps of less than a millisecond, and returns the answer.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable, Generator, Iterator
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Work = Generator[None, None, T]
SLICE = 0.0005  # seconds
_SPACE = re.compile(r"\s")


class Sliced(Generic[P, T]):
    """A function that is called like any other, or awaited slice by slice: `await words.unhurried(text)`.

    `work` is for other work that it is a part of: `yield from words.work(text)`.
    """

    def __init__(self, work: Callable[P, Work[T]]) -> None:
        self.work = work
        functools.update_wrapper(self, work)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        work = self.work(*args, **kwargs)
        while True:
            try:
                next(work)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]

    async def unhurried(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The same answer. Other tasks run in between, and a deadline of the caller's ends it."""
        from anyio.lowlevel import checkpoint

        work = self.work(*args, **kwargs)
        while True:
            pause = time.perf_counter() + SLICE
            try:
                while time.perf_counter() < pause:
                    next(work)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]
            await checkpoint()


def pieces(text: str, size: int) -> Iterator[str]:
    """A text in pieces that end before white space; where there is none within `size` and as much again, anywhere."""
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + size, start + 2 * size)
        end = space.start() if space else start + 2 * size
        yield text[start:end]
        start = end


def lines(text: str) -> Iterator[str]:
    """The lines of a text, as `split` would tell them, without making them all at once."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]
