"""One attempt, from the claim to what follows it."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from supervisor.runtime.drivers.driver import Control, Driver, Job
from supervisor.runtime.execution.lease import Lease
from supervisor.runtime.execution.workflow import Stored
from supervisor.runtime.processes.containment import detect
from supervisor.runtime.processes.keeping import Keeper
from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.attempts import Begun, Executor, Left, begin, note_tree, settle
from supervisor.runtime.store.database import NoRuntime, Store
from supervisor.runtime.store.enqueuing import Enqueue
from supervisor.runtime.tasks.outcome import Ending, Outcome

_log = logging.getLogger(__name__)
_AGAIN = 0.5  # seconds between two tries to reach a database that does not answer
LEAVING = Outcome(Ending.INTERRUPTED, "the executor was asked to stop")
T = TypeVar("T")


class Controls:
    """The attempts that run in this process, and their trees."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[tuple[str, int], Control] = {}
        self._trees: dict[tuple[str, int], Tree] = {}

    @contextlib.contextmanager
    def entered(self, task: str, number: int, tree: Tree) -> Iterator[Control]:
        """A control of this attempt as long as it runs."""
        control, key = Control(), (task, number)
        with self._lock:
            self._running[key], self._trees[key] = control, tree
        try:
            yield control
        finally:
            with self._lock:
                del self._running[key], self._trees[key]

    def note(self, task: str, number: int, tree: Tree) -> None:
        """The processes of an attempt have started."""
        with self._lock:
            self._trees[task, number] = tree

    def stop(self, task: str, number: int, wanted: Outcome) -> None:
        """Asks an attempt to end, if it runs here."""
        with self._lock:
            control = self._running.get((task, number))
        if control is not None:
            control.stop(wanted)

    def stop_all(self, wanted: Outcome) -> None:
        """Asks all attempts to end."""
        with self._lock:
            controls = list(self._running.values())
        for control in controls:
            control.stop(wanted)

    def trees(self) -> list[Tree]:
        """The trees of all attempts that run here."""
        with self._lock:
            return list(self._trees.values())


@dataclass(slots=True)
class Attempts:
    """Runs attempts for one executor. `folder` is where logs are kept, `slots` how many may run at once: an attempt may
    come from the pool's queue and from the worker's own."""

    store: Store
    enqueue: Enqueue
    executor: Executor
    lease: Lease
    keeper: Keeper
    drivers: Mapping[str, Driver]
    folder: Path
    slots: threading.Semaphore
    controls: Controls = field(default_factory=Controls)
    draining: threading.Event = field(default_factory=threading.Event)

    def run(self, task: str, number: int) -> Stored:
        """Claims an attempt and runs it. An empty result means that there was nothing to do."""
        with self.slots:
            if self.draining.is_set():
                return {"outcome": LEAVING.to_json()}
            plan, log = Tree.planned(new_marker(), detect()), self._log_of(task, number)
            claimed = patiently(lambda: begin(self.store, task, number, self.executor, plan, str(log), time.time()))
            if isinstance(claimed, Begun):
                return {"outcome": self._drive(task, number, claimed, plan, log).to_json()}
            if isinstance(claimed, Left):
                return {"outcome": self._lost(claimed).to_json()}
            return {"outcome": claimed.to_json()} if isinstance(claimed, Outcome) else {}

    def settle(self, task: str, number: int, ended: Stored) -> None:
        """Records how an attempt ended, and does what follows."""
        if ended:
            outcome = Outcome.from_json(ended["outcome"])
            patiently(lambda: settle(self.store, self.enqueue, task, number, outcome, time.time()))

    def _drive(self, task: str, number: int, begun: Begun, plan: Tree, log: Path) -> Outcome:
        spec = begun.spec

        def started(tree: Tree) -> None:
            self.keeper.hold(tree)
            self.controls.note(task, number, tree)
            note_tree(self.store, task, number, tree)

        self.keeper.hold(plan)
        try:
            with self.controls.entered(task, number, plan) as control:
                job = Job(task, number, spec, plan, Path(spec.folder), log, control, begun.previous, started)
                return self._checked(self._run(job))
        finally:
            self.keeper.release(plan)

    def _run(self, job: Job) -> Outcome:
        try:
            return self.drivers[job.spec.driver].run(job)
        except OSError as error:
            return Outcome(Ending.UNSTARTABLE, f"{error.filename or job.spec.command[0]}: {error.strerror}")
        except Exception as error:  # noqa: BLE001 - the task fails, and its policy says what follows
            _log.exception("attempt %s of task %s", job.number, job.task)
            return Outcome(Ending.BROKEN, f"{type(error).__name__}: {error}")

    def _checked(self, outcome: Outcome) -> Outcome:
        """What ended after the lease did is lost: the keeper may have killed it, and another executor may have it."""
        return outcome if self.lease.is_held else Outcome(Ending.LOST, "the executor was silent for too long")

    def _lost(self, left: Left) -> Outcome:
        """Kills what the dead executor has left on this machine. On another one its keeper has done so."""
        if left.host == self.executor.host:
            survivors = kill_tree(left.tree, polite=None).survivors
            if survivors:
                return Outcome(Ending.LOST, f"its executor has ended, and {len(survivors)} processes cannot be killed")
        return Outcome(Ending.LOST, "its executor has ended")

    def _log_of(self, task: str, number: int) -> Path:
        folder = self.folder / "logs" / task
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder / f"{number}.log"


def patiently(step: Callable[[], T]) -> T:
    """Repeats a step until the database answers. An executor that cannot reach it for long ends itself meanwhile."""
    while True:
        try:
            return step()
        except NoRuntime as error:
            _log.warning("%s", error)
            time.sleep(_AGAIN)
