"""Keeps an executor alive in the eyes of the others, watches them, and takes over what the dead have left."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from supervisor.runtime.execution.controls import Controls
from supervisor.runtime.execution.engine import Engine
from supervisor.runtime.execution.host import has_ended
from supervisor.runtime.execution.lease import Lease, Observer, Timing
from supervisor.runtime.processes.keeping import Keeper, NoKeeper
from supervisor.runtime.store.attempts import Executor, settle
from supervisor.runtime.store.changes import expire, release_targets
from supervisor.runtime.store.database import NoRuntime, Store
from supervisor.runtime.store.enqueuing import Enqueue
from supervisor.runtime.store.executors import alive_ids, beat, declare_dead, signs, stops
from supervisor.runtime.store.preempting import preempt
from supervisor.runtime.store.queries import expected_of_engine
from supervisor.runtime.store.steering import unheard
from supervisor.runtime.tasks.outcome import Ending, Outcome

_log = logging.getLogger(__name__)
_MENDED_EVERY = 20.0  # seconds between two looks whether the engine knows of every task that it should
_UNCHANGED = 60.0  # seconds after which a task that the engine does not know of is not just being enqueued


@dataclass(slots=True)
class Heart:
    """Beats. `fence` is called, once, when the work of this executor may belong to others, and does not return."""

    store: Store
    executor: Executor
    timing: Timing
    lease: Lease
    keeper: Keeper
    fence: Callable[[str], None]
    stopped: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Beats until it is stopped."""
        while not self.stopped.wait(self.timing.beat):
            problem = self._beat() or ("" if self.lease.is_held else "no sign of life could be stored in time")
            if problem:
                self.fence(problem)
                return

    def _beat(self) -> str:
        """Gives a sign of life. Returns why this executor may not go on; empty if it may, or must try again."""
        sent = self.lease.now()
        try:
            if not beat(self.store, self.executor.id):
                return "another executor has declared this one dead"
            self.lease.renew(sent)
            if self.lease.is_held:
                self.keeper.pulse()
        except NoRuntime as error:
            _log.warning("%s", error)
        except NoKeeper as error:
            return str(error)
        return ""


@dataclass(slots=True)
class Watcher:
    """Looks after the others and after the tasks, again and again."""

    store: Store
    enqueue: Enqueue
    engine: Engine
    executor: Executor
    pool: str
    timing: Timing
    controls: Controls
    stopped: threading.Event = field(default_factory=threading.Event)
    _observer: Observer = field(init=False)
    _mended: float = 0.0

    def __post_init__(self) -> None:
        self._observer = Observer(self.timing.lease, most=3 * self.timing.beat)

    def run(self) -> None:
        """Looks until it is stopped."""
        while not self.stopped.wait(self.timing.beat):
            try:
                self.look()
            except NoRuntime as error:
                _log.warning("%s", error)
            except Exception:  # noqa: BLE001 - a fault in one look must not end all that follow
                _log.exception("looking after executors and tasks")

    def look(self) -> None:
        """Ends what is to be ended, passes on what people say, recovers what the dead have left, and sweeps."""
        for stop in stops(self.store, self.executor.id):
            self.controls.stop(stop.task, stop.number, Outcome(stop.ending, stop.reason))
        for task, number, said in unheard(self.store, self.executor.id):
            self.controls.tell(task, number, said)
        self._bury()
        recovered = self.engine.recover(lambda: alive_ids(self.store))
        if recovered:
            _log.warning("took back %s attempts of executors that have ended", recovered)
        expire(self.store, time.time())
        release_targets(self.store, self.enqueue, time.time())
        for each in preempt(self.store, self.pool, time.time()):
            _log.warning("task %s gives way to task %s", each.task, each.by)
        self._mend()

    def _bury(self) -> None:
        """Declares dead who was silent for a lease, or whose process has ended."""
        others = [sign for sign in signs(self.store) if sign.id != self.executor.id]
        silent = self._observer.look(((sign.id, sign.beat) for sign in others), time.monotonic())
        for sign in others:
            if sign.id in silent or has_ended(sign, self.executor.host):
                declare_dead(self.store, sign.id, sign.beat)

    def _mend(self) -> None:
        """Settles attempts that the engine will not run any more although their tasks wait for them: somebody has
        cancelled or deleted them behind the runtime's back, or a step of theirs has failed."""
        if time.monotonic() - self._mended < _MENDED_EVERY:
            return
        self._mended = time.monotonic()
        expected = expected_of_engine(self.store, time.time() - _UNCHANGED)
        lost = self.engine.ended(expected) if expected else set()
        for workflow in lost:
            task, number = expected[workflow]
            outcome = Outcome(Ending.BROKEN, "the engine has dropped the attempt")
            settle(self.store, self.enqueue, task, number, outcome, time.time())
