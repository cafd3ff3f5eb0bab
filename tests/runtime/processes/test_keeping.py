"""Whatever becomes of an executor, its keeper kills what it has started, and nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.evil_tree import processes_in, wait_until_grown
from supervisor.runtime.processes.keeper import Held, kill_all, wait_for_silence
from supervisor.runtime.processes.keeping import Keeper, NoKeeper
from supervisor.runtime.processes.tree import Tree
from tests.runtime.processes.starting import METHODS, begin, evil, only_linux, plan, python, until

SLEEP = "import time; open('ready', 'w'); time.sleep(60)"
EXECUTOR = """
import json, os, sys, time
from pathlib import Path
from supervisor.runtime.processes.keeping import Keeper
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import start
seconds, tree, *command = sys.argv[1:]
keeper = Keeper(float(seconds), "monotonic")
plan = Tree.from_json(json.loads(tree))
keeper.hold(plan)
worker = start(command, cwd=Path.cwd(), env=dict(os.environ), plan=plan)
print(keeper.pid, flush=True)
while True:
    keeper.pulse()
    time.sleep(0.1)
"""


@contextlib.contextmanager
def executor(folder: Path, seconds: float, tree: Tree, command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A process that starts a worker and has it kept."""
    words = [sys.executable, "-c", EXECUTOR, str(seconds), json.dumps(tree.to_json()), *command]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip().isdecimal()
            yield process
        finally:
            process.kill()


@only_linux
@pytest.mark.parametrize("method", ["cgroup", "subreaper"])
def test_nothing_survives_an_executor_that_is_killed(method: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with executor(home, 30, plan(method), evil(tmp_path)) as process:
        wait_until_grown(tmp_path)
        process.kill()
    until(lambda: processes_in(tmp_path) == set())


@only_linux
def test_nothing_survives_an_executor_that_is_frozen(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    tree = plan("subreaper")
    with executor(home, 0.5, tree, python(SLEEP)) as process:
        until((home / "ready").exists)
        time.sleep(0.8)  # it gives pulses for longer than the keeper would wait
        assert tree.members() != set()
        process.send_signal(signal.SIGSTOP)
        until(lambda: tree.members() == set())
        process.send_signal(signal.SIGCONT)
        assert process.wait(10) == 1  # NoKeeper: it does not go on without one


@pytest.mark.parametrize("method", METHODS)
def test_what_was_released_lives_on(method: str, tmp_path: Path) -> None:
    keeper = Keeper(30, "monotonic")
    with begin(python(SLEEP), tmp_path, method) as worker:
        until((tmp_path / "ready").exists)
        keeper.hold(worker.tree)
        keeper.release(worker.tree)
        keeper.close()
        assert worker.poll() is None
        with pytest.raises(NoKeeper):
            keeper.pulse()


def test_a_keeper_that_was_killed_is_noticed(tmp_path: Path) -> None:
    keeper = Keeper(30, "monotonic")
    os.kill(keeper.pid, signal.SIGKILL)
    with pytest.raises(NoKeeper):
        until(keeper.pulse)
    keeper.close()


def test_lines_come_in_pieces() -> None:
    first, second = plan("group"), plan("group")
    told = "".join(f"hold {json.dumps(tree.to_json())}\n" for tree in (first, second)) + f"release {first.marker}\npul"
    held = Held()
    for each in told.encode():
        held.read(bytes([each]))
    assert list(held.trees.values()) == [second]


def test_silence_ends_the_wait_and_so_does_the_end_of_the_input() -> None:
    ours, theirs = os.pipe()
    began = time.monotonic()
    wait_for_silence(ours, Held(), 0.05, time.CLOCK_MONOTONIC)
    assert time.monotonic() - began >= 0.05
    os.write(theirs, b"pulse\n")
    os.close(theirs)
    wait_for_silence(ours, Held(), 1e9, time.CLOCK_MONOTONIC)
    os.close(ours)


def test_one_tree_that_cannot_be_killed_saves_no_other(tmp_path: Path) -> None:
    class Broken(Tree):
        def members(self) -> set[object]:  # type: ignore[override]
            raise OSError("the table of processes cannot be read")

    with begin(python(SLEEP), tmp_path, "subreaper") as worker:
        until((tmp_path / "ready").exists)
        with pytest.raises(ExceptionGroup, match="could not be killed"):
            kill_all([Broken("group", "0123456789"), worker.tree])
        assert worker.wait(10) in (-signal.SIGKILL, -1000)
