"""The best method of a machine is found once, and it is said why there is no better one."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from supervisor.runtime.processes import cgroup, containment
from supervisor.runtime.processes.cgroup import Cgroup, filling, remove_abandoned
from supervisor.runtime.processes.containment import Containment, cgroup_parent, detect
from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import start
from tests.runtime.processes.starting import only_linux, plan, until


@pytest.fixture(autouse=True)
def undetected() -> None:
    detect.cache_clear()


def test_a_trial_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests have cgroups of their own in the same folder meanwhile."""
    tried: list[Path] = []
    create = Cgroup.create

    def noted(cgroup: Cgroup) -> None:
        tried.append(cgroup.path)
        create(cgroup)

    monkeypatch.setattr(Cgroup, "create", noted)
    found = detect()
    assert found.reason
    assert (found.method == "cgroup") == (found.parent is not None)
    assert [path for path in tried if path.exists()] == []
    assert detect() is found


@only_linux
@pytest.mark.parametrize(
    ("parent", "reason"),
    [(None, "no cgroup2 file system is mounted"), ("missing", "No such file"), ("plain", "no cgroup.kill")],
)
def test_without_cgroups_a_subreaper_is_used(
    parent: str | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.setattr(containment, "_own_cgroup", lambda: parent and tmp_path / parent)
    monkeypatch.setattr(Cgroup, "remove", lambda cgroup: cgroup.path.rmdir())
    found = detect()
    assert (found.method, found.parent) == ("subreaper", None)
    assert reason in found.reason
    assert os.listdir(tmp_path) == ["plain"]
    assert os.listdir(tmp_path / "plain") == []


@only_linux
def test_without_ctypes_only_sessions_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containment, "cgroup_parent", lambda: (None, "no cgroup2 file system is mounted"))
    monkeypatch.setattr(containment.importlib.util, "find_spec", lambda name: None)
    found = detect()
    assert (found.method, "ctypes" in found.reason) == ("group", True)


def test_another_platform_has_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert detect().method == "group"


@only_linux
def test_a_cgroup_that_is_gone_is_empty(tmp_path: Path) -> None:
    gone = Cgroup(tmp_path / "gone")
    gone.kill()
    gone.remove()
    assert (gone.pids(), gone.is_populated(), gone.cpu()) == (set(), False, 0.0)


@only_linux
def test_the_cpu_time_of_a_cgroup_is_that_of_all_that_ran_in_it() -> None:
    parent, missing = cgroup_parent()
    if parent is None:
        pytest.skip(missing)
    assert Cgroup(parent).cpu() >= 0


# What earlier daemons left

DAEMON = """
import json, os, sys, time
from pathlib import Path
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import start
for stored in sys.argv[1:]:
    start(["sleep", "60"], cwd=Path.cwd(), env={}, plan=Tree.from_json(json.loads(stored)))
print("started", flush=True)
time.sleep(60)
"""


@only_linux
def test_empty_cgroups_of_a_dead_daemon_are_removed_and_others_stay(tmp_path: Path) -> None:
    ended, runs = plan("cgroup"), plan("cgroup")
    command = [sys.executable, "-c", DAEMON, *(json.dumps(tree.to_json()) for tree in (ended, runs))]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as daemon:
        assert daemon.stdout is not None
        assert daemon.stdout.readline() == b"started\n"
        daemon.kill()
    assert ended.cgroup is not None
    assert runs.cgroup is not None
    ended.cgroup.kill()
    assert ended.cgroup.wait_until_empty(10)
    (ended.cgroup.path / "below").mkdir()
    until(lambda: detect.cache_clear() or (detect() and not ended.cgroup.path.exists()))
    assert len(runs.members()) == 1
    assert kill_tree(runs, polite=None).survivors == frozenset()
    assert not runs.cgroup.path.exists()


@only_linux
def test_a_cgroup_that_a_worker_has_not_yet_entered_stays(tmp_path: Path) -> None:
    """A lock on the folder tells it from one that is left over. A plain folder has locks as well."""
    starting = tmp_path / "supervisor-0123456789abcdef"
    with filling(tmp_path):
        starting.mkdir()
        remove_abandoned(tmp_path)
        assert starting.exists()
    remove_abandoned(tmp_path)
    assert not starting.exists()


@only_linux
def test_a_folder_that_stays_locked_lets_no_worker_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "_LOCKED", 0.01)
    descriptor = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    tree = Tree.planned("0123456789abcdef", Containment("cgroup", "a test asks for it", tmp_path))
    with pytest.raises(TimeoutError, match="another process keeps it locked"):
        start(["true"], cwd=tmp_path, env={}, plan=tree)
    os.close(descriptor)
    assert os.listdir(tmp_path) == []
