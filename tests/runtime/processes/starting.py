"""Starting workers in tests, with each method that this machine has."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import evil_tree
from supervisor.runtime.processes.containment import Containment, cgroup_parent
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import Worker, new_marker, start

METHODS = ("cgroup", "subreaper", "group")
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc, cgroups and subreapers")


def containment(method: str) -> Containment:
    """Skips where the machine does not have it."""
    if method == "group":
        return Containment("group", "a test asks for it")
    if sys.platform != "linux":
        pytest.skip("only Linux has cgroups and subreapers")
    if method == "subreaper":
        return Containment("subreaper", "a test asks for it")
    parent, missing = cgroup_parent()
    if parent is None:
        pytest.skip(missing)
    return Containment("cgroup", "a test asks for it", parent)


def plan(method: str) -> Tree:
    return Tree.planned(new_marker(), containment(method))


def python(program: str, *arguments: str) -> list[str]:
    """A command that runs a program in an interpreter that starts fast."""
    return [sys.executable, "-I", "-S", "-c", program, *arguments]


def begin(command: Sequence[str], folder: Path, method: str = "subreaper", **more: Any) -> Worker:
    return start(command, cwd=folder, env=dict(os.environ), plan=plan(method), **more)


def evil(folder: Path) -> list[str]:
    return [sys.executable, "-I", "-S", evil_tree.__file__, str(folder)]


def until(condition: Callable[[], object], seconds: float = 10) -> None:
    """Waits for a condition. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.005)
