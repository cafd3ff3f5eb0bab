"""On a busy machine the deadline of a whole decision moves, by no more than the time for which its workers waited for a
processor, and within bounds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.engine.workers import assignment, job
from supervisor.engine.workers.assignment import Assignment
from supervisor.engine.workers.job import Job
from supervisor.engine.workers.payload import Question
from supervisor.engine.workers.pool import Pool
from supervisor.engine.workers.worker import FINISHED
from supervisor.specialist import ok
from supervisor.verdict import Refusal

TICK = job._TICK
BUDGETS = st.floats(0.01, 5, allow_nan=False)
SECONDS = st.floats(0, 3, allow_nan=False)


class Machine:
    """A clock, and workers that take part of the time for computing and wait for a processor in the rest of it."""

    def __init__(self, shares: list[float], replies_at: float = float("inf")) -> None:
        """`shares` has the part of the time for which each worker waits for a processor."""
        self.now = 1000.0
        self._start = self.now
        self._shares = shares
        self._replies_at = self._start + replies_at

    @property
    def elapsed(self) -> float:
        return self.now - self._start

    def monotonic(self) -> float:
        self.now += 1e-5  # so that what polls the clock gets on
        return self.now

    def waited(self, process: int) -> float:
        return self.elapsed * self._shares[process]

    def worker(self, process: int) -> Any:
        def wait(patience: float) -> bool:
            self.now = min(self.now + patience, max(self.now, self._replies_at))
            return self.now >= self._replies_at

        shared = SimpleNamespace(
            process=process, at=0, since=self._start, computed=0.0, reader=0, is_ready=True, is_read=True
        )
        shared.found = lambda: [[0]] if self.now >= self._replies_at else []
        reply = lambda: FINISHED if self.now >= self._replies_at else None  # noqa: E731
        sent = SimpleNamespace(sent=0, message=lambda history: None)
        return SimpleNamespace(shared=shared, sent=sent, wait=wait, reply=reply, ask=lambda *question: None)


class OneWorker:
    """A pool of one worker, which is not replaced."""

    def __init__(self, worker: Any) -> None:
        self._free = [worker]
        self.has_lost_origin = False
        self.alarmed = 0

    def take(self, *wanted: Any) -> Any:
        return self._free.pop() if self._free else None

    def alarm(self, worker: Any) -> None:
        self.alarmed += 1

    def give_back(self, worker: Any) -> None:
        self._free.append(worker)

    def discard(self, worker: Any) -> None:
        pass


def on(machine: Machine, monkeypatch: pytest.MonkeyPatch, budget: float) -> tuple[Job, OneWorker]:
    """A job of one specialist on a machine, begun."""
    monkeypatch.setattr(job, "time", machine)
    monkeypatch.setattr(assignment, "_waited", machine.waited)
    pool = OneWorker(machine.worker(0))
    made = Job(Question(Action("bash", {"command": "ls"}, "shell"), Context()), {cast(Pool, pool): [("one", budget)]})
    made.begin()
    return made, pool


@pytest.mark.parametrize("budget", [0.05, 0.3, 1.0, 2.5])
def test_a_worker_that_only_waits_is_heard_late_and_not_without_end(
    monkeypatch: pytest.MonkeyPatch, budget: float
) -> None:
    machine = Machine([1.0])
    asked, pool = on(machine, monkeypatch, budget)
    assert asked.advance(3600)
    (said,) = asked.opinions.values()
    assert isinstance(said, Refusal)
    assert said.ended == "deadline"
    assert not pool.alarmed  # the specialist had not used up its budget
    most = max(job._BUSY, budget * job._WHOLE * (1 + job._SPARE))
    assert most - 2 * TICK <= machine.elapsed <= most + 2 * TICK
    assert machine.elapsed < max(2.0, 2 * budget)


@pytest.mark.parametrize("budget", [0.05, 0.3])
def test_a_vote_counts_that_comes_within_the_extension(monkeypatch: pytest.MonkeyPatch, budget: float) -> None:
    whole = budget * job._WHOLE
    asked, _ = on(Machine([0.95], replies_at=whole * 2), monkeypatch, budget)
    assert asked.advance(3600)
    assert asked.opinions == {"one": ok()}


@pytest.mark.parametrize("budget", [0.05, 0.3, 2.5])
def test_a_worker_that_computes_is_ended_as_on_a_quiet_machine(monkeypatch: pytest.MonkeyPatch, budget: float) -> None:
    machine = Machine([0.0])
    asked, pool = on(machine, monkeypatch, budget)
    assert asked.advance(3600)
    (said,) = asked.opinions.values()
    assert isinstance(said, Refusal)
    assert said.ended == "deadline"
    assert pool.alarmed == 1
    assert machine.elapsed <= budget * (1 + job._GRACE) + 2 * TICK


ROUNDS = st.lists(st.lists(SECONDS, min_size=1, max_size=3), min_size=1, max_size=20)


def begun(workers: int, budget: float) -> tuple[Job, dict[int, float]]:
    """A job that several workers are at, and the seconds for which each has waited so far."""
    waited = dict.fromkeys(range(workers), 0.0)
    made = Job(Question(Action("bash", {}, "shell"), Context()), {cast(Pool, None): [("one", budget)] * workers})
    made._waiting.clear()
    for number in waited:
        handle = SimpleNamespace(shared=SimpleNamespace(process=number))
        made._assignments.append(Assignment(cast(Pool, None), cast(Any, handle), number, number + 1, number + 1))
    return made, waited


@given(BUDGETS, ROUNDS)
def test_the_deadline_moves_by_what_all_workers_waited_within_the_bounds(
    budget: float, rounds: list[list[float]]
) -> None:
    """Against a model that knows only the sums."""
    workers = min(map(len, rounds))
    with pytest.MonkeyPatch.context() as patched:
        waited: dict[int, float] = {}
        patched.setattr(assignment, "_waited", lambda process: waited.get(process, 0.0))
        asked, waited = begun(workers, budget)
        longest, first = budget * job._WHOLE, asked._deadline
        most, moved = max(job._BUSY, longest * (1 + job._SPARE)) - longest, 0.0
        for each in rounds:
            for number in waited:
                waited[number] += each[number]
            expected = min(min(each[:workers]), most - moved)
            assert asked._is_extended() is (expected > TICK) or abs(expected - TICK) < 1e-9
            moved += expected if expected > TICK else 0.0
            assert asked._deadline - first == pytest.approx(moved, abs=1e-6)
            assert asked._is_extended() is False  # the same time is not counted twice
        assert asked._deadline - first <= most + 1e-6
        asked._assignments.clear()


@given(BUDGETS, st.lists(SECONDS, min_size=1, max_size=5))
def test_one_worker_that_computes_is_enough_to_deny_it(budget: float, others: list[float]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        waited: dict[int, float] = {}
        patched.setattr(assignment, "_waited", lambda process: waited.get(process, 0.0))
        asked, waited = begun(len(others) + 1, budget)
        first = asked._deadline
        waited.update(enumerate(others, 1))
        assert not asked._is_extended()
        assert asked._deadline == first
        asked._assignments.clear()


def test_a_job_that_no_worker_is_at_is_not_extended() -> None:
    asked, _ = begun(1, 0.3)
    asked._assignments.clear()
    assert not asked._is_extended()


@given(st.lists(SECONDS, min_size=1))
def test_time_is_counted_from_the_asking_on_and_once(each: list[float]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        total = 7.0  # of earlier questions to the same worker
        patched.setattr(assignment, "_waited", lambda process: total)
        handle = SimpleNamespace(shared=SimpleNamespace(process=1))
        at_work = Assignment(cast(Pool, None), cast(Any, handle), 0, 1, 1)
        for seconds in each:
            total += seconds
            assert at_work.newly_waited() == pytest.approx(seconds)
            assert at_work.newly_waited() == 0.0
