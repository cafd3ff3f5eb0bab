"""The attempts that run in this process."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from supervisor.runtime.drivers.driver import Control
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.tasks.outcome import Outcome
from supervisor.runtime.tasks.said import Said


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

    def tell(self, task: str, number: int, said: Said) -> None:
        """Hands a message to an attempt, if it runs here."""
        with self._lock:
            control = self._running.get((task, number))
        if control is not None:
            control.tell(said)

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
