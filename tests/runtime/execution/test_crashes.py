"""Executors are killed and frozen while they work. No task is lost, none is completed twice, none runs twice at a time,
and no process is left."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import select, text

from benchmarks.fleet import Member, fleet, processes_below, trace_of, traced
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import counts
from supervisor.runtime.store.schema import attempts, tasks
from supervisor.runtime.tasks.policy import Backoff, FailurePolicy
from tests.runtime.execution.running import Tasks, until
from tests.runtime.processes.starting import only_linux

pytestmark = [only_linux, pytest.mark.thorough]

LEASE = 6.0
PATIENT = FailurePolicy((), Backoff(0.1, 1.0, 0.1, 0.0), losses=1_000)  # a loss never counts as a failure here
_TASKS = 40
_BLOWS = 6
_MOST = 240.0  # seconds for all tasks; undisturbed, they take about a twentieth of it


def kill(member: Member, chance: random.Random) -> None:
    member.kill()
    time.sleep(chance.uniform(0, 1))
    member.start()


def freeze(member: Member, chance: random.Random) -> None:
    member.freeze()
    time.sleep(chance.uniform(0.2, 2 * LEASE))
    member.thaw()


def kill_keeper(member: Member, chance: random.Random) -> None:
    if (keeper := member.keeper()) is not None:
        os.kill(keeper, signal.SIGKILL)


def kill_both(member: Member, chance: random.Random) -> None:
    """Nobody is left on this machine who knows of the workers, but the database."""
    kill_keeper(member, chance)
    kill(member, chance)


def end(member: Member, chance: random.Random) -> None:
    assert member.end() in (0, -signal.SIGTERM)  # the latter if it has only just begun to start
    member.start()


Blow = Callable[[Member, random.Random], None]


@pytest.fixture
def added(store: Store, tmp_path: Path) -> Tasks:
    made = Tasks(store, tmp_path)
    for _ in range(_TASKS):
        made.add_command(traced(ticks=12), policy=PATIENT)
    return made


@pytest.mark.parametrize(
    ("url", "blow"),
    [
        ("sqlite", kill),
        ("sqlite", freeze),
        ("sqlite", kill_keeper),
        ("sqlite", end),
        ("postgres", kill),
        ("postgres", freeze),
        ("postgres", kill_both),
    ],
    indirect=["url"],
)
def test_nothing_is_lost_and_nothing_is_done_twice(blow: Blow, added: Tasks, url: str, tmp_path: Path) -> None:
    chance = random.Random(1)
    with fleet(url, tmp_path, executors=3, slots=2, lease=LEASE) as members:
        until(lambda: counts(added.store).get("running", 0) >= 4, 60)
        until_all_are_done(added, lambda: blow(chance.choice(members), chance))
        until(lambda: not processes_below(tmp_path), 2 * LEASE)
    check(added, tmp_path)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_one_executor_alone_goes_on_after_each_end(added: Tasks, url: str, tmp_path: Path) -> None:
    chance = random.Random(2)
    with fleet(url, tmp_path, executors=1, slots=8, lease=LEASE) as (member,):
        until(lambda: counts(added.store).get("running", 0) >= 4, 60)
        until_all_are_done(added, lambda: chance.choice((kill, freeze, kill_both))(member, chance))
    check(added, tmp_path)


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_a_database_that_breaks_all_connections_loses_nothing(added: Tasks, url: str, tmp_path: Path) -> None:
    """As at its restart: every connection ends, whatever it is in the middle of."""

    def break_connections() -> None:
        with added.store.reading() as connection:
            ours = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid()")
            connection.execute(ours)

    with fleet(url, tmp_path, executors=2, slots=4, lease=LEASE):
        until(lambda: counts(added.store).get("running", 0) >= 4, 60)
        until_all_are_done(added, break_connections)
    check(added, tmp_path)


def test_work_of_a_killed_executor_goes_on_at_once(store: Store, url: str, tmp_path: Path) -> None:
    """On one machine nobody waits for a lease: a process that has ended is seen."""
    made = Tasks(store, tmp_path)
    with fleet(url, tmp_path, executors=2, slots=2, lease=60.0) as members:
        id = made.add_command(traced(ticks=200), policy=PATIENT)
        until(lambda: trace_of(tmp_path))
        with store.reading() as connection:
            worker = connection.scalar(select(attempts.c.worker).where(attempts.c.task == id))
        next(member for member in members if member.worker == worker).kill()
        until(lambda: [line for line in trace_of(tmp_path) if line.attempt == 2], 30)
    assert made.endings(id)[0] == "lost"


def until_all_are_done(added: Tasks, blow: Callable[[], None]) -> None:
    """Deals blows while the tasks are done, each when something has been done since the last."""
    for _ in range(_BLOWS):
        before = done(added)
        if before == _TASKS:
            break
        blow()
        until(lambda: done(added) > before, _MOST, lambda: str(counts(added.store)))  # noqa: B023 - used at once
    until(lambda: done(added) == _TASKS, _MOST, lambda: str(counts(added.store)))


def done(added: Tasks) -> int:
    return counts(added.store).get("succeeded", 0)


def check(added: Tasks, folder: Path) -> None:
    """What the database says, and what the commands have traced."""
    assert counts(added.store) == {"succeeded": _TASKS}
    with added.store.reading() as connection:
        rows = connection.execute(select(attempts)).all()
        assert connection.scalars(select(tasks.c.id).where(tasks.c.failures > 0)).all() == []
    times = Counter(row.task for row in rows if row.ending == "succeeded")
    assert (len(times), set(times.values())) == (_TASKS, {1})
    endings = {(row.task, row.number): row.ending for row in rows}
    assert set(endings.values()) <= {"succeeded", "lost", "interrupted"}
    finished = ends(folder)
    assert [each for each, ending in endings.items() if ending == "succeeded" and finished[each] != 1] == []
    for task in times:
        lines = sorted((line for line in trace_of(folder) if line.task == task), key=lambda line: line.at)
        assert [later for earlier, later in pairwise(lines) if later.attempt < earlier.attempt] == []


def ends(folder: Path) -> Counter[tuple[str, int]]:
    """How often each attempt has come to its end."""
    return Counter((line.task, line.attempt) for line in trace_of(folder) if line.word == "end")
