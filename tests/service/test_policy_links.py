"""Links in the path of a project's policy: what is read is what trust was decided on."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import pytest

from supervisor.errors import BadPolicy
from supervisor.policy import Layer, read_layer
from supervisor.service import policies
from supervisor.service.policies import Policies
from supervisor.service.watching import Watched

STATES = ("own", "evil", "trusted")


class Project:
    """A project whose folder `d` is its own, or a link to another."""

    def __init__(self, top: Path) -> None:
        self.top, self.place = Path(os.path.realpath(top)), Path(os.path.realpath(top)) / "project" / "d"
        self.place.parent.mkdir()
        for name, level in {"own": "record", "evil": "record", "trusted": "flag"}.items():
            (self.top / name).mkdir()
            (self.top / name / "policy.yaml").write_text(f"authority: {{default: {level}}}")
        user = self.top / "user.yaml"
        user.write_text(f"projects: {{may_loosen: [{self.top / 'trusted'}]}}\nauthority: {{default: block}}")
        self.files = Policies(str(user), str(self.place / "policy.yaml"))

    def become(self, state: str) -> None:
        if self.place.is_symlink():
            self.place.unlink()
        elif self.place.exists():
            self.place.rename(self.top / "own")
        if state == "own":
            (self.top / "own").rename(self.place)
        else:
            self.place.symlink_to(self.top / state)

    def granted(self) -> str:
        return policies.read_policies(self.files).policy.authority.default


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.mark.parametrize(("first", "at_reading", "afterwards"), list(itertools.product(STATES, repeat=3)))
def test_whenever_a_link_is_swapped_no_other_file_is_trusted(
    project: Project, monkeypatch: pytest.MonkeyPatch, first: str, at_reading: str, afterwards: str
) -> None:
    def swapping(path: Any, **options: Any) -> Layer:
        if str(path) == project.files.user:
            return read_layer(path, **options)
        project.become(at_reading)
        layer = read_layer(path, **options)
        project.become(afterwards)
        return layer

    monkeypatch.setattr(policies, "read_layer", swapping)
    project.become(first)
    assert project.granted() == ("flag" if first == "trusted" else "block")


def test_a_file_that_becomes_a_link_is_not_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def swapping(path: Any, **options: Any) -> Layer:
        if str(path) != project.files.user:
            file = project.place / "policy.yaml"
            file.unlink()
            file.symlink_to(project.top / "trusted" / "policy.yaml")
        return read_layer(path, **options)

    monkeypatch.setattr(policies, "read_layer", swapping)
    project.become("own")
    with pytest.raises(BadPolicy, match="a symbolic link"):
        project.granted()


def test_a_link_to_the_same_file_elsewhere_is_an_edit(project: Project) -> None:
    same = project.top / "trusted" / "policy.yaml"
    (project.top / "evil" / "policy.yaml").unlink()
    os.link(same, project.top / "evil" / "policy.yaml")
    project.become("trusted")
    watched = Watched([str(project.files.project)])
    assert not watched.has_changed()
    assert project.granted() == "flag"
    project.become("evil")
    assert watched.has_changed()
    assert project.granted() == "block"
