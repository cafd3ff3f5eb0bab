"""What the engine runs: an attempt in two steps, each recorded when it is done. Importing this module registers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dbos import DBOS

from supervisor.runtime.execution.engine import WORKFLOW

Stored = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Steps:
    """What the steps do in this process. `run` claims an attempt and runs it to its end, `settle` records the end and
    does what follows. A step that was interrupted is repeated, by whoever recovers the attempt."""

    run: Callable[[str, int], Stored]
    settle: Callable[[str, int, Stored], None]


_installed: list[Steps] = []


def install(steps: Steps) -> None:
    """Sets what attempts do from now on."""
    _installed[:] = [steps]


@DBOS.step(name="run")
def _run(task: str, number: int) -> Stored:
    return _installed[0].run(task, number)


@DBOS.step(name="settle")
def _settle(task: str, number: int, ended: Stored) -> None:
    _installed[0].settle(task, number, ended)


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)
def attempt(task: str, number: int) -> None:
    """Runs one attempt of a task. How often it may be lost, the task's policy says."""
    _settle(task, number, _run(task, number))
