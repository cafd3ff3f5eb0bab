"""The host's side of the workers: as many as are at work and one to spare, warm, replaced when they die."""

from __future__ import annotations

import logging
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from supervisor.engine.workers.history_sync import Told
from supervisor.engine.workers.shared_memory import SharedMemory
from supervisor.errors import NoWorker

_log = logging.getLogger(__name__)
_STRAGGLERS = 8  # workers that may be stuck besides; where there are more, everybody waits for their deadlines
BIRTH = 60.0  # seconds that a worker has to be ready; importing everything takes well below one
_LOOK = 0.002  # seconds
_STILLBORN = 3  # workers in a row that die before they are ready, until it is said that none can be had
_MOURNING = 5.0  # seconds from then on in which no other is tried


class Origin(Protocol):
    """Where workers come from."""

    def bear(self, number: int, needs: Sequence[str] | None) -> tuple[SharedMemory, socket.socket]:
        """A worker that imports at least what it `needs` (None: everything) before it is ready. Does not wait for
        that. Raises OSError."""

    def alarm(self, number: int) -> None:
        """Tells a worker that its time is up."""

    def kill(self, number: int) -> None:
        """Ends a worker and whatever it has started."""

    def is_alive(self) -> bool:
        """Whether it can bear workers."""

    def close(self) -> None:
        """Ends all of them."""

    def abandon(self) -> None:
        """Lets go in a forked child, which shares none of it."""


class Remote:
    """One worker, as its host sees it."""

    def __init__(self, number: int, shared: SharedMemory, channel: socket.socket) -> None:
        self.number = number
        self.shared = shared
        self.told = Told()
        self.since = time.monotonic()
        self.is_stuck = False
        self._channel = channel
        self.wait = readiness([self])

    def fileno(self) -> int:
        return self._channel.fileno()

    def ask(self, question: bytes, stop_before: int) -> None:
        """Puts a question; one that is dead already is found out by `reply`."""
        self.shared.ask(question, stop_before)
        try:
            self._channel.send(b"\1")
        except OSError:
            _log.debug("worker %d was gone before it was asked", self.number)

    def reply(self) -> bytes | None:
        """What it says when it is done: FINISHED or SPENT; nothing (b"") where it is gone, None while it works."""
        if not self.wait(0):
            return None
        try:
            return self._channel.recv(1)
        except OSError:
            return b""

    @property
    def has_failed(self) -> bool:
        """Of one that is not ready: whether it ended or takes too long, rather than is not wanted any more."""
        return self.wait(0) or time.monotonic() - self.since > BIRTH

    def close(self) -> None:
        """Hangs up. The shared memory stays as long as somebody reads it."""
        self._channel.close()


def readiness(workers: Sequence[Remote]) -> Callable[[float], bool]:
    """A function that waits until one of them has something to say, so many seconds at most."""
    if hasattr(select, "poll"):
        poll = select.poll()
        for worker in workers:
            poll.register(worker.fileno(), select.POLLIN)
        return lambda patience: bool(poll.poll(patience * 1000))
    return lambda patience: bool(select.select(workers, [], [], patience)[0])


class Pool:
    """The workers of one supervisor. Nothing is started before the first of them is wanted."""

    def __init__(self, origin: Callable[[], Origin], count: int) -> None:
        """`count` workers may be at work at once; one more is kept warm for when one of them is killed."""
        self._open_origin = origin
        self._origin: Origin | None = None
        self._count = count
        self._workers: set[Remote] = set()
        self._free: list[Remote] = []
        self._changed = threading.Condition()
        self._made = 0
        self._stillborn = 0
        self._given_up = float("-inf")

    def take(self, needs: Sequence[str] | None, patience: float) -> Remote | None:
        """A worker, or None where none has become free within `patience` seconds. NoWorker where none can be had."""
        until = time.monotonic() + patience
        with self._changed:
            while True:
                if not self._free and len(self._workers) < self._most:
                    self._bear(needs)
                if self._free:
                    worker = self._next()
                    if not worker.wait(0):
                        return worker
                    self.discard(worker)  # nobody has asked it anything: it is dead
                    continue
                left = until - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    return None

    def start(self) -> None:
        """Waits until a worker is ready that has imported everything. NoWorker."""
        while worker := self.take(None, BIRTH):
            while not worker.shared.is_ready and not worker.has_failed:
                time.sleep(_LOOK)
            if worker.shared.is_ready:
                self.give_back(worker)
                return
            self.discard(worker)  # after a few of these, `take` says that there are none

    def give_back(self, worker: Remote) -> None:
        """A worker that has finished."""
        if worker.shared.is_large:
            self.discard(worker)  # that brings the memory back
            return
        with self._changed:
            if worker not in self._workers:
                return  # all were ended meanwhile
            worker.is_stuck, self._stillborn = False, 0
            if len(self._workers) > self._most:
                self._end(worker)  # it stood in for one that was stuck
            else:
                self._free.append(worker)
            self._changed.notify()

    def discard(self, worker: Remote) -> None:
        """A worker that is dead, or shall be: another takes its place."""
        with self._changed:
            if worker not in self._workers:
                return
            self._stillborn += not worker.shared.is_ready and worker.has_failed
            self._end(worker)
            if self._stillborn < _STILLBORN:
                self._care_for_a_spare()
            self._changed.notify_all()

    def alarm(self, worker: Remote) -> None:
        """Tells a worker that its time is up."""
        if (origin := self._origin) is not None:  # another thread may close the pool this moment
            origin.alarm(worker.number)

    def close(self) -> None:
        """Ends all workers; the next `take` begins anew."""
        with self._changed:
            if self._origin is not None:
                self._origin.close()
            self._let_go()

    def abandon(self) -> None:
        """Lets go in a forked child."""
        if self._origin is not None:
            self._origin.abandon()
        self._let_go()

    def _end(self, worker: Remote) -> None:
        self._workers.remove(worker)
        if self._origin is not None:
            self._origin.kill(worker.number)
        worker.close()

    def _let_go(self) -> None:
        for worker in self._workers:
            worker.close()
        self._workers.clear()
        self._free.clear()
        self._origin = None

    @property
    def has_lost_its_origin(self) -> bool:
        """Whether the workers have all ended, since where they came from has."""
        return self._origin is None or not self._origin.is_alive()

    @property
    def _most(self) -> int:
        stuck = sum(worker.is_stuck for worker in self._workers)
        return self._count + min(stuck, _STRAGGLERS) + 1

    def _next(self) -> Remote:
        """The one used last, since it knows most, but rather one that is ready; and care for one to spare."""
        ready = [number for number, worker in enumerate(self._free) if worker.shared.is_ready]
        worker = self._free.pop(ready[-1] if ready else 0)
        if not self._free:
            self._care_for_a_spare()
        return worker

    def _care_for_a_spare(self) -> None:
        try:
            if len(self._workers) < self._most:
                self._bear(None)
        except NoWorker as error:
            _log.warning("%s", error)  # who needs one next is told

    def _bear(self, needs: Sequence[str] | None) -> None:
        if self._stillborn >= _STILLBORN:
            self._stillborn, self._given_up = 0, time.monotonic()
        if time.monotonic() - self._given_up < _MOURNING:
            raise NoWorker(f"{_STILLBORN} workers in a row ended before they were ready; what they said is on stderr")
        self._made += 1
        try:
            worker = Remote(self._made, *self._born(needs))
        except OSError as error:
            raise NoWorker(f"no worker can be started: {error}") from None
        self._workers.add(worker)
        self._free.append(worker)

    def _born(self, needs: Sequence[str] | None) -> tuple[SharedMemory, socket.socket]:
        """From the origin, which is opened anew where it has died."""
        if self._origin is not None:
            try:
                return self._origin.bear(self._made, needs)
            except (ConnectionError, BlockingIOError, FileNotFoundError):  # not what this process lacks, such as files
                _log.warning("the origin of workers is gone; it is started again")
                gone, self._origin = self._origin, None
                gone.close()
        self._origin = self._open_origin()
        return self._origin.bear(self._made, needs)
