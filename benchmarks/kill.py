"""Kills evil trees (`benchmarks/evil_tree.py`) by each method, and counts what survives.

    python -m benchmarks.kill [trees]

`killpg` is what most supervisors of agents do, for comparison. What it and `group` leave is killed after counting.
"""

from __future__ import annotations

import os
import platform
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks import evil_tree
from benchmarks.evil_tree import processes_in, wait_until_grown
from supervisor.runtime.processes.containment import Containment, cgroup_parent, detect
from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker, start

_LOOKS = 3  # a process that forks and ends all the time is not in every look


@dataclass
class Counted:
    """The trees that one method has killed."""

    started: list[float] = field(default_factory=list)
    killed: list[float] = field(default_factory=list)
    processes: list[int] = field(default_factory=list)
    survivors: int = 0
    whole: int = 0

    def row(self, name: str) -> str:
        trees, started, killed = len(self.killed), statistics.median(self.started), statistics.median(self.killed)
        of = statistics.median(self.processes)
        times = f"{started * 1000:.0f} | {killed * 1000:.1f} | {max(self.killed) * 1000:.0f}"
        return f"| {name} | {self.whole} of {trees} | {self.survivors} | {of:.0f} | {times} |"


def by_group(tree: Tree) -> None:
    assert tree.leader is not None
    os.killpg(tree.leader.pid, signal.SIGKILL)


def without_containment(tree: Tree) -> None:
    kill_tree(replace(tree, method="group", shim=None, parent=None), polite=None)


def contained(tree: Tree) -> None:
    kill_tree(tree, polite=None)


def measure(containment: Containment, kill: Callable[[Tree], None], trees: int) -> Counted:
    counted = Counted()
    for _ in range(trees):
        with tempfile.TemporaryDirectory() as name:
            _measure_one(Path(name).resolve(), containment, kill, counted)
    return counted


def _measure_one(folder: Path, containment: Containment, kill: Callable[[Tree], None], counted: Counted) -> None:
    command = [sys.executable, "-I", "-S", evil_tree.__file__, str(folder)]
    began = time.perf_counter()
    with start(command, cwd=folder, env={}, plan=Tree.planned(new_marker(), containment)) as worker:
        counted.started.append(time.perf_counter() - began)
        wait_until_grown(folder)
        counted.processes.append(len(processes_in(folder)))
        began = time.perf_counter()
        kill(worker.tree)
        counted.killed.append(time.perf_counter() - began)
        left = max(len(processes_in(folder)) for _ in range(_LOOKS))
        counted.survivors += left
        counted.whole += not left


def main() -> None:
    trees = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    parent, missing = cgroup_parent()
    best, subreaper = detect(), Containment("subreaper", "it is measured")
    print(f"{platform.system()} {platform.release()}, Python {platform.python_version()}, {os.cpu_count()} cores\n")
    print("| method | trees killed | survivors | processes | start, ms | kill, ms | longest |")
    print("|---|---|---|---|---|---|---|")
    print(measure(best, by_group, trees).row("killpg"))
    print(measure(best, without_containment, trees).row("group"))
    print(measure(subreaper, contained, trees).row("subreaper"))
    if parent is None:
        print(f"\ncgroup: not measured, {missing}")
    else:
        print(measure(Containment("cgroup", "it is measured", parent), contained, trees).row("cgroup"))


if __name__ == "__main__":
    main()
