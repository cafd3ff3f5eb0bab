"""Tasks and an executor of a test's own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from supervisor.runtime.drivers.shell import ShellDriver
from supervisor.runtime.execution.engine import Queue, prepare
from supervisor.runtime.execution.executor import RunningExecutor, Settings
from supervisor.runtime.execution.lease import Timing
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import show
from supervisor.runtime.tasks.policy import Backoff, FailurePolicy, remedies_of
from supervisor.runtime.tasks.spec import Spec

QUICK = Backoff(first=0.05, factor=2.0, longest=0.2, jitter=0.5)


@dataclass
class Tasks:
    """Adds tasks to a database, and waits for what becomes of them."""

    store: Store
    folder: Path

    def __post_init__(self) -> None:
        prepare(self.store)
        self.enqueue = Queue(self.store)

    def add(self, program: str, on_failure: str = "", **more: Any) -> str:
        """A task that runs a Python program in the folder."""
        policy = FailurePolicy(remedies_of(on_failure), QUICK)
        command = (sys.executable, "-I", "-S", "-c", program)
        return self.add_command(command, policy=policy, **more)

    def add_command(self, command: tuple[str, ...], **more: Any) -> str:
        return add(self.store, self.enqueue, Spec(command, str(self.folder), **more), time.time()).id

    def state(self, id: str) -> str:
        return str(show(self.store, id)["state"])

    def endings(self, id: str) -> list[str]:
        """How each attempt of a task has ended."""
        return [str(each["ending"]) for each in show(self.store, id)["attempts"]]

    def wait(self, id: str, *states: str, seconds: float = 30) -> str:
        """Waits until a task is in one of these states. Raises TimeoutError."""
        until(lambda: self.state(id) in states, seconds, lambda: str(show(self.store, id)))
        return self.state(id)

    def log(self, id: str) -> str:
        """What the last attempt has printed."""
        return Path(show(self.store, id)["attempts"][-1]["log"]).read_text()


def until(condition: Callable[[], object], seconds: float = 30, what: Callable[[], str] = str) -> None:
    """Waits for a condition. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what())
        time.sleep(0.02)


@contextmanager
def executor(store: Store, folder: Path, worker: str = "blue", **more: Any) -> Iterator[RunningExecutor]:
    """An executor in this process."""

    def fenced() -> None:
        os._exit(99)  # no test may go on without it

    settings = {"slots": 2, "timing": Timing(6.0), "drivers": {"shell": ShellDriver(every=0.1)}, "guard": None, **more}
    folders = {name: folder / name for name in ("logs", "homes", "worktrees")}
    running = RunningExecutor(store, Settings(worker, on_fence=fenced, **folders, **settings))
    try:
        yield running
    finally:
        running.close()
