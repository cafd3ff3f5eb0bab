"""A part of `python -m tests.crash`, whose full run stands in docs/reliability.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.kills import kill_writers
from tests.crash.kinds import KINDS
from tests.crash.prunings import count_points, kill_at_moments, kill_at_points
from tests.crash.tampering import tamper


def test_no_acknowledged_record_is_lost_when_writers_are_killed() -> None:
    killed = kill_writers(60, seed=1)
    assert killed.holds, killed
    assert (killed.kills, killed.acknowledged > 60) == (60, True)


@pytest.mark.thorough
def test_no_acknowledged_record_is_lost_in_a_thousand_kills() -> None:
    killed = kill_writers(1000, seed=2)
    assert killed.holds, killed


def test_every_kind_of_tampering_is_answered_as_expected() -> None:
    kinds = tamper(seeds=1)
    assert len(kinds) >= 90
    assert {kind.name: kind.wrong for kind in kinds if kind.wrong} == {}


@pytest.mark.thorough
def test_every_kind_of_tampering_is_answered_as_expected_whatever_the_seed() -> None:
    kinds = tamper(seeds=20, first=1)
    assert {kind.name: kind.wrong for kind in kinds if kind.wrong} == {}


def test_the_page_names_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reliability.md").read_text()
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
