"""Everything is killed, again and again, while questions to a person are open and agents are at work.

    python -m benchmarks.questions [--kills N] [--slots N] [--busy N] [--lease S] [--seed N] [--postgres] [--json]

Agents, which follow a script and speak like Claude Code, want to force-push, twice each; each waits for a person
without a process. The person answers, to one agent of five with no, when few tasks are left that do not wait, and
leaves some questions open until the last kill; where only those are left, a task is added. Workers, executors and
keepers are killed and executors frozen at random, but only while a question is open and an agent is at work, and after
one has begun or done something since the last blow: so a busy machine has fewer kills, not weaker ones. In the end
every question is answered and every task done; an interrupt ends the kills before. The exit status is 1 if a question
is lost, or a call ran twice or without a yes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from benchmarks.fleet import fleet, processes_below, wait_until
from benchmarks.night.blows import Blows
from benchmarks.night.guarded import write_policy
from benchmarks.night.tasks import add_all, agent_spec, check, traced
from benchmarks.runtime import postgres
from supervisor.runtime.execution.engine import Queue
from supervisor.runtime.store.changes import answer
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import counts
from supervisor.runtime.store.schema import questions, tasks
from supervisor.runtime.tasks.question import ALLOW, DENY
from supervisor.runtime.tasks.states import TaskState

EXECUTORS = 4
_PLAN = ("work", "risk", "work", "risk", "work")
_PAUSE = (0.0, 0.5)  # seconds between two blows, at least and at most
_OPEN = 5  # questions that are left open as long as kills are left
_WEIGHTS = (60, 18, 6, 6, 2, 8)  # as `blows.KINDS` are named: a worker is killed most often, since it is back soonest
_LONGEST = 4 * 3600.0  # seconds of all


@dataclass(frozen=True, slots=True)
class Struck:
    """What there was at a blow: questions that were open, agents at work, and answers that were given to a task and had
    not led to its next question or its end."""

    kills: int
    open: int
    at_work: int
    under_way: int


class Person:
    """Answers questions. The answer to a task's question is the same each time that it is asked."""

    def __init__(self, store: Store) -> None:
        self._store, self._enqueue = store, Queue(store)

    def waiting(self) -> list[str]:
        """The tasks with an open question, those that have asked first first."""
        query = select(questions.c.task).where(questions.c.answered.is_(None)).order_by(questions.c.asked)
        with self._store.reading() as connection:
            return list(connection.scalars(query).all())

    def asked(self) -> int:
        """How many questions there were so far."""
        with self._store.reading() as connection:
            return connection.scalar(select(func.count()).select_from(questions)) or 0

    def under_way(self) -> int:
        """How many tasks go on, or are about to, with an answer."""
        answered = select(questions.c.task).where(questions.c.answer.is_not(None))
        goes_on = tasks.c.state.in_((TaskState.QUEUED, TaskState.RUNNING)) & tasks.c.id.in_(answered)
        with self._store.reading() as connection:
            return connection.scalar(select(func.count()).select_from(tasks).where(goes_on)) or 0

    def answer(self, task: str) -> None:
        word = DENY if int(task, 16) % 5 == 0 else ALLOW
        answer(self._store, self._enqueue, task, word, "Ada", time.time(), note="as always")


def killed(store: Store, blows: Blows, add: Callable[[], None], options: argparse.Namespace) -> list[Struck]:
    """Deals the blows while the person answers, until all is done. Returns what there was at each. Raises
    TimeoutError."""
    person, began, struck, seen = Person(store), time.monotonic(), list[Struck](), (0, 0)
    while (is_over := blows.kills >= options.kills) is False or set(counts(store)) != {"succeeded"}:
        if time.monotonic() - began > _LONGEST:
            raise TimeoutError(str(counts(store)))
        waiting, states = person.waiting(), counts(store)
        busy = states.get("queued", 0) + states.get("running", 0)
        if waiting and (is_over or (busy < options.busy and len(waiting) > _OPEN)):
            person.answer(waiting[0])
        elif not is_over and busy < options.busy:
            add()
        done = (len(traced(blows.folder)), person.asked())
        at_work = 0 if is_over or not waiting or done == seen else len(processes_below(blows.folder))
        if at_work:
            seen, before, under_way = done, blows.kills, person.under_way()
            blows.deal()
            struck.append(Struck(blows.kills - before, len(waiting), at_work, under_way))
            if blows.kills // 20 > before // 20:
                told = f"{time.monotonic() - began:.0f} s, {blows.kills} kills: {states}, {struck[-1]}"
                print(told, file=sys.stderr, flush=True)
        time.sleep(blows.chance.uniform(*_PAUSE))
    return struck


def measure(url: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    write_policy(folder)
    began, task = time.monotonic(), [agent_spec(folder, "Push the branch", *_PLAN)]
    with closing(Store(url)) as store:
        add_all(store, folder, task * options.busy)
        with fleet(url, folder, EXECUTORS, options.slots, options.lease, more=("guarded",)) as members:
            blows = Blows(members, folder, random.Random(options.seed), 1.5 * options.lease, _WEIGHTS)
            struck = killed(store, blows, lambda: add_all(store, folder, task), options)
            blows.end()
            wait_until(lambda: not processes_below(folder), 2 * options.lease)
            number = sum(counts(store).values())
            checked = check(store, folder, number)
            asked = Person(store).asked()
    risks = sum(line.word == "risk" for line in traced(folder))
    facts = {
        "tasks": number,
        "seconds": time.monotonic() - began,
        "open": _spread([each.open for each in struck]),
        "at_work": _spread([each.at_work for each in struck]),
        "under_way": sum(each.kills for each in struck if each.under_way),
        "asked": asked,
        "ran": risks,
    }
    return {
        **facts,
        "kills": blows.kills,
        "blows": dict(blows.dealt),
        "checked": asdict(checked),
        "holds": checked.holds,
    }


def _spread(numbers: list[int]) -> dict[str, float]:
    """The least, the median and the most of some numbers."""
    if not numbers:
        return {"least": 0, "median": 0, "most": 0}
    return {"least": min(numbers), "median": statistics.median(numbers), "most": max(numbers)}


@contextmanager
def place(options: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """The URL of an empty database, and a folder."""
    if options.postgres:
        with postgres() as fresh:
            made = fresh()
            yield made.url, made.folder
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        yield f"sqlite:///{folder / 'runtime.db'}", folder


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.questions", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000, metavar="N", help="how many kills (1000)")
    parser.add_argument("--slots", type=int, default=2, metavar="N", help="attempts at a time of each executor (2)")
    parser.add_argument("--busy", type=int, default=8, metavar="N", help="tasks that do not wait, at least (8)")
    parser.add_argument("--lease", type=float, default=30.0, metavar="S", help="seconds of a lease (30)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of chance (1)")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, lambda *_: setattr(options, "kills", 0))
    with place(options) as (url, folder):
        os.environ["XDG_CACHE_HOME"] = str(folder)  # what the guard has verified must not enter the user's cache
        found = measure(url, folder, options)
    if options.json:
        print(json.dumps(found))
    else:
        blows = ", ".join(f"{number} {kind}" for kind, number in found["blows"].items())
        print(f"{found['kills']} kills in {found['seconds']:.0f} s, load {os.getloadavg()[0]:.1f}: {blows}")
        print(f"{found['tasks']} tasks, {found['asked']} questions, {found['ran']} calls ran")
        for name in ("open", "at_work"):
            print(
                f"{name.replace('_', ' ')} at a blow: {', '.join(f'{each} {n:g}' for each, n in found[name].items())}"
            )
        print(f"kills while an answer was under way: {found['under_way']}")
        print(", ".join(f"{name.replace('_', ' ')}: {number}" for name, number in found["checked"].items()))
        print("held" if found["holds"] else "did not hold")
    sys.exit(not found["holds"])


if __name__ == "__main__":
    main()
