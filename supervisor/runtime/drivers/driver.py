"""What a driver is handed, and what it can be told meanwhile."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from supervisor.runtime.gateway.providers import Route
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.tasks.outcome import Outcome
from supervisor.runtime.tasks.question import Given
from supervisor.runtime.tasks.said import Said
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.usage import Usage

_PRIVATE = ("SUPERVISOR_RUNTIME", "DBOS")  # variables of the executor that are no business of a command


class Control:
    """Asks a running attempt to end, and has messages for its agent, from any thread. The first request counts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: Outcome | None = None
        self._asked = threading.Event()
        self._known: set[str] = set()
        self._said: deque[Said] = deque()

    def stop(self, wanted: Outcome) -> None:
        """Asks for an end, which becomes the attempt's outcome."""
        with self._lock:
            self._wanted = self._wanted or wanted
        self._asked.set()

    @property
    def wanted(self) -> Outcome | None:
        """The end that was asked for."""
        return self._wanted

    def tell(self, said: Said) -> None:
        """Hands over a message for the agent. The same one twice is one."""
        with self._lock:
            if said.id not in self._known:
                self._known.add(said.id)
                self._said.append(said)

    def next_said(self) -> Said | None:
        """Takes the next message; None if there is none."""
        with self._lock:
            return self._said.popleft() if self._said else None

    def give_back(self, said: Said) -> None:
        """Puts a message back that could not be passed on: it stays the next one."""
        with self._lock:
            self._said.appendleft(said)

    def wait(self, seconds: float) -> None:
        """Waits for a request, for so long at most."""
        self._asked.wait(seconds)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a driver can do beside running its worker: `reason_on_deny` tells the agent why an action was denied, `park`
    lets a question wait without a process, `steer` passes on what a person says while a turn runs, `quota` reports
    limits of the provider and `cost` money. `tokens` reports what the model has read and written."""

    reason_on_deny: bool = False
    park: bool = False
    steer: bool = False
    quota: bool = False
    cost: bool = False
    tokens: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """One attempt: what to run, where, and the tree that holds all of its processes. `folder` is where it runs, `log`
    the file that gets what it prints, `home` a private folder that all attempts of the task share on this machine.
    `previous` is how the attempt before ended. `started` is called with the tree as soon as the processes are there.
    `given` is a person's answer that the agent has waited for: `use` uses it up, and returns whether it was there to be
    used. `routes` lead to the providers whose keys the gateway holds. `spend` is told what the agent itself says that
    the attempt has spent at a provider, and returns its outcome if it may spend no more. `heard` is told the id of a
    message that the agent has heard."""

    task: str
    number: int
    spec: Spec
    plan: Tree
    folder: Path
    log: Path
    home: Path
    control: Control
    previous: Outcome | None
    started: Callable[[Tree], None]
    given: Given | None = None
    use: Callable[[str], bool] = lambda id: False
    routes: Mapping[str, Route] = field(default_factory=dict)
    spend: Callable[[str, Usage], Outcome | None] = lambda provider, usage: None
    heard: Callable[[str], None] = lambda id: None


class Driver(Protocol):
    """Runs one attempt to its end, and leaves no process. `guards` says whether it serves the guard to its worker by
    itself, so that no hooks need to be installed. Raises OSError if the command cannot be started."""

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def guards(self) -> bool: ...

    def run(self, job: Job) -> Outcome: ...


def worker_environment(own: Mapping[str, str], job: Job) -> dict[str, str]:
    """The environment of a command: the executor's without what is private to it, the task's own variables, the gateway
    in place of API keys, and which task it is."""
    inherited = {name: value for name, value in own.items() if not name.startswith(_PRIVATE)}
    about = {"SUPERVISOR_TASK": job.task, "SUPERVISOR_ATTEMPT": str(job.number)}
    routed = {name: value for route in job.routes.values() for name, value in route.environment.items()}
    return {**inherited, **job.spec.environment, **routed, **about}
