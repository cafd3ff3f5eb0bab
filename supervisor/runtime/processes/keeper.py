"""The program that kills workers when their executor cannot: it has died, or gives no sign of life any more.

    python -m supervisor.runtime.processes.keeper SECONDS CLOCK

It reads lines: `hold {…}` with the tree of a worker, `release MARKER`, and `pulse`. At the end of the input, or after
so many seconds without a line, it kills every tree that it holds, and ends. CLOCK is `boottime` if the time in which
the machine slept counts, because others may have taken over meanwhile; else `monotonic`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterable

from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree

_CHUNK = 65536
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # they are meant for the executor, whose end is seen anyway
_LOOK = 1.0  # seconds of one wait at most: a clock that counts sleep does not wake a poll


def clock_of(name: str) -> int:
    """The number of a clock; that of the monotonic one where there is no other."""
    return getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC) if name == "boottime" else time.CLOCK_MONOTONIC


class Held:
    """The trees that are held, by their markers, as the lines say."""

    def __init__(self) -> None:
        self.trees: dict[str, Tree] = {}
        self._rest = b""

    def read(self, chunk: bytes) -> None:
        """Takes in what comes next."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._take(line.decode())

    def _take(self, line: str) -> None:
        word, _, value = line.partition(" ")
        if word == "hold":
            tree = Tree.from_json(json.loads(value))
            self.trees[tree.marker] = tree
        elif word == "release":
            self.trees.pop(value, None)


def wait_for_silence(pipe: int, held: Held, seconds: float, clock: int) -> None:
    """Reads until the input ends or nothing has come for so long."""
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    last = time.clock_gettime(clock)
    while (left := last + seconds - time.clock_gettime(clock)) > 0:
        if poll.poll(min(left, _LOOK) * 1000):
            chunk = os.read(pipe, _CHUNK)
            if not chunk:
                return
            held.read(chunk)
            last = time.clock_gettime(clock)


def main(seconds: float, clock: str) -> None:
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    held = Held()
    wait_for_silence(sys.stdin.fileno(), held, seconds, clock_of(clock))
    kill_all(held.trees.values())


def kill_all(trees: Iterable[Tree]) -> None:
    """Kills every tree. What goes wrong with one is raised when all others are killed."""
    problems = []
    for tree in trees:
        try:
            kill_tree(tree, polite=None)
        except OSError as error:
            problems.append(error)
    if problems:
        raise ExceptionGroup("workers that could not be killed", problems)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2])
