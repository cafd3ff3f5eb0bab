"""What befalls a fleet at night, as chance has it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.fleet import Member, processes_below

KINDS = ("worker", "executor", "keeper", "both", "all", "freeze")
USUAL = (45, 25, 10, 8, 2, 10)  # how often each comes, in percent


@dataclass
class Blows:
    """Deals blows to the members of a fleet whose workers run in a folder. Those who are chosen have begun to work; an
    executor that is still starting gets one only with all others. `dealt` counts the processes that were killed, and
    the executors that were frozen, by the kind of blow."""

    members: Sequence[Member]
    folder: Path
    chance: random.Random
    frozen_for: float  # seconds
    weights: Sequence[int] = USUAL
    dealt: Counter[str] = field(default_factory=Counter)
    _thawing: list[threading.Timer] = field(default_factory=list)

    def deal(self) -> None:
        """One blow of any kind."""
        kind = self.chance.choices(KINDS, self.weights)[0]
        working = [(each, keeper) for each in self.members if (keeper := each.keeper()) is not None]
        if kind == "worker":
            self._kill_a_worker()
        elif kind == "all":
            for each in self.members:
                self._kill(each, kind)
        elif working:
            self._strike(kind, *self.chance.choice(working))

    def _strike(self, kind: str, member: Member, keeper: int) -> None:
        """One of the blows to an executor, its keeper, or both."""
        if kind == "freeze":
            self._freeze(member)
        if kind in ("keeper", "both"):
            self._kill_process(keeper, kind)
        if kind in ("executor", "both"):
            self._kill(member, kind)

    @property
    def kills(self) -> int:
        """How many processes were killed."""
        return self.dealt.total() - self.dealt["freeze"]

    def end(self) -> None:
        """Thaws what is frozen."""
        for timer in self._thawing:
            timer.cancel()
        for member in self.members:
            member.thaw()

    def _kill(self, member: Member, kind: str) -> None:
        member.kill()
        self.dealt[kind] += 1
        member.start()

    def _freeze(self, member: Member) -> None:
        process = member.process
        member.freeze()
        self.dealt["freeze"] += 1
        self._thawing.append(threading.Timer(self.frozen_for, process.send_signal, (signal.SIGCONT,)))
        self._thawing[-1].start()

    def _kill_a_worker(self) -> None:
        if workers := processes_below(self.folder):
            self._kill_process(self.chance.choice(workers), "worker")

    def _kill_process(self, pid: int, kind: str) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            os.kill(pid, signal.SIGKILL)
            self.dealt[kind] += 1
