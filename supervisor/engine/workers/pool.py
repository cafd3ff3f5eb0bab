"""The host's side of the workers: those at work and a spare one, started in advance and replaced when they die."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from supervisor.engine.workers.history_sync import SentHistories
from supervisor.errors import NoWorker
from supervisor.logs import log_later

if TYPE_CHECKING:
    import socket

    from supervisor.engine.workers.shared_memory import SharedMemory

_log = log_later(__name__)
_MOST_STUCK = 8  # stuck workers that are replaced before their deadline
START_LIMIT = 60.0  # seconds until a worker must be ready; importing everything takes less than one
_LOOK = 0.002  # seconds
_MOST_FAILED_STARTS = 3  # workers in a row that die before they are ready, until `take` raises NoWorker
_PAUSE_AFTER_FAILURES = 5.0  # seconds after that in which no worker is started


Prefers = Callable[[SentHistories], bool]


class Origin(Protocol):
    """A source of workers."""

    def start_worker(self, number: int, needs: Sequence[str] | None) -> tuple[SharedMemory, socket.socket]:
        """Starts a worker that imports at least the specialists in `needs` before it is ready; None: all of them, and
        rehearses with them. Does not wait for that. Raises OSError."""

    def alarm(self, number: int) -> None:
        """Sends SIGALRM to a worker whose specialist has used up its budget."""

    def kill(self, number: int) -> None:
        """Kills a worker and the processes that it has started."""

    def is_alive(self) -> bool:
        """Whether it can start workers."""

    def close(self) -> None:
        """Ends all workers."""

    def abandon(self) -> None:
        """Drops the workers in a forked child, without ending the parent's."""


class WorkerHandle:
    """The host's handle of one worker."""

    def __init__(self, number: int, shared: SharedMemory, channel: socket.socket, *, is_makeshift: bool) -> None:
        """`is_makeshift`: it has imported only what the decision needed that it was started for."""
        self.number = number
        self.is_makeshift = is_makeshift
        self.shared = shared
        self.sent = SentHistories()
        self.since = time.monotonic()
        self.is_stuck = False
        self._channel = channel
        self.wait = readiness([self])

    def fileno(self) -> int:
        return self._channel.fileno()

    def ask(self, question: bytes, stop_before: int) -> None:
        """Sends a question. If the worker is dead already, `reply` reports it."""
        self.shared.ask(question, stop_before)
        try:
            self._channel.send(b"\1")
        except OSError:
            _log.debug("worker %d ended before it was asked", self.number)

    def reply(self) -> bytes | None:
        """FINISHED or SPENT when it is done, b"" if it has ended, None while it works."""
        if not self.wait(0):
            return None
        try:
            return self._channel.recv(1)
        except OSError:
            return b""

    @property
    def has_failed(self) -> bool:
        """Whether a worker that is not ready has ended or takes too long."""
        return self.wait(0) or time.monotonic() - self.since > START_LIMIT

    def close(self) -> None:
        """Closes the channel. The shared memory stays as long as it is referenced."""
        self._channel.close()


def readiness(workers: Sequence[WorkerHandle]) -> Callable[[float], bool]:
    """A function that waits a number of seconds at most, and returns whether one of the workers has replied."""
    if hasattr(select, "poll"):
        poll = select.poll()
        for worker in workers:
            poll.register(worker.fileno(), select.POLLIN)
        return lambda patience: bool(poll.poll(patience * 1000))
    return lambda patience: bool(select.select(workers, [], [], patience)[0])


class Pool:
    """The workers of one supervisor. The first one starts when it is needed."""

    def __init__(self, origin: Callable[[], Origin], count: int) -> None:
        """`count` workers may run at once; one more is kept ready to replace a killed one."""
        self._open_origin = origin
        self._origin: Origin | None = None
        self._count = count
        self._workers: set[WorkerHandle] = set()
        self._free: list[WorkerHandle] = []
        self._changed = threading.Condition()
        self._started = 0
        self._failed_starts = 0
        self._failed_at = float("-inf")
        self._has_answered = False  # a process that decides once needs no spare, which would be prepared beside it

    def take(
        self, needs: Sequence[str] | None, patience: float, prefers: Prefers = lambda sent: False
    ) -> WorkerHandle | None:
        """A worker, one that `prefers` chooses if it is free: it has read more of the session than others. None if none
        becomes free within `patience` seconds. Raises NoWorker if none can be started."""
        until = time.monotonic() + patience
        with self._changed:
            while True:
                if not self._free and len(self._workers) < self._most:
                    self._start_worker(needs)
                if self._free:
                    worker = self._next(prefers)
                    if not worker.wait(0):
                        return worker
                    self.discard(worker)  # it has a reply without a question: it is dead
                    continue
                left = until - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    return None

    def start(self) -> None:
        """Waits until a worker is ready that has imported and rehearsed everything. Raises NoWorker."""
        while worker := self.take(None, START_LIMIT):
            while not worker.shared.is_ready and not worker.has_failed:
                time.sleep(_LOOK)
            if worker.shared.is_ready and not worker.is_makeshift:
                self.give_back(worker)
                return
            self.discard(worker)  # another starts in its place; after a few failed starts, `take` raises NoWorker

    def give_back(self, worker: WorkerHandle) -> None:
        """Takes back a worker that has finished."""
        if worker.shared.is_large or (worker.is_makeshift and self._has_better):
            self.discard(worker)  # that frees its memory
            return
        with self._changed:
            if worker not in self._workers:
                return  # the pool was closed meanwhile
            worker.is_stuck, self._failed_starts = False, 0
            self._free.append(worker)
            if len(self._workers) > self._most:  # one replaced a stuck one, which is free again
                self._end(self._free.pop(self._coldest()))
            elif not self._has_answered:
                self._has_answered = True
                self._keep_a_spare()
            self._changed.notify()

    def discard(self, worker: WorkerHandle) -> None:
        """Ends a worker, and starts another in its place."""
        with self._changed:
            if worker not in self._workers:
                return
            self._failed_starts += not worker.shared.is_ready and worker.has_failed
            self._end(worker)
            if self._failed_starts < _MOST_FAILED_STARTS:
                self._keep_a_spare()
            self._changed.notify_all()

    def alarm(self, worker: WorkerHandle) -> None:
        """See `Origin.alarm`."""
        if (origin := self._origin) is not None:  # another thread may close the pool now
            origin.alarm(worker.number)

    def close(self) -> None:
        """Ends all workers; the next `take` starts new ones."""
        with self._changed:
            if self._origin is not None:
                self._origin.close()
            self._let_go()

    def abandon(self) -> None:
        """See `Origin.abandon`."""
        if self._origin is not None:
            self._origin.abandon()
        self._let_go()

    def _end(self, worker: WorkerHandle) -> None:
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
    def has_lost_origin(self) -> bool:
        """Whether all workers have ended because their origin has."""
        return self._origin is None or not self._origin.is_alive()

    @property
    def _most(self) -> int:
        stuck = sum(worker.is_stuck for worker in self._workers)
        return self._count + min(stuck, _MOST_STUCK) + 1

    def _next(self, prefers: Prefers) -> WorkerHandle:
        """The ready worker that is preferred, else the one used last; else one that still starts. Keeps a spare,
        from the first answer on."""
        ready = [number for number, worker in enumerate(self._free) if worker.shared.is_ready]
        known = [number for number in ready if prefers(self._free[number].sent)]
        worker = self._free.pop((known or ready or [0])[-1])
        if not self._free and self._has_answered:
            self._keep_a_spare()
        return worker

    @property
    def _has_better(self) -> bool:
        """Whether a free worker has everything imported and rehearsed."""
        return any(worker.shared.is_ready and not worker.is_makeshift for worker in list(self._free))

    def _coldest(self) -> int:
        """The place of the free worker that has least of histories, and so the least to lose."""
        return min(range(len(self._free)), key=lambda place: self._free[place].sent.size)

    def _keep_a_spare(self) -> None:
        try:
            if len(self._workers) < self._most:
                self._start_worker(None)
        except NoWorker as error:
            _log.warning("%s", error)  # the next `take` raises it

    def _start_worker(self, needs: Sequence[str] | None) -> None:
        if self._failed_starts >= _MOST_FAILED_STARTS:
            self._failed_starts, self._failed_at = 0, time.monotonic()
        if time.monotonic() - self._failed_at < _PAUSE_AFTER_FAILURES:
            raise NoWorker(f"{_MOST_FAILED_STARTS} workers in a row ended before they were ready; see their stderr")
        self._started += 1
        try:
            worker = WorkerHandle(self._started, *self._from_origin(needs), is_makeshift=needs is not None)
        except OSError as error:
            raise NoWorker(f"no worker can be started: {error}") from None
        self._workers.add(worker)
        self._free.append(worker)

    def _from_origin(self, needs: Sequence[str] | None) -> tuple[SharedMemory, socket.socket]:
        """A worker from the origin, which is opened again if it has died."""
        if self._origin is not None:
            try:
                return self._origin.start_worker(self._started, needs)
            except (ConnectionError, BlockingIOError, FileNotFoundError):  # not a lack of resources, such as open files
                _log.warning("the origin of workers has ended; it is started again")
                ended, self._origin = self._origin, None
                ended.close()
        self._origin = self._open_origin()
        return self._origin.start_worker(self._started, needs)
