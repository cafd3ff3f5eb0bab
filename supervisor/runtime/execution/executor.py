"""One process that runs tasks: `supervisor up`."""

from __future__ import annotations

import logging
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from supervisor.policy.spending import SpendingPolicy
from supervisor.runtime.drivers.driver import Driver
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.shell import ShellDriver
from supervisor.runtime.execution.attempt import LEAVING, Attempts, patiently
from supervisor.runtime.execution.engine import Engine, Queue, prepare
from supervisor.runtime.execution.host import host_key, own_identity
from supervisor.runtime.execution.lease import Lease, Timing
from supervisor.runtime.execution.liveness import Heart, Watcher
from supervisor.runtime.execution.purse import Purse
from supervisor.runtime.processes.keeper import kill_all
from supervisor.runtime.processes.keeping import Keeper
from supervisor.runtime.store.attempts import Executor
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.executors import deregister, left_behind, register

_log = logging.getLogger(__name__)
_ID = 8  # random bytes
_DRAINED = 20  # seconds for running attempts to end when the executor is asked to
_ENGINE_STOPS = 0.5  # seconds until the engine takes no more attempts


@dataclass(frozen=True, slots=True)
class Settings:
    """How an executor runs. `worker` is its name, which its successor bears as well. `homes` has a private folder for
    each task, with the settings of its agent. Worktrees stand outside of
    `~/.local/state/supervisor`, since the guard lets no worker write in there. Without a `guard`, no command is judged.
    `spending` has the caps and prices. `on_fence` is called when the executor may not go on, and does not return."""

    worker: str
    pool: str = "default"
    slots: int = 4
    logs: Path = Path("~/.local/state/supervisor/logs")
    homes: Path = Path("~/.local/state/supervisor/workers")
    worktrees: Path = Path("~/.local/share/supervisor/worktrees")
    timing: Timing = field(default_factory=Timing)
    drivers: Mapping[str, Driver] = field(default_factory=lambda: {"shell": ShellDriver()})
    guard: CommandGuard | None = field(default_factory=CommandGuard)
    spending: SpendingPolicy = field(default_factory=SpendingPolicy)
    on_fence: Callable[[], None] = lambda: restart()


class RunningExecutor:
    """An executor that takes attempts."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Starts it. What dead executors have left on this machine is killed first."""
        prepare(store)
        self._store, self._settings = store, settings
        self._executor = Executor(f"{settings.worker}-{secrets.token_hex(_ID)}", settings.worker, host_key())
        kill_all(left_behind(store, self._executor.host) if self._executor.host else [])
        timing = settings.timing
        lease, self._keeper = Lease(timing), Keeper(timing.fence, timing.clock)
        enqueue, self._purse = Queue(store), Purse(store, settings.spending, patiently)
        self._purse.price()
        self.attempts = Attempts(
            store,
            enqueue,
            self._executor,
            lease,
            self._keeper,
            settings.drivers,
            settings.logs.expanduser(),
            settings.homes.expanduser(),
            settings.worktrees.expanduser(),
            threading.Semaphore(settings.slots),
            self._purse,
            settings.guard,
        )
        self.attempts.tidy()
        register(store, self._executor, own_identity(), settings.pool, settings.slots, time.time())
        self._heart = Heart(store, self._executor, timing, lease, self._keeper, self._fence)
        self._threads = [threading.Thread(target=self._heart.run, daemon=True)]
        self._threads[0].start()
        self._engine = self._launch(settings)
        controls = self.attempts.controls
        self._watcher = Watcher(store, enqueue, self._engine, self._executor, settings.pool, timing, controls)
        self._threads.append(threading.Thread(target=self._watcher.run, daemon=True))
        self._threads[1].start()

    @property
    def id(self) -> str:
        return self._executor.id

    def close(self) -> None:
        """Ends all attempts, which go on elsewhere, and leaves."""
        closing = threading.Thread(target=self._engine.close, args=(_DRAINED,))
        closing.start()
        closing.join(_ENGINE_STOPS)
        self.attempts.draining.set()
        self.attempts.controls.stop_all(LEAVING)
        closing.join()
        self._purse.gateway.close()
        for part in (self._heart, self._watcher):
            part.stopped.set()
        for thread in self._threads:
            thread.join()
        deregister(self._store, self._executor.id)
        self._keeper.close()

    def _launch(self, settings: Settings) -> Engine:
        from supervisor.runtime.execution.workflow import Steps, install

        install(Steps(self.attempts.run, self.attempts.settle))
        engine = Engine(self._store, self._executor.id, settings.pool, settings.worker, settings.slots)
        engine.launch()
        return engine

    def _fence(self, why: str) -> None:
        """Kills all workers at once, and ends: what they did belongs to others now."""
        _log.error("this executor stops its work: %s", why)
        kill_all(self.attempts.controls.trees())
        self._settings.on_fence()


def restart() -> None:
    """Becomes a new executor, in the same process. The keeper sees its input end, and kills what is left."""
    logging.shutdown()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - it has no shell on purpose
