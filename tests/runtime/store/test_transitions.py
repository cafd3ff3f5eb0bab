"""However people, executors and chance follow each other: what the tables say of a task is always one whole state, and
the engine always holds exactly what has to run next."""

from __future__ import annotations

import atexit
import functools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule
from sqlalchemy import Connection, select

from supervisor.errors import BadInput
from supervisor.runtime.processes.containment import Containment
from supervisor.runtime.processes.identity import Identity
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.asking import use
from supervisor.runtime.store.attempts import Begun, Executor, Left, Unneeded, begin, settle
from supervisor.runtime.store.changes import answer, cancel, expire, release_targets, retry
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.enqueuing import Enqueued
from supervisor.runtime.store.executors import declare_dead, register, signs, stops
from supervisor.runtime.store.preempting import preempt
from supervisor.runtime.store.queries import show
from supervisor.runtime.store.schema import attempts, dependencies, metadata, questions, tasks
from supervisor.runtime.tasks.outcome import FAILURES, INTERRUPTIONS, Ending, Outcome
from supervisor.runtime.tasks.policy import Backoff, FailurePolicy, Remedy
from supervisor.runtime.tasks.preempting import MOST_PREEMPTIONS
from supervisor.runtime.tasks.question import ALLOW, DENY, Given, Question
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.states import TaskState

WORKERS = ("blue", "green")
T = TypeVar("T")
GROUP = Containment("group", "a test asks for it")
ENDINGS = sorted({*FAILURES, *INTERRUPTIONS, Ending.SUCCEEDED, Ending.PARKED})
ASKED = Question("May it?", (ALLOW, DENY), "d" * 64, "rm x")


class Enqueuing:
    """What the engine would hold."""

    def __init__(self) -> None:
        self.held: dict[str, Enqueued] = {}

    def __call__(self, connection: Connection, enqueued: Enqueued) -> None:
        assert enqueued.workflow not in self.held
        self.held[enqueued.workflow] = enqueued


def told(step: Callable[[], T]) -> tuple[str, T | None]:
    """The code of the error that a step raises, empty if it raises none, and what it returns."""
    try:
        return "", step()
    except BadInput as error:
        return error.code, None


def executor(worker: str) -> Executor:
    return Executor(f"{worker}-1", worker, "here")


class QuickStore(Store):
    """Waits for no disk."""

    is_safe_from_power_cuts = False


@functools.cache
def _store() -> Store:
    """One file for all runs, because its migrations take as long as a run."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    store = QuickStore(f"sqlite:///{Path(folder.name) / 'a.db'}")
    atexit.register(store.close)
    return store


class Tasks(RuleBasedStateMachine):
    """Adds, runs, cancels, retries and answers tasks in any order, at times that go on."""

    added = Bundle("added")

    @initialize()
    def open(self) -> None:
        self.store = _store()
        with self.store.writing() as connection:
            for table in metadata.sorted_tables:
                connection.execute(table.delete())
        self.enqueue, self.now = Enqueuing(), 1000.0
        self.given: dict[str, str] = {}
        for number, worker in enumerate(WORKERS):
            register(self.store, executor(worker), Identity(number + 10, 1, ""), "default", 2, self.now)

    @rule(
        target=added,
        remedies=st.lists(st.sampled_from(Remedy), max_size=3).map(tuple),
        after=st.lists(added, max_size=2).map(tuple),
        parent=st.none() | added,
        key=st.none() | st.sampled_from(["a", "b"]),
        deadline=st.none() | st.integers(1, 20),
        priority=st.integers(0, 9),
        preemptible=st.booleans(),
    )
    def adding(
        self, remedies: tuple[Remedy, ...], key: str | None, deadline: int | None, after: tuple[str, ...], **more: Any
    ) -> Any:
        policy = FailurePolicy(remedies, Backoff(), losses=1)
        until = None if deadline is None else self.now + deadline
        spec = Spec(("true",), "/", key=key, deadline=until, after=after, policy=policy, **more)
        problem, made = told(lambda: add(self.store, self.enqueue, spec, self.now))
        if made is None:
            assert (problem in ("task_over", "too_deep"), more["parent"] is not None) == (True, True)
            return multiple()
        return made.id if made.is_new else multiple()

    @rule(id=added, worker=st.sampled_from(WORKERS), ending=st.sampled_from(ENDINGS), twice=st.booleans())
    def running(self, id: str, worker: str, ending: Ending, twice: bool) -> None:
        """The engine runs what it holds, now and then twice, and whatever became of the task meanwhile."""
        for held in [each for each in self.enqueue.held.values() if each.task == id and each.target in (None, worker)]:
            tree = Tree.planned(new_marker(), GROUP)
            claimed = begin(self.store, id, held.number, executor(worker), tree, "log", self.now)
            if isinstance(claimed, Begun):
                if twice:  # the executor died, and another one takes over
                    left = begin(self.store, id, held.number, executor(worker), tree, "log", self.now)
                    assert isinstance(left, Left)
                    assert left.tree == tree
                wanted = [each for each in stops(self.store, executor(worker).id) if each.task == id]
                ended = wanted[0].ending if wanted else Ending.LOST if twice else ending
                outcome = Outcome(ended, "why", question=ASKED if ended is Ending.PARKED else None)
            elif isinstance(claimed, Unneeded):
                continue
            elif isinstance(claimed, Left):
                outcome = Outcome(Ending.LOST, "why")
            else:
                outcome = claimed
            if isinstance(claimed, Begun) and outcome.ending is not Ending.LOST:
                self.check_given(id, claimed.given)
            assert settle(self.store, self.enqueue, id, held.number, outcome, self.now) is not None
            assert settle(self.store, self.enqueue, id, held.number, outcome, self.now) is None

    def check_given(self, id: str, given: Given | None) -> None:
        """An attempt has the answer that nobody has used, and uses it once."""
        assert (given and given.answer) == self.given.pop(id, None)
        if given is not None:
            assert [use(self.store, given.id, self.now) for _ in range(2)] == [True, False]

    @rule(id=added, worker=st.sampled_from(WORKERS))
    def beginning(self, id: str, worker: str) -> None:
        """An attempt is begun, and runs while other things happen."""
        for held in [each for each in self.enqueue.held.values() if each.task == id and each.target in (None, worker)]:
            tree = Tree.planned(new_marker(), GROUP)
            begin(self.store, id, held.number, executor(worker), tree, "log", self.now)

    @rule(id=added, ending=st.sampled_from(ENDINGS), hears=st.booleans())
    def ending(self, id: str, ending: Ending, hears: bool) -> None:
        """An attempt that runs ends, as it is asked to if it hears of it. What was to be over is, in any case."""
        found = show(self.store, id)
        if found["state"] == TaskState.RUNNING:
            ended = Ending(found["stop"] or ending) if hears else ending
            outcome = Outcome(ended, found["reason"], question=ASKED if ended is Ending.PARKED else None)
            assert settle(self.store, self.enqueue, id, found["attempt"], outcome, self.now) is not None
            if found["stop"] in (Ending.CANCELLED, Ending.ABANDONED) and ended is not Ending.SUCCEEDED:
                assert show(self.store, id)["attempts"][-1]["ending"] == found["stop"]
                assert TaskState(show(self.store, id)["state"]).is_final

    @rule()
    def preempting(self) -> None:
        """Who gives way runs, is less urgent, and may be interrupted, thrice at most. Asking again changes nothing."""
        for each in preempt(self.store, "default", self.now):
            gives, needs = show(self.store, each.task), show(self.store, each.by)
            assert (gives["stop"], gives["preemptible"], gives["state"]) == (Ending.PREEMPTED, True, TaskState.RUNNING)
            assert (needs["state"], needs["priority"] < gives["priority"]) == (TaskState.QUEUED, True)
            assert [tried["ending"] for tried in gives["attempts"]].count(Ending.PREEMPTED) < MOST_PREEMPTIONS
        assert preempt(self.store, "default", self.now) == []

    @rule(id=added)
    def cancelling(self, id: str) -> None:
        for each in cancel(self.store, id, self.now):
            assert show(self.store, each)["state"] in (TaskState.CANCELLED, TaskState.RUNNING)

    @rule(id=added)
    def retrying(self, id: str) -> None:
        state = show(self.store, id)["state"]
        problem, _ = told(lambda: retry(self.store, self.enqueue, id, self.now))
        may = state in (TaskState.FAILED, TaskState.CANCELLED)
        assert problem in (("", "key_in_use") if may else ("not_over",))

    @rule(id=added, given=st.sampled_from(["retry", "give-up", "perhaps", ALLOW, DENY]))
    def answering(self, id: str, given: str) -> None:
        asked = [each for each in show(self.store, id)["questions"] if each["answered"] is None]
        problem, _ = told(lambda: answer(self.store, self.enqueue, id, given, "somebody", self.now))
        assert bool(problem) == (not asked or given not in asked[0]["choices"])
        if not problem and given in (ALLOW, DENY):
            self.given[id] = given
            assert show(self.store, id)["target"] == asked[0]["worker"]

    @rule(seconds=st.integers(1, 10))
    def time_passes(self, seconds: int) -> None:
        self.now += seconds
        expire(self.store, self.now)

    @rule(worker=st.sampled_from(WORKERS))
    def dying(self, worker: str) -> None:
        for sign in signs(self.store):
            if sign.worker == worker:
                assert declare_dead(self.store, sign.id, sign.beat)
        release_targets(self.store, self.enqueue, self.now)

    @invariant()
    def every_task_is_in_one_whole_state(self) -> None:
        if not hasattr(self, "store"):
            return
        with self.store.reading() as connection:
            for row in connection.execute(select(tasks)).all():
                self.check(connection, row)

    def check(self, connection: Connection, row: Any) -> None:
        begun = connection.execute(select(attempts).where(attempts.c.task == row.id)).all()
        running = [each.number for each in begun if not each.ending]
        waits_for = (
            select(tasks.c.id)
            .join(dependencies, dependencies.c.needs == tasks.c.id)
            .where(dependencies.c.task == row.id, tasks.c.state != TaskState.SUCCEEDED)
        )
        asked = select(questions.c.id).where(questions.c.task == row.id, questions.c.answered.is_(None))
        held = self.enqueue.held.get(f"{row.id}.{row.attempt}")
        assert running == ([row.attempt] if row.state == TaskState.RUNNING else [])
        assert len(connection.execute(asked).all()) == (row.state == TaskState.WAITING)
        if row.state == TaskState.QUEUED:
            assert held is not None
            assert row.attempt not in [each.number for each in begun]
            assert held.target == row.target
        if row.state == TaskState.BLOCKED:
            assert connection.execute(waits_for).first() is not None
        if row.state == TaskState.SUCCEEDED:
            assert [each.ending for each in begun if each.number == row.attempt] == [Ending.SUCCEEDED]
        if row.stop is not None:
            assert row.state == TaskState.RUNNING


Tasks.TestCase.settings = settings(max_examples=8, stateful_step_count=20)
TestTasks = Tasks.TestCase


class ManyTasks(Tasks):
    """More of the same."""


ManyTasks.TestCase.settings = settings(max_examples=150, stateful_step_count=40)
TestManyTasks = pytest.mark.thorough(ManyTasks.TestCase)
