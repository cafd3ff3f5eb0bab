"""The tasks of a night, and what became of them."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from dataclasses import astuple, dataclass
from itertools import pairwise
from pathlib import Path

from sqlalchemy import select

from benchmarks.fleet import processes_below
from benchmarks.night import agent
from supervisor.runtime.execution.engine import Queue, prepare
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import counts
from supervisor.runtime.store.schema import attempts, questions
from supervisor.runtime.tasks.policy import Backoff, FailurePolicy, remedies_of
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.states import TaskState

_PATIENT = FailurePolicy(remedies_of("retry*100"), Backoff(0.5, 1.0, 0.5, 0.5), losses=10_000)
_PYTHON = (sys.executable, "-I", "-S")
_HANGS_ONCE = "import os, time; time.sleep(0.2 if int(os.environ['SUPERVISOR_ATTEMPT']) > 1 else 100_000)"
_SHORT = "import time; time.sleep(0.2)"


def agent_spec(folder: Path, title: str, *plan: str) -> Spec:
    """A task for the scripted agent."""
    command = (*_PYTHON, agent.__file__, str(folder), *plan)
    return Spec(command, str(folder), title, driver="claude", prompt=title, policy=_PATIENT)


def command_spec(folder: Path, title: str, program: str) -> Spec:
    return Spec((*_PYTHON, "-c", program), str(folder), title, policy=_PATIENT)


def night_specs(folder: Path, number: int) -> list[Spec]:
    """So many tasks: of each twenty, six commands, one of which hangs once, and fourteen of an agent."""
    kinds = [
        *[command_spec(folder, "Pack the logs", _SHORT)] * 5,
        command_spec(folder, "Fetch the mirror", _HANGS_ONCE),
        *[agent_spec(folder, "Rename the class in all files", "work", "work")] * 5,
        *[agent_spec(folder, "Make the tests pass in all packages", "work", "ask", "work")] * 6,
        *[agent_spec(folder, "Bring the branch up to date and push it", "work", "risk", "work")] * 2,
        agent_spec(folder, "Write the pages anew", "work", "stall", "work"),
    ]
    return [kinds[(each * 7) % len(kinds)] for each in range(number)]  # 7: the kinds take turns


def add_all(store: Store, folder: Path, specs: list[Spec]) -> None:
    (folder / "sessions").mkdir(exist_ok=True)
    prepare(store)
    enqueue = Queue(store)
    for spec in specs:
        add(store, enqueue, spec, time.time())


def is_over(store: Store) -> bool:
    """Whether every task is done, or waits for a person."""
    states = {TaskState(state) for state in counts(store)}
    return not states & {TaskState.QUEUED, TaskState.RUNNING, TaskState.BLOCKED}


@dataclass(frozen=True, slots=True)
class Checked:
    """What must be 0. `lost` are tasks that are neither done nor wait. `completed_twice` are tasks, `ran_twice` calls,
    `without_a_yes` calls about which no person had said yes, and `overlapping` tasks of which two attempts have made
    calls at the same time."""

    lost: int
    completed_twice: int
    ran_twice: int
    without_a_yes: int
    answers_used_twice: int
    overlapping: int
    orphans: int

    @property
    def holds(self) -> bool:
        """Whether it is."""
        return not any(astuple(self))


def check(store: Store, folder: Path, number: int) -> Checked:
    """Compares the database with what the agents have traced."""
    states = counts(store)
    with store.reading() as connection:
        done = Counter(connection.scalars(select(attempts.c.task).where(attempts.c.ending == "succeeded")).all())
        yes = set(connection.scalars(select(questions.c.task).where(questions.c.answer == "allow")).all())
        used = connection.execute(select(questions.c.task).where(questions.c.used.is_not(None))).all()
    risks = Counter((each.task, each.step) for each in traced(folder) if each.word == "risk")
    works = Counter((each.task, each.step) for each in traced(folder) if each.word == "work")
    taken = Counter(row.task for row in used)
    return Checked(
        lost=number - states.get("succeeded", 0) - states.get("waiting", 0),
        completed_twice=sum(times > 1 for times in done.values()),
        ran_twice=sum(times > 1 for times in (*risks.values(), *works.values())),
        without_a_yes=sum(task not in yes for task, _ in risks),
        answers_used_twice=sum(times > taken[task] for (task, _), times in risks.items()),
        overlapping=_overlapping(folder),
        orphans=len(processes_below(folder)),
    )


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the trace."""

    task: str
    attempt: int
    step: int
    at: float
    word: str


def traced(folder: Path) -> list[Line]:
    """What the agents have traced."""
    file = folder / "trace"
    lines = [line.split(" ", 4) for line in file.read_text().splitlines()] if file.exists() else []
    return [Line(task, int(attempt), int(step), float(at), word) for task, attempt, step, at, word in lines]


def _overlapping(folder: Path) -> int:
    """The tasks of which an earlier attempt has traced something after a later one."""
    by_task: defaultdict[str, list[Line]] = defaultdict(list)
    for line in traced(folder):
        by_task[line.task].append(line)
    ordered = [sorted(lines, key=lambda line: line.at) for lines in by_task.values()]
    return sum(any(later.attempt < earlier.attempt for earlier, later in pairwise(lines)) for lines in ordered)
