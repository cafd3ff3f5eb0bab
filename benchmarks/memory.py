"""The memory of executors: with tasks that wait in the queue, and with sessions most of which wait for a person.

Memory is the proportional share (PSS): pages that several processes have in common are divided among them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fleet import Member, fleet, processes_below, wait_until
from benchmarks.night.guarded import write_policy
from benchmarks.night.tasks import add_all, agent_spec
from benchmarks.soak import descendants, share
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import counts
from supervisor.runtime.tasks.spec import Spec

_LONGEST = 3600.0  # seconds of one measurement
_SETTLED = 5.0  # seconds after the last start or end


@dataclass(frozen=True, slots=True)
class Sessions:
    """Megabytes of the executors with their keepers and launchers, and of the agents."""

    waiting: int
    processes: int  # of agents, while all sessions that there are wait
    running: int
    executors: float
    agents: float


def of_tasks(url: str, folder: Path, tasks: int) -> tuple[float, float, float]:
    """The megabytes of one executor before it has any task, with so many in its queue, and when it has done them."""
    specs = [Spec(("true",), str(folder))] * tasks
    with closing(Store(url)) as store, fleet(url, folder, 1, slots=4, lease=15.0, more=("nothing",)) as (member,):
        _expect(lambda: member.keeper())
        time.sleep(_SETTLED)
        before = _of(member)
        add_all(store, folder, specs)
        full = _of(member)
        _expect(lambda: counts(store).get("succeeded", 0) == tasks)
        time.sleep(_SETTLED)
        return before, full, _of(member)


def of_sessions(url: str, folder: Path, waiting: int, running: int) -> Sessions:
    """The memory of four executors whose agents have so many sessions: most wait for a person, the others run."""
    write_policy(folder)
    asks, runs = agent_spec(folder, "Push the branch", "risk"), agent_spec(folder, "Write the pages", "idle")
    with closing(Store(url)) as store:
        add_all(store, folder, [asks] * waiting)
        with fleet(url, folder, 4, -(-running // 4), 60.0, ("guarded",)) as members:
            _expect(lambda: counts(store) == {"waiting": waiting})
            processes = len(processes_below(folder))
            add_all(store, folder, [runs] * running)
            _expect(lambda: counts(store) == {"running": running, "waiting": waiting})
            time.sleep(_SETTLED)
            agents = sum(map(share, processes_below(folder)))
            return Sessions(waiting, processes, running, sum(map(_of, members)) - agents, agents)


def _of(member: Member) -> float:
    """The megabytes of an executor and all of its processes."""
    pid = member.process.pid
    return share(pid) + sum(map(share, descendants(pid)))


def _expect(condition: Callable[[], object]) -> None:
    if not wait_until(condition, _LONGEST):
        raise TimeoutError
