"""One action before the workers: put to one of them, and where it is held up, to another, until the deadline.

A specialist that takes long does not keep the others waiting: the rest of the list goes to another worker. One that is
past its deadline is told so (SIGALRM), and a little later its worker is killed. An evidence reader that did not come
back is not tried again for this action.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from supervisor.decision.fanout import late
from supervisor.errors import NoWorker
from supervisor.isolation.pool import BIRTH, Pool, Remote, readiness
from supervisor.isolation.question import Question
from supervisor.isolation.slate import QUESTION_BYTES
from supervisor.isolation.worker import FINISHED, SPENT
from supervisor.records.decided import opinion_of
from supervisor.specialist import ok
from supervisor.verdict import Cause, Ended, Opinion, Refusal

SPIN = 0.0003 if (os.cpu_count() or 1) > 1 else 0.0  # seconds; waking up costs more than most answers take
_TICK = 0.002  # seconds between two looks at who is still at work
_PATIENCE = 0.005  # seconds that a specialist may take before another worker goes on with the rest
_GRACE = 0.25  # of its budget that a specialist has from the alarm to the kill
_WHOLE = 1.75  # greatest budgets that a whole inquiry may take, so that a decision stays under two
_QUEUE = 10.0  # seconds that an inquiry waits for its first worker
_OK = ok()


@dataclass(slots=True)
class _Turn:
    """A worker of a pool at the specialists from `first` to before `end`."""

    pool: Pool
    worker: Remote
    first: int
    end: int
    alarmed: float | None = None  # since when the specialist at hand has been at work that was told to stop


class Inquiry:
    """Begin it, advance it until it is done; then `opinions` are there, one for each that was asked.

    `unjudged` says why some of them could not be asked at all, if so: no worker was to be had.
    """

    def __init__(self, question: Question, asked: Mapping[Pool, Sequence[tuple[str, float]]]) -> None:
        """Asks in the workers of each pool the specialists named for it, with their budgets, in seconds."""
        self.unjudged = ""
        self._question = question
        self._asked = [each for group in asked.values() for each in group]
        self._found: list[Opinion | None] = [None] * len(self._asked)
        self._waiting = _stretches(asked)  # those that no worker has been given
        self._turns: list[_Turn] = []
        self._given: set[int] = set()  # the first of each stretch that a worker has been given
        self._spoiled: list[int] = []
        self._longest = max(budget for _, budget in self._asked) * _WHOLE
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
        while self._waiting or self._turns:
            self._step(until)
            now = time.monotonic()
            if now >= self._deadline:
                self._end()
            elif now >= until and (self._waiting or self._turns):
                return False
        return True

    def close(self) -> None:
        """Gives up: whoever is still at work is ended."""
        for turn in self._turns:
            turn.pool.discard(turn.worker)
        self._turns.clear()
        self._waiting.clear()

    def _begin_clock(self) -> None:
        self._deadline = time.monotonic() + self._longest

    def _step(self, until: float) -> None:
        now = time.monotonic()
        until = min(until, self._deadline)
        self._hand_out(max(0, until - now))
        if self._turns:
            self._wait(min(until, now + _TICK))
            for turn in list(self._turns):
                self._look_at(turn)

    def _hand_out(self, patience: float) -> None:
        """Finds a worker for each stretch of the list; waits for one only where nobody is at work."""
        for stretch in list(self._waiting):
            pool, first, end = stretch
            try:
                worker = pool.take([name for name, _ in self._asked[first:end]], 0 if self._turns else patience)
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
            self._refuse(range(first, end), Refusal(f"{len(question):,} bytes are too much to look at", Cause.INPUT))
            return
        worker.ask(question, end)
        self._turns.append(_Turn(pool, worker, first, end))

    def _wait(self, until: float) -> None:
        """Until a worker has something to say: at first without letting go of the processor."""
        ready = readiness([turn.worker for turn in self._turns]) if len(self._turns) > 1 else self._turns[0].worker.wait
        while (now := time.monotonic()) < self._spin_until:
            if ready(0):
                return
            os.sched_yield()
        ready(max(0, until - now))

    def _look_at(self, turn: _Turn) -> None:
        reply = turn.worker.reply()
        if reply is None:
            self._watch(turn)
        elif reply not in (FINISHED, SPENT) or not self._collect(turn):
            self._bury(turn, "crash")
        else:
            self._turns.remove(turn)
            (turn.pool.give_back if reply == FINISHED else turn.pool.discard)(turn.worker)

    def _watch(self, turn: _Turn) -> None:
        """What to do about a worker that is still at work."""
        slate, now = turn.worker.slate, time.monotonic()
        at, since = slate.at, slate.since
        if not slate.is_ready and now - turn.worker.since > BIRTH:
            self._bury(turn, "crash")
        elif not slate.is_ready:
            self._begin_clock()  # it imports; that is nobody's fault
        elif at is not None:
            taken, budget = now - since, self._asked[at][1]
            if turn.alarmed == since and taken > budget * (1 + _GRACE):
                self._bury(turn, "deadline")
            elif turn.alarmed != since and taken > budget:
                turn.alarmed = since
                turn.pool.alarm(turn.worker)
            elif taken > _PATIENCE and at + 1 < turn.end and not slate.reader:
                self._pass_on(turn, at + 1)

    def _pass_on(self, turn: _Turn, rest: int) -> None:
        """Somebody else goes on with the rest, unless all wait for the same evidence."""
        turn.worker.slate.stop_before(rest)
        turn.worker.is_stuck = True
        self._waiting.append((turn.pool, rest, turn.end))
        turn.end = rest

    def _bury(self, turn: _Turn, ended: Ended) -> None:
        """A worker is dead, or is killed now. What it found counts; whom it was asking has no vote."""
        self._collect(turn)
        slate = turn.worker.slate
        missing = [number for number in range(turn.first, turn.end) if self._found[number] is None]
        if not slate.is_ready:
            self._given.discard(turn.first)
            self._waiting.append((turn.pool, turn.first, turn.end))
        elif missing:
            guilty = missing[:1] if slate.at is not None else missing  # else it died of the question itself
            self._refuse(guilty, self._ended(missing[0], ended))
            if slate.reader:
                self._spoiled.append(slate.reader)
            if len(missing) > len(guilty):
                self._waiting.append((turn.pool, missing[1], turn.end))
        self._turns.remove(turn)
        turn.pool.discard(turn.worker)

    def _end(self) -> None:
        """The time is up for all."""
        for turn in self._turns:
            self._collect(turn)
            at = turn.worker.slate.at
            if at is not None:
                self._refuse([at], self._ended(at, "deadline"))
        for _, first, end in self._waiting:
            if first not in self._given:
                self._leave_unjudged(range(first, end), f"no worker was free within {_QUEUE:g} s (see workers.count)")
        told = "its turn did not come before the deadline of the decision"
        self._refuse(range(len(self._asked)), Refusal(told, Cause.INPUT, ended="deadline"))
        self.close()

    def _ended(self, number: int, how: Ended) -> Refusal:
        if how == "deadline":
            return late(self._asked[number][1], Cause.INPUT)
        return Refusal("ended the process that it was asked in", Cause.INPUT, ended=how)

    def _leave_unjudged(self, numbers: Iterable[int], why: str) -> None:
        self.unjudged = why
        self._refuse(numbers, Refusal(why, Cause.INFRASTRUCTURE))

    def _refuse(self, numbers: Iterable[int], refusal: Refusal) -> None:
        for number in numbers:
            self._found[number] = self._found[number] or refusal

    def _collect(self, turn: _Turn) -> bool:
        """Takes over what a worker has found; whether that is everything. What makes no sense was not found."""
        with contextlib.suppress(ValueError, TypeError, LookupError):
            for number, *told in turn.worker.slate.found():
                if turn.first <= number and self._found[number] is None:
                    self._found[number] = opinion_of(told[0]) if told else _OK
        return all(self._found[turn.first : turn.end])


def _stretches(asked: Mapping[Pool, Sequence[tuple[str, float]]]) -> list[tuple[Pool, int, int]]:
    """Each pool with the first of its specialists in the whole list, and the one after its last."""
    ends = list(itertools.accumulate(len(group) for group in asked.values()))
    return [(pool, end - len(group), end) for (pool, group), end in zip(asked.items(), ends, strict=True)]
