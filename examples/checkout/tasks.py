"""The tasks of the runtime, as the checkout uses them."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from steps import STEPS

from supervisor.runtime.execution.engine import Queue, prepare
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.changes import retry
from supervisor.runtime.store.database import USUAL_URL, Store, resolved
from supervisor.runtime.store.queries import list_tasks
from supervisor.runtime.tasks.policy import Backoff, FailurePolicy, remedies_of
from supervisor.runtime.tasks.spec import Spec

SUPERVISORS, WORKERS = "checkout", "steps"  # pools: a supervisor that waits must not hold the slot of a step
PROGRAM = Path(__file__).resolve().with_name("checkout.py")


class Added(NamedTuple):
    """The task of a step, and its state."""

    id: str
    state: str


@dataclass
class Tasks:
    """Those in one database; by default the usual one."""

    url: str = ""

    def __post_init__(self) -> None:
        self._store = Store(resolved(self.url or USUAL_URL))
        prepare(self._store)
        self._enqueue = Queue(self._store)

    def checkout(self, no: str, words: list[str]) -> None:
        """Adds the supervisor of an order, unless there is one."""
        spec = self._spec(f"checkout of order {no}", ["supervise", *words], "retry*5 escalate")
        self._add(replace(spec, pool=SUPERVISORS, key=f"order {no}"))

    def step(self, no: str, step: str, parent: str) -> None:
        """Adds a step of an order, below its supervisor."""
        spec = self._spec(f"{step} of order {no}", ["step", no, step], STEPS[step].on_failure)
        self._add(replace(spec, pool=WORKERS, parent=parent))

    def steps(self, parent: str) -> dict[str, Added]:
        """The steps that a supervisor has added."""
        found = list_tasks(self._store, parent=parent)
        return {each["title"].partition(" ")[0]: Added(each["id"], each["state"]) for each in found}

    def retry(self, task: str) -> None:
        retry(self._store, self._enqueue, task, time.time())

    def _spec(self, title: str, words: list[str], on_failure: str) -> Spec:
        command = (sys.executable, str(PROGRAM), "--database", self.url, *words)
        policy = FailurePolicy(remedies_of(on_failure), Backoff(first=0.5, longest=60))
        return Spec(command, str(Path.cwd()), title=title, policy=policy)

    def _add(self, spec: Spec) -> None:
        add(self._store, self._enqueue, spec, time.time())
