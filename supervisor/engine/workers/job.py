"""One action before the workers: put to one of them, and where it is held up, to another, until the deadline.

A specialist that takes long does not keep the others waiting: the rest of the list goes to another worker. One that is
past its deadline is told so (SIGALRM), and a little later its worker is killed. An evidence reader that did not come
back is not tried again for this action.
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
from supervisor.engine.workers.pool import BIRTH, Pool, Remote, readiness
from supervisor.engine.workers.shared_memory import QUESTION_BYTES
from supervisor.engine.workers.worker import FINISHED, SPENT
from supervisor.errors import NoWorker
from supervisor.verdict import Cause, Ended, Opinion, Refusal

SPIN = 0.0003 if (os.cpu_count() or 1) > 1 else 0.0  # seconds; waking up costs more than most answers take
_TICK = 0.002  # seconds between two looks at who is still at work
_PATIENCE = 0.005  # seconds that a specialist may take before another worker goes on with the rest
_GRACE = 0.25  # of its budget that a specialist has from the alarm to the kill
_WHOLE = 1.75  # greatest budgets that a whole job may take, so that a decision stays under two
_QUEUE = 10.0  # seconds that a job waits for its first worker
_yield: Callable[[], object] = getattr(os, "sched_yield", lambda: time.sleep(0))  # Windows has none


class Job:
    """Begin it, advance it until it is done; then `opinions` are there, one for each that was asked.

    `unjudged` says why some of them could not be asked at all, if so: no worker was to be had.
    """

    def __init__(self, question: Question, asked: Mapping[Pool, Sequence[tuple[str, float]]]) -> None:
        """Asks in the workers of each pool the specialists named for it, with their budgets, in seconds."""
        self.unjudged = ""
        self._assignments: list[Assignment] = []
        self._advancing = threading.Lock()
        self._is_given_up = False
        self._has_gone_again = False
        self._question = question
        self._asked = [each for group in asked.values() for each in group]
        self._found: list[Opinion | None] = [None] * len(self._asked)
        self._waiting = _stretches(asked)  # those that no worker has been given
        self._given: set[int] = set()  # the first of each stretch that a worker has been given
        self._spoiled: list[int] = []
        self._longest = max(budget for _, budget in self._asked) * _WHOLE
        self._looked = time.monotonic()
        self._begin_clock()
        self._queue_until = time.monotonic() + _QUEUE
        self._spin_until = time.monotonic() + SPIN

    @property
    def opinions(self) -> dict[str, Opinion]:
        """What was said, by specialist."""
        return {name: found for (name, _), found in zip(self._asked, self._found, strict=True) if found is not None}

    def begin(self) -> None:
        """Puts the question, if a worker is free this very moment."""
        self._hand_out(0)

    def advance(self, patience: float) -> bool:
        """Goes on for `patience` seconds at most; whether it is done then."""
        until = time.monotonic() + patience
        with self._advancing:
            while (self._waiting or self._assignments) and not self._is_given_up:
                self._step(until)
                now = time.monotonic()
                if now >= self._deadline:
                    self._end()
                elif now >= until:
                    break
        if self._is_given_up:
            self.close()
        return self.is_done

    @property
    def is_done(self) -> bool:
        """Whether nobody is asked any more."""
        return not (self._waiting or self._assignments)

    def close(self) -> None:
        """Gives up: whoever is still at work is ended. Where a thread advances it, that thread sees to it."""
        self._is_given_up = True
        if self._advancing.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._advancing.release()

    def __del__(self) -> None:
        """A caller that was cancelled while a thread began this never saw it, so cannot close it."""
        self.close()

    def _drop(self) -> None:
        for assignment in self._assignments:
            assignment.pool.discard(assignment.worker)
        self._assignments.clear()
        self._waiting.clear()

    def _begin_clock(self) -> None:
        self._deadline = time.monotonic() + self._longest

    def _step(self, until: float) -> None:
        now = time.monotonic()
        if any(not assignment.is_under_way for assignment in self._assignments):
            self._deadline += now - self._looked  # one imports, or reads a long history; that is nobody's fault
        self._looked = now
        until = min(until, self._deadline)
        self._hand_out(max(0, until - now))
        if self._assignments:
            self._wait(min(until, now + _TICK))
            for assignment in list(self._assignments):
                self._look_at(assignment)

    def _hand_out(self, patience: float) -> None:
        """Finds a worker for each stretch of the list; waits for one only where nobody is at work."""
        for stretch in list(self._waiting):
            pool, first, end = stretch
            try:
                worker = pool.take([name for name, _ in self._asked[first:end]], 0 if self._assignments else patience)
            except NoWorker as error:
                self._waiting.remove(stretch)
                self._leave_unjudged(range(first, end), str(error))
                continue
            if worker is not None:
                self._waiting.remove(stretch)
                self._put(pool, worker, first, end)
            elif first not in self._given and time.monotonic() < self._queue_until:
                self._begin_clock()  # that many ask at once is nobody's fault

    def _put(self, pool: Pool, worker: Remote, first: int, end: int) -> None:
        question = self._question.encoded(worker.told, asked=self._asked[:end], first=first, spoiled=self._spoiled)
        self._given.add(first)
        if len(question) > QUESTION_BYTES:
            pool.discard(worker)  # it has not been told what we noted that it was
            self._leave_unjudged(range(first, end), f"{len(question):,} bytes are too much to look at")
            return
        worker.ask(question, end)
        self._assignments.append(Assignment(pool, worker, first, end, end))

    def _wait(self, until: float) -> None:
        """Until a worker has something to say: at first without letting go of the processor."""
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
            self._bury(assignment, "crash")
        else:
            self._assignments.remove(assignment)
            (assignment.pool.give_back if reply == FINISHED else assignment.pool.discard)(assignment.worker)

    def _watch(self, assignment: Assignment) -> None:
        """What to do about a worker that is still at work."""
        shared, now = assignment.worker.shared, time.monotonic()
        at, since = assignment.at, shared.since
        if not assignment.is_under_way:
            if now - assignment.asked > BIRTH:
                self._bury(assignment, "crash")
        elif at is not None:
            taken, budget = now - since, self._asked[at][1]
            if taken > _PATIENCE:
                taken -= assignment.waited(since)
            if assignment.alarmed == since and taken > budget * (1 + _GRACE):
                self._bury(assignment, "deadline", at)
            elif assignment.alarmed != since and taken > budget:
                assignment.alarmed = since
                assignment.pool.alarm(assignment.worker)
            elif taken > _PATIENCE and at + 1 < assignment.end and not shared.reader:
                self._waiting.append(assignment.pass_on(at + 1))  # unless all wait for the same evidence

    def _bury(self, assignment: Assignment, ended: Ended, late: int | None = None) -> None:
        """A worker is dead, or is killed now. What it found counts; whom it was asking has no vote, unless that is
        somebody else by now than who was `late`."""
        assignment.collect(self._found)
        shared = assignment.worker.shared
        missing = assignment.missing(self._found)
        if not shared.is_ready or self._goes_again(assignment):
            self._given.discard(assignment.first)
            self._waiting.append((assignment.pool, assignment.first, assignment.end))
        elif missing:
            guilty = missing[:1] if assignment.at is not None else missing  # else it died of the question itself
            guilty = guilty if late in (None, missing[0]) else []
            self._refuse(guilty, self._ended(missing[0], ended))
            if shared.reader and guilty:
                self._spoiled.append(shared.reader)
            if len(missing) > len(guilty):
                self._waiting.append((assignment.pool, missing[len(guilty)], assignment.end))
        self._assignments.remove(assignment)
        assignment.pool.discard(assignment.worker)

    def _goes_again(self, assignment: Assignment) -> bool:
        """Whether a worker died before it asked anybody, or since all of them did: once that is nobody's fault."""
        goes = (
            assignment.pool.has_lost_its_origin or not assignment.worker.shared.is_read
        ) and not self._has_gone_again
        self._has_gone_again |= goes
        return goes

    def _end(self) -> None:
        """The time is up for all."""
        for assignment in self._assignments:
            assignment.collect(self._found)
            at = assignment.at
            if at is not None:
                self._refuse([at], self._ended(at, "deadline"))
        for _, first, end in self._waiting:
            if first not in self._given:
                self._leave_unjudged(range(first, end), f"no worker was free within {_QUEUE:g} s (see workers.count)")
        told = "its turn did not come before the deadline of the decision"
        self._refuse(range(len(self._asked)), Refusal(told, Cause.INPUT, ended="deadline"))
        self._drop()

    def _ended(self, number: int, how: Ended) -> Refusal:
        if how == "deadline":
            return late(self._asked[number][1], Cause.INPUT)
        return Refusal("ended the process that it was asked in", Cause.INPUT, ended=how)

    def _leave_unjudged(self, numbers: Iterable[int], why: str) -> None:
        self.unjudged = why
        self._refuse(numbers, Refusal(why, Cause.INFRASTRUCTURE, ended="unasked"))

    def _refuse(self, numbers: Iterable[int], refusal: Refusal) -> None:
        for number in numbers:
            self._found[number] = self._found[number] or refusal


def _stretches(asked: Mapping[Pool, Sequence[tuple[str, float]]]) -> list[tuple[Pool, int, int]]:
    """Each pool with the first of its specialists in the whole list, and the one after its last."""
    ends = list(itertools.accumulate(len(group) for group in asked.values()))
    return [(pool, end - len(group), end) for (pool, group), end in zip(asked.items(), ends, strict=True)]
