"""Asks workers about one action until the deadline.

While a specialist takes long, another worker goes on with the rest of the list. A specialist that misses its deadline
receives SIGALRM, and a little later its worker is killed. An evidence reader that hung or crashed is not tried again
for this action.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from supervisor.decision.ask import late
from supervisor.engine.workers.assignment import Assignment
from supervisor.engine.workers.payload import Question
from supervisor.engine.workers.pool import START_LIMIT, Pool, WorkerHandle, readiness
from supervisor.engine.workers.shared_memory import QUESTION_BYTES
from supervisor.engine.workers.worker import FINISHED, SPENT
from supervisor.errors import NoWorker
from supervisor.verdict import Cause, Ended, Opinion, Refusal

SPIN = 0.0003 if (os.cpu_count() or 1) > 1 else 0.0  # seconds of busy waiting; most answers come before a wake-up would
_TICK = 0.002  # seconds between two checks of the workers
_PATIENCE = 0.005  # seconds that a specialist may compute before another worker goes on with the rest
_READING = 0.4e-6  # seconds more for each byte of new steps: another worker would have to read them as well
_LONGEST_PATIENCE = 0.05  # seconds that it may take before that without computing, asleep or on a busy machine
_GRACE = 0.25  # the time from alarm to kill, as a share of the specialist's budget
_WHOLE = 1.7  # the time of a whole job, as a multiple of its greatest budget; a decision stays under two
_SPARE = 0.05  # the share of a whole job by which its deadline may move, which leaves a decision under two budgets
_BUSY = 1.8  # seconds that a whole job may take on a busy machine, if that is more
_QUEUE = 10.0  # seconds that a job waits for its first worker
_yield: Callable[[], object] = getattr(os, "sched_yield", lambda: time.sleep(0))  # Windows has none


class Job:
    """Call `begin`, then `advance` until it is done; then `opinions` has one for each specialist that was asked.

    `unjudged` is why some could not be asked (no worker was available), or "".
    """

    def __init__(self, question: Question, asked: Mapping[Pool, Sequence[tuple[str, float]]]) -> None:
        """`asked` has the specialists for the workers of each pool, with their budgets in seconds."""
        self.unjudged = ""
        self._assignments: list[Assignment] = []
        self._advancing = threading.Lock()
        self._is_closed = False
        self._has_retried = False
        self._question = question
        self._asked = [each for group in asked.values() for each in group]
        self._found: list[Opinion | None] = [None] * len(self._asked)
        self._waiting = _ranges(asked)  # the ranges that no worker has
        self._given: set[int] = set()  # the first number of each range that a worker received
        self._spoiled: list[int] = []
        self._longest = max(budget for _, budget in self._asked) * _WHOLE
        self._extended = 0.0  # seconds by which the deadline was moved
        self._looked = time.monotonic()
        self._restart_clock()
        self._queue_until = time.monotonic() + _QUEUE
        self._spin_until = time.monotonic() + SPIN

    @property
    def opinions(self) -> dict[str, Opinion]:
        """The opinions, by specialist."""
        return {name: found for (name, _), found in zip(self._asked, self._found, strict=True) if found is not None}

    def begin(self) -> None:
        """Sends the question if a worker is free at this moment."""
        self._hand_out(0)

    def advance(self, patience: float) -> bool:
        """Works on the job for at most `patience` seconds, and returns whether it is done."""
        until = time.monotonic() + patience
        with self._advancing:
            while (self._waiting or self._assignments) and not self._is_closed:
                self._step(until)
                now = time.monotonic()
                if now >= self._deadline and not self._is_extended():
                    self._end()
                elif now >= until:
                    break
        if self._is_closed:
            self.close()
        return self.is_done

    @property
    def is_done(self) -> bool:
        """Whether no specialist is left to ask."""
        return not (self._waiting or self._assignments)

    def close(self) -> None:
        """Gives up, and kills the workers that still run. If a thread is advancing the job, that thread does it."""
        self._is_closed = True
        if self._advancing.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._advancing.release()

    def __del__(self) -> None:
        """Closes the job for a caller that was cancelled while a thread began it, and so never received it."""
        self.close()

    def _drop(self) -> None:
        for assignment in self._assignments:
            assignment.pool.discard(assignment.worker)
        self._assignments.clear()
        self._waiting.clear()

    def _restart_clock(self) -> None:
        self._deadline = time.monotonic() + self._longest

    def _is_extended(self) -> bool:
        """Moves the deadline by the time for which every worker of this job waited for a processor: on a busy machine
        an action is judged later, and not worse. Returns whether there was such time and it is within the bounds."""
        waited = min((assignment.newly_waited() for assignment in self._assignments), default=0.0)
        most = max(_BUSY - self._longest, self._longest * _SPARE)
        allowed = min(waited, most - self._extended)
        if allowed <= _TICK:
            return False
        self._extended += allowed
        self._deadline += allowed
        return True

    def _step(self, until: float) -> None:
        now = time.monotonic()
        if any(not assignment.is_under_way for assignment in self._assignments):
            self._deadline += now - self._looked  # imports and long histories do not count as a specialist's time
        self._looked = now
        until = min(until, self._deadline)
        self._hand_out(max(0, until - now))
        if self._assignments:
            self._wait(min(until, now + _TICK))
            for assignment in list(self._assignments):
                self._look_at(assignment)

    def _hand_out(self, patience: float) -> None:
        """Finds a worker for each range of the list. Waits for one only if no other worker runs for this job."""
        for part in list(self._waiting):
            pool, first, end = part
            try:
                needs = [name for name, _ in self._asked[first:end]]
                wait = 0 if self._assignments else patience
                worker = pool.take(needs, wait, self._question.is_continued_by)
            except NoWorker as error:
                self._waiting.remove(part)
                self._leave_unjudged(range(first, end), str(error))
                continue
            if worker is not None:
                self._waiting.remove(part)
                self._put(pool, worker, first, end)
            elif first not in self._given and time.monotonic() < self._queue_until:
                self._restart_clock()  # waiting for a free worker does not count as a specialist's time

    def _put(self, pool: Pool, worker: WorkerHandle, first: int, end: int) -> None:
        question = self._question.encoded(worker.sent, asked=self._asked[:end], first=first, spoiled=self._spoiled)
        self._given.add(first)
        if len(question) > QUESTION_BYTES:
            pool.discard(worker)  # its histories are counted as sent, but were not
            self._leave_unjudged(range(first, end), f"{len(question):,} bytes are too much to look at")
            return
        worker.ask(question, end)
        self._assignments.append(Assignment(pool, worker, first, end, end))

    def _wait(self, until: float) -> None:
        """Waits until a worker has replied: at first by busy waiting."""
        ready = (
            readiness([assignment.worker for assignment in self._assignments])
            if len(self._assignments) > 1
            else self._assignments[0].worker.wait
        )
        spin_until = min(self._spin_until, until)
        while (now := time.monotonic()) < spin_until:
            if ready(0):
                return
            _yield()
        ready(max(0, until - now))

    def _look_at(self, assignment: Assignment) -> None:
        reply = assignment.worker.reply()
        if reply is None or (not reply and assignment.goes_on()):
            self._watch(assignment)
        elif reply not in (FINISHED, SPENT) or not assignment.collect(self._found):
            self._replace(assignment, "crash")
        else:
            self._assignments.remove(assignment)
            (assignment.pool.give_back if reply == FINISHED else assignment.pool.discard)(assignment.worker)

    def _watch(self, assignment: Assignment) -> None:
        """Alarms or kills a worker that takes too long, or passes the rest of its range on."""
        shared, now = assignment.worker.shared, time.monotonic()
        at, since = assignment.at, shared.since
        if not assignment.is_under_way:
            if now - assignment.asked > START_LIMIT:
                self._replace(assignment, "crash")
        elif at is not None:
            taken, budget = now - since, self._asked[at][1]
            if taken > _PATIENCE:
                taken -= assignment.waited(since)
            if assignment.alarmed == since and taken > budget * (1 + _GRACE):
                self._replace(assignment, "deadline", at)
            elif assignment.alarmed != since and taken > budget:
                assignment.alarmed = since
                assignment.pool.alarm(assignment.worker)
            elif at + 1 < assignment.end and not shared.reader and _is_slow(assignment, taken):
                self._waiting.append(assignment.pass_on(at + 1))  # not inside a reader: all wait for the same evidence

    def _replace(self, assignment: Assignment, ended: Ended, late: int | None = None) -> None:
        """Replaces a worker that is dead, or must be killed. Its opinions count. The specialist that it was asking
        loses its vote, except if the worker has moved on since the specialist number `late` missed its deadline."""
        assignment.collect(self._found)
        shared = assignment.worker.shared
        missing = assignment.missing(self._found)
        if not shared.is_ready or self._retries(assignment):
            self._given.discard(assignment.first)
            self._waiting.append((assignment.pool, assignment.first, assignment.end))
        elif missing:
            failed = missing[:1] if assignment.at is not None else missing  # all: the question itself crashed it
            failed = failed if late in (None, missing[0]) else []
            self._refuse(failed, self._ended(missing[0], ended))
            if shared.reader and failed:
                self._spoiled.append(shared.reader)
            if len(missing) > len(failed):
                self._waiting.append((assignment.pool, missing[len(failed)], assignment.end))
        self._assignments.remove(assignment)
        assignment.pool.discard(assignment.worker)

    def _retries(self, assignment: Assignment) -> bool:
        """Whether to ask again without blame, once a job: the worker died before it read the question, or with its
        origin."""
        retries = (assignment.pool.has_lost_origin or not assignment.worker.shared.is_read) and not self._has_retried
        self._has_retried |= retries
        return retries

    def _end(self) -> None:
        """Refuses for every specialist without an opinion: the job's deadline has passed."""
        for assignment in self._assignments:
            assignment.collect(self._found)
            at = assignment.at
            if at is not None:
                self._refuse([at], self._ended(at, "deadline"))
        for _, first, end in self._waiting:
            if first not in self._given:
                self._leave_unjudged(range(first, end), f"no worker was free within {_QUEUE:g} s (see workers.count)")
        why = "its turn did not come before the deadline of the decision"
        self._refuse(range(len(self._asked)), Refusal(why, Cause.INPUT, ended="deadline"))
        self._drop()

    def _ended(self, number: int, how: Ended) -> Refusal:
        if how == "deadline":
            return late(self._asked[number][1], Cause.INPUT)
        return Refusal("ended the process that it ran in", Cause.INPUT, ended=how)

    def _leave_unjudged(self, numbers: Iterable[int], why: str) -> None:
        self.unjudged = why
        self._refuse(numbers, Refusal(why, Cause.INFRASTRUCTURE, ended="unasked"))

    def _refuse(self, numbers: Iterable[int], refusal: Refusal) -> None:
        for number in numbers:
            self._found[number] = self._found[number] or refusal


def _is_slow(assignment: Assignment, taken: float) -> bool:
    """Whether the rest is not to wait for a specialist that has taken `taken` seconds. A worker that waits for a
    processor is not slow: on a busy machine, each further worker would make all of them wait longer."""
    if taken <= _PATIENCE:
        return False
    computed, unread = assignment.computed(), assignment.worker.sent.sent
    return computed is None or computed > _PATIENCE + unread * _READING or taken > _LONGEST_PATIENCE


def _ranges(asked: Mapping[Pool, Sequence[tuple[str, float]]]) -> list[tuple[Pool, int, int]]:
    """Each pool, with the range of its specialists in the whole list: the first, and the one after the last."""
    ends = list(itertools.accumulate(len(group) for group in asked.values()))
    return [(pool, end - len(group), end) for (pool, group), end in zip(asked.items(), ends, strict=True)]
