"""The best method of a machine is found once, and it is said why there is no better one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from supervisor.runtime.processes import containment
from supervisor.runtime.processes.cgroup import Cgroup
from supervisor.runtime.processes.containment import cgroup_parent, detect
from tests.runtime.processes.starting import only_linux


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
