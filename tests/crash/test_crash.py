"""A part of `python -m tests.crash`, whose full run stands in docs/reliability.md."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.kills import kill_writers
from tests.crash.kinds import KINDS
from tests.crash.prunings import count_points, kill_at_moments, kill_at_points
from tests.crash.tampering import tamper

ROOT = Path(__file__).parents[2]


def test_no_acknowledged_record_is_lost_when_writers_are_killed() -> None:
    killed = kill_writers(60, seed=1)
    assert killed.holds, killed
    assert (killed.kills, killed.acknowledged > 60) == (60, True)


@pytest.mark.thorough
def test_no_acknowledged_record_is_lost_in_a_thousand_kills() -> None:
    """In a small process: to fork one with all tests loaded would take most of the time."""
    command = [sys.executable, "-m", "tests.crash", "--kills", "1000", "--seeds", "0", "--first", "2"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "| 1,000 |" in ended.stdout


def test_every_kind_of_tampering_is_answered_as_expected() -> None:
    kinds = tamper(seeds=1)
    assert len(kinds) >= 90
    assert {kind.name: kind.wrong for kind in kinds if kind.wrong} == {}


@pytest.mark.thorough
def test_every_kind_of_tampering_is_answered_as_expected_whatever_the_seed() -> None:
    kinds = tamper(seeds=10, first=1)
    assert {kind.name: kind.wrong for kind in kinds if kind.wrong} == {}


def test_the_page_names_every_kind() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text()
    named = [line.removeprefix("- ") for line in page.splitlines() if line.startswith("- ")]
    assert sorted(named) == sorted(name for kinds in KINDS.values() for name in kinds)


def test_a_pruning_may_be_killed_between_its_steps() -> None:
    points = count_points()
    assert points > 30
    assert kill_at_points(range(1, points + 1, 12)) == []


@pytest.mark.thorough
def test_a_pruning_may_be_killed_at_any_point() -> None:
    assert kill_at_points(range(1, count_points() + 1)) == []


@pytest.mark.thorough
def test_a_pruning_may_be_killed_at_any_moment() -> None:
    assert kill_at_moments(300, seed=3) == []
