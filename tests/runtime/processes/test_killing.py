"""Whatever a worker starts, a kill leaves none of it, and touches nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.evil_tree import processes_in, wait_until_grown
from supervisor.errors import BadInput
from supervisor.runtime.processes import killing
from supervisor.runtime.processes.identity import Identity, identity_of, is_alive, send
from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import start
from tests.runtime.processes.starting import METHODS, begin, containment, evil, only_linux, plan, python, until

LINUX_METHODS = ("cgroup", "subreaper")
DEAF = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); open('ready', 'w'); time.sleep(60)"
OBEDIENT = """
import signal, sys, time
def leave(*_): open('left', 'w').write('in order'); sys.exit(3)
signal.signal(signal.SIGINT, leave)
open('ready', 'w')
time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The working directory of a test's processes. Nothing may be left in it, and nothing is left after a failure."""
    yield tmp_path
    left = processes_in(tmp_path) if sys.platform == "linux" else set()
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert left == set()


@only_linux
@pytest.mark.parametrize("method", LINUX_METHODS)
def test_nothing_of_an_evil_tree_survives(method: str, folder: Path) -> None:
    worker = begin(evil(folder), folder, method)
    wait_until_grown(folder)
    assert len(processes_in(folder)) >= 9
    killed = worker.kill(polite=signal.SIGTERM, grace=0.1)
    assert (processes_in(folder), killed.survivors, killed.left_by_itself) == (set(), frozenset(), False)
    worker.close()


@only_linux
@pytest.mark.thorough
@pytest.mark.parametrize("method", LINUX_METHODS)
def test_nothing_survives_twenty_times(method: str, folder: Path) -> None:
    for number in range(20):
        inside = folder / str(number)
        inside.mkdir()
        with begin(evil(inside), inside, method):
            wait_until_grown(inside)
            time.sleep(number * 0.003)
        assert processes_in(inside) == set()


@only_linux
@pytest.mark.parametrize("method", LINUX_METHODS)
def test_fifty_login_shells_end(method: str, folder: Path) -> None:
    """As Codex starts them: each in a session of its own."""
    shell = shutil.which("bash") or "/bin/sh"
    program = f"""
import subprocess, time
shells = [subprocess.Popen([{shell!r}, "-l"], stdin=subprocess.PIPE, start_new_session=True) for _ in range(50)]
open("ready", "w")
time.sleep(60)
"""
    with begin(python(program), folder, method) as worker:
        until((folder / "ready").exists, 30)
        assert len(processes_in(folder)) >= 51
        assert worker.kill(polite=None).survivors == frozenset()
        assert processes_in(folder) == set()


@only_linux
@pytest.mark.parametrize("method", LINUX_METHODS)
def test_a_later_process_kills_what_the_daemon_left(method: str, folder: Path) -> None:
    """The daemon stores the tree and is killed; another process knows nothing but what was stored."""
    daemon = f"""
import json, os, time
from pathlib import Path
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import start
worker = start({evil(folder)!r}, cwd=Path({str(folder)!r}), env=dict(os.environ),
               plan=Tree.from_json(json.loads({json.dumps(plan(method).to_json())!r})))
Path("stored.part").write_text(json.dumps(worker.tree.to_json()))
Path("stored.part").rename("stored")
time.sleep(60)
"""
    home = folder / "daemon"
    home.mkdir()
    process = subprocess.Popen([sys.executable, "-c", daemon], cwd=home)
    until((home / "stored").exists)
    wait_until_grown(folder)
    process.kill()
    process.wait()
    tree = Tree.from_json(json.loads((home / "stored").read_text()))
    assert len(processes_in(folder)) >= 9
    assert kill_tree(tree, grace=0.1).survivors == frozenset()
    assert processes_in(folder) == set()
    assert tree.shim is None or not is_alive(tree.shim)


@pytest.mark.parametrize("method", METHODS)
def test_a_plan_is_enough(method: str, folder: Path) -> None:
    """The daemon died before it could store who the leader is."""
    planned = plan(method)
    worker = start(python(DEAF), cwd=folder, env={}, plan=planned)
    until((folder / "ready").exists)
    kill_tree(planned, polite=None)
    assert not worker.tree.members()
    assert worker.wait(5) in (-signal.SIGKILL, -1000)
    worker.close()


@only_linux
def test_a_worker_that_kills_its_shim_is_found_by_its_marker(folder: Path) -> None:
    program = "import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); open('ready', 'w'); time.sleep(60)"
    with begin(python(program), folder) as worker:
        until((folder / "ready").exists)
        assert worker.poll() is None
        assert worker.kill(polite=None).survivors == frozenset()
        assert worker.poll() == -1000
        assert processes_in(folder) == set()


@only_linux
@pytest.mark.parametrize("method", LINUX_METHODS)
def test_a_stopped_shim_or_leader_delays_nothing(method: str, folder: Path) -> None:
    with begin(python(OBEDIENT), folder, method) as worker:
        until((folder / "ready").exists)
        for identity in filter(None, (worker.tree.shim, worker.tree.leader)):
            os.kill(identity.pid, signal.SIGSTOP)
        killed = worker.kill(grace=5)
        assert (killed.left_by_itself, killed.seconds < 3) == (True, True)


@pytest.mark.parametrize("method", METHODS)
def test_a_leader_that_obeys_leaves_in_order(method: str, folder: Path) -> None:
    with begin(python(OBEDIENT), folder, method) as worker:
        until((folder / "ready").exists)
        assert worker.kill(grace=5).left_by_itself
        assert (worker.poll(), (folder / "left").read_text()) == (3, "in order")


@pytest.mark.parametrize("method", METHODS)
def test_a_leader_that_does_not_is_killed_after_the_grace(method: str, folder: Path) -> None:
    with begin(python(DEAF), folder, method) as worker:
        until((folder / "ready").exists)
        killed = worker.kill(grace=0.2)
        assert (killed.left_by_itself, killed.seconds >= 0.2) == (False, True)
        assert worker.poll() == -signal.SIGKILL


@pytest.mark.parametrize("method", METHODS)
def test_a_kill_twice_is_one(method: str, folder: Path) -> None:
    with begin(python(DEAF), folder, method) as worker:
        for _ in range(2):
            assert worker.kill(polite=None).survivors == frozenset()


# What may not be signalled

FAMILY = "import os, time; os.fork(); os.fork(); open('ready', 'w'); time.sleep(60)"
AS_NOBODY = """
import json, os, sys
from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree
tree = Tree.from_json(json.loads(sys.argv[1]))
os.setgroups([])
os.setresgid(65534, 65534, 65534)
os.setresuid(65534, 65534, 65534)
killed = kill_tree(tree, grace=5)
print(json.dumps([killed.left_by_itself, len(killed.survivors), killed.seconds]))
"""


@only_linux
@pytest.mark.parametrize("method", METHODS)
def test_nobody_waits_for_what_may_not_be_signalled(method: str, folder: Path) -> None:
    """Another user's worker survives whole, and is told at once. Its shim and its cgroup stay for whoever may kill."""
    if os.geteuid():
        pytest.skip("only root can become another user")
    with begin(python(FAMILY), folder, method) as worker:
        until(lambda: (folder / "ready").exists() and len(worker.tree.members()) == 4)
        command = [sys.executable, "-c", AS_NOBODY, json.dumps(worker.tree.to_json())]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        obeyed, survivors, seconds = json.loads(ran.stdout)
        assert (obeyed, survivors, seconds < 3, len(worker.tree.members())) == (False, 4, True, 4)
        assert worker.kill(polite=None).survivors == frozenset()


@only_linux
@pytest.mark.parametrize("method", ["subreaper", "group"])
def test_what_may_be_signalled_is_killed_beside_what_may_not(
    method: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(python(FAMILY), folder, method) as worker:
        until(lambda: (folder / "ready").exists() and len(worker.tree.members()) == 4)

        def send_except_to_leader(process: Identity, number: signal.Signals) -> bool:
            if process == worker.tree.leader:
                raise PermissionError
            return send(process, number)

        with monkeypatch.context() as patch:
            patch.setattr(killing, "send", send_except_to_leader)
            killed = worker.kill(grace=5)
        assert (killed.survivors, killed.seconds < 3) == ({worker.tree.leader}, True)
        assert worker.tree.members() == {worker.tree.leader}
        assert worker.tree.shim is None or is_alive(worker.tree.shim)
        assert worker.kill(polite=None).survivors == frozenset()
        assert worker.tree.shim is None or not is_alive(worker.tree.shim)


# What is not the worker's own


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[Identity]:
    """A process of somebody else, in a session of its own, with a child."""
    program = "import os, time; os.fork(); time.sleep(60)"
    with subprocess.Popen(python(program), cwd=tmp_path.parent, start_new_session=True) as process:
        identity = identity_of(process.pid)
        assert identity is not None
        yield identity
        assert process.poll() is None
        assert is_alive(identity)
        os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("forged", [{"started": 1}, {"boot": "an earlier one"}])
def test_a_process_that_has_taken_the_pid_lives_on(method: str, forged: dict[str, object], foreign: Identity) -> None:
    other = replace(foreign, **forged)  # type: ignore[arg-type]
    tree = plan(method).started(other, other if method == "subreaper" else None)
    assert tree.members() == set()
    killed = kill_tree(tree, polite=signal.SIGTERM, grace=0.1)
    assert (killed.left_by_itself, killed.survivors) == (False, frozenset())


@pytest.mark.parametrize("marker", ["", "..", "a/../../system.slice", "*", "A" * 20, "-abcdefgh", "a" * 65])
def test_a_marker_names_no_foreign_cgroup_and_no_foreign_environment(marker: str) -> None:
    with pytest.raises(BadInput, match="is no marker"):
        Tree("group", marker)


def test_a_tree_is_read_as_it_was_stored(foreign: Identity) -> None:
    for method in METHODS:
        tree = Tree.planned("0123456789abcdef", containment(method))
        for each in (tree, tree.started(foreign, None), tree.started(foreign, foreign)):
            assert Tree.from_json(json.loads(json.dumps(each.to_json()))) == each
