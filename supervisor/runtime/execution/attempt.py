"""One attempt, from the claim to what follows it."""

from __future__ import annotations

import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TypeVar

from supervisor.errors import SupervisorError
from supervisor.runtime.drivers.driver import Driver, Job, worker_environment
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.worktree import NoWorktree, Worktree, discard, prepare
from supervisor.runtime.execution.controls import Controls
from supervisor.runtime.execution.lease import Lease
from supervisor.runtime.execution.purse import Purse
from supervisor.runtime.execution.workflow import Stored
from supervisor.runtime.processes.containment import detect
from supervisor.runtime.processes.keeping import Keeper, NoKeeper
from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.asking import use
from supervisor.runtime.store.attempts import Begun, Executor, Left, begin, note_tree, settle
from supervisor.runtime.store.database import NoRuntime, Store
from supervisor.runtime.store.enqueuing import Enqueue
from supervisor.runtime.store.queries import over
from supervisor.runtime.store.steering import heard
from supervisor.runtime.tasks.following import Finish
from supervisor.runtime.tasks.outcome import Ending, Outcome

_log = logging.getLogger(__name__)
_AGAIN = 0.5  # seconds between two tries to reach a database that does not answer
LEAVING = Outcome(Ending.INTERRUPTED, "the executor was asked to stop")
T = TypeVar("T")


@dataclass(slots=True)
class Attempts:
    """Runs attempts for one executor. `logs`, `homes` and `worktrees` are folders. `slots` is how many may run at once,
    as an attempt may come from the pool's queue and from the worker's own. Without a `guard`, nothing is judged."""

    store: Store
    enqueue: Enqueue
    executor: Executor
    lease: Lease
    keeper: Keeper
    drivers: Mapping[str, Driver]
    logs: Path
    homes: Path
    worktrees: Path
    slots: threading.Semaphore
    purse: Purse
    guard: CommandGuard | None
    controls: Controls = field(default_factory=Controls)
    draining: threading.Event = field(default_factory=threading.Event)

    def run(self, task: str, number: int) -> Stored:
        """Claims an attempt and runs it. An empty result means that there was nothing to do. Whatever goes wrong is an
        outcome, since the engine runs nothing again that has raised."""
        try:
            with self.slots:
                return {"outcome": LEAVING.to_json()} if self.draining.is_set() else self._run(task, number)
        except NoKeeper:  # this executor is about to stop: another one finds the attempt as it is
            _wait_for_the_end()
        except Exception as error:  # noqa: BLE001 - the task fails, and its policy says what follows
            _log.exception("attempt %s of task %s", number, task)
            return {"outcome": Outcome(Ending.BROKEN, f"{type(error).__name__}: {error}").to_json()}

    def _run(self, task: str, number: int) -> Stored:
        plan, log = Tree.planned(new_marker(), detect()), self._log_of(task, number)
        claimed = patiently(lambda: begin(self.store, task, number, self.executor, plan, str(log), time.time()))
        if isinstance(claimed, Begun):
            outcome, kept = self._work(task, number, claimed, plan, log)
            return {"outcome": self._checked(outcome).to_json(), "kept": kept}
        if isinstance(claimed, Left):
            return {"outcome": self._lost(claimed).to_json()}
        return {"outcome": claimed.to_json()} if isinstance(claimed, Outcome) else {}

    def settle(self, task: str, number: int, ended: Stored) -> None:
        """Records how an attempt ended, and does what follows."""
        if ended:
            outcome, kept = Outcome.from_json(ended["outcome"]), ended.get("kept", "")
            follows = patiently(lambda: settle(self.store, self.enqueue, task, number, outcome, time.time(), kept))
            if isinstance(follows, Finish):
                self._discard(task)

    def tidy(self) -> None:
        """Removes the homes and worktrees of tasks that are over: an executor that died may have left them."""
        folders = [folder for folder in (self.homes, self.worktrees) if folder.is_dir()]
        found = {each.name for folder in folders for each in folder.iterdir()}
        for task in over(self.store, found):
            self._discard(task)

    def _work(self, task: str, number: int, begun: Begun, plan: Tree, log: Path) -> tuple[Outcome, str]:
        """Runs the command where it belongs. Returns how it ended, and the commit that keeps its work."""
        spec = begun.spec
        try:
            worktree = prepare(Path(spec.folder), task, self.worktrees) if spec.worktree else None
        except NoWorktree as error:
            return Outcome(Ending.UNSTARTABLE, str(error)), ""
        folder = Path(spec.folder) if worktree is None else worktree.folder
        opened = self.purse.opened(task, number, spec)
        with self.controls.entered(task, number, plan) as control, opened as wallet:
            home, started = self._home_of(task), self._started(task, number)
            told = (begun.previous, started, begun.given, self._use, wallet.routes, wallet.spend, self._heard)
            job = Job(task, number, spec, plan, folder, log, home, control, *told)
            outcome = wallet.objection() or self._objection(job) or wallet.instead_of(self._driven(job))
        return (outcome, "") if worktree is None else _kept(worktree, task, number, outcome)

    def _objection(self, job: Job) -> Outcome | None:
        """The outcome of what the guard does not let start."""
        if self.guard is None:
            return None
        environment = worker_environment(os.environ, job)
        try:
            about = (job.spec.shown_title, job.spec.command, job.folder, environment)
            told = self.guard.objection(*about, is_guarded=self.drivers[job.spec.driver].guards)
        except SupervisorError as error:
            return Outcome(Ending.BROKEN, f"it could not be judged: {error}")
        return Outcome(Ending.REFUSED, told) if told else None

    def _driven(self, job: Job) -> Outcome:
        self.keeper.hold(job.plan)
        try:
            if not self.lease.is_held:  # frozen until now: the keeper had nothing to kill, and others may have the task
                return Outcome(Ending.LOST, "the executor was silent for too long")
            return self.drivers[job.spec.driver].run(job)
        except OSError as error:
            return Outcome(Ending.UNSTARTABLE, f"{error.filename or job.spec.command[0]}: {error.strerror}")
        finally:
            self.keeper.release(job.plan)

    def _started(self, task: str, number: int) -> Callable[[Tree], None]:
        def started(tree: Tree) -> None:
            self.keeper.hold(tree)
            self.controls.note(task, number, tree)
            try:
                note_tree(self.store, task, number, tree)
            except NoRuntime as error:  # the plan is stored, and enough for whoever has to kill it
                _log.warning("%s", error)

        return started

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
        folder = self.logs / task
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder / f"{number}.log"

    def _use(self, answer: str) -> bool:
        return patiently(lambda: use(self.store, answer, time.time()))

    def _heard(self, message: str) -> None:
        patiently(lambda: heard(self.store, message, time.time()))

    def _home_of(self, task: str) -> Path:
        home = self.homes / task
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        return home

    def _discard(self, task: str) -> None:
        """Removes what a task that is over has here: its home, and its worktree if it has one."""
        home, root = self.homes / task, self.worktrees / task
        try:
            if home.is_dir():
                shutil.rmtree(home)
            if root.is_dir():
                discard(root)
        except (OSError, NoWorktree) as error:
            _log.warning("%s", error)


def _kept(worktree: Worktree, task: str, number: int, outcome: Outcome) -> tuple[Outcome, str]:
    """Commits what an attempt has done. A success whose work is not kept is none."""
    try:
        return outcome, worktree.keep(f"Task {task}, attempt {number}: {outcome.ending}")
    except NoWorktree as error:
        told = " ".join(filter(None, (outcome.reason, f"its work is not committed: {error}")))
        ending = Ending.BROKEN if outcome.ending is Ending.SUCCEEDED else outcome.ending
        return Outcome(ending, told, outcome.exit_code), ""


def _wait_for_the_end() -> NoReturn:
    """Waits until this process ends or becomes another executor."""
    while True:
        time.sleep(_AGAIN)


def patiently(step: Callable[[], T]) -> T:
    """Repeats a step until the database answers. An executor that cannot reach it for long ends itself meanwhile."""
    while True:
        try:
            return step()
        except NoRuntime as error:
            _log.warning("%s", error)
            time.sleep(_AGAIN)
