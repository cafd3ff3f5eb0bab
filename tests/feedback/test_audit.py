"""Whether an audit tells what is out of bounds, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.feedback.audit import Bounds, fisher, precision_checks, recall_checks, refusal_checks, summed
from supervisor.feedback.items import Week
from tests.conftest import Ran
from tests.feedback.learning.test_learning import MIRROR, Deployment


def week(name: str, number: int, right: int = 0, wrong: int = 0, refusals: int = 0) -> Week:
    return Week(name, f"2026-W{number}", right + wrong, 0, right, wrong, refusals, None, None, None)


@given(*[st.integers(0, 4)] * 4)
def test_the_chance_is_that_of_drawing_so_few(right: int, wrong: int, right_before: int, wrong_before: int) -> None:
    balls = [True] * (right + right_before) + [False] * (wrong + wrong_before)
    draws = list(combinations(balls, right + wrong))
    expected = sum(sum(draw) <= right for draw in draws) / len(draws)
    assert fisher(right, wrong, right_before, wrong_before) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("weeks", "state"),
    [
        ([week("a", 46, 20, 0), week("a", 47, 19, 1)], "ok"),
        ([week("a", 46, 40, 0), week("a", 47, 14, 10)], "out"),  # more than half is right, and it was better
        ([week("a", 47, 4, 6)], "out"),
        ([week("a", 47, 0, 9)], "unknown"),
        ([week("a", 46, 3, 0), week("a", 47, 6, 4)], "ok"),  # three say nothing of what was before
    ],
)
def test_precision(weeks: list[Week], state: str) -> None:
    (check,) = precision_checks(weeks, "2026-W47", Bounds())
    assert (check.name, check.state) == ("precision of a", state)


@pytest.mark.parametrize(
    ("weeks", "missed", "state"),
    [
        ([week("a", 46, 20), week("a", 47, 19)], {47: 1}, "ok"),
        ([week("a", 46, 40), week("a", 47, 14)], {47: 10}, "out"),  # more than half is found, and it was better
        ([week("a", 47, 4, wrong=90)], {47: 6}, "out"),  # false alarms are no part of it
        ([], {47: 9}, "unknown"),
        ([], {47: 10}, "out"),  # it found nothing
    ],
)
def test_recall(weeks: list[Week], missed: dict[int, int], state: str) -> None:
    of_a = [("a", f"2026-W{number}") for number, count in missed.items() for _ in range(count)]
    (check,) = recall_checks([*weeks, week("b", 47, 30)], of_a, "2026-W47", Bounds())
    assert (check.name, check.state) == ("recall of a", state)


def test_many_specialists_raise_no_alarm_by_chance() -> None:
    worse = [week("a", 46, 20, 0), week("a", 47, 16, 4)]
    (alone,) = precision_checks(worse, "2026-W47", Bounds(alarm=0.06))
    steady = [week(f"b{number}", each, 20, 0) for number in range(9) for each in (46, 47)]
    among = {check.name: check.state for check in precision_checks([*worse, *steady], "2026-W47", Bounds(alarm=0.06))}
    assert (alone.state, among["precision of a"]) == ("out", "ok")


def test_lost_votes() -> None:
    weeks = [week("a", 46, refusals=90), week("a", 47, refusals=11), week("b", 47, refusals=9)]
    states = {check.name: check.state for check in refusal_checks(weeks, "2026-W47", 1_000, Bounds())}
    assert states == {"votes of a": "out", "votes of b": "ok"}
    assert refusal_checks(weeks, "2026-W48", 0, Bounds()) == []


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    made = Deployment(tmp_path)
    yield made
    made.engine.close()


def test_a_night(deployment: Deployment, tmp_path: Path, run: Callable[..., Ran]) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"records: {{path: {deployment.records}, key: {deployment.policy.records.key}}}\n")
    stops = [deployment.decide(MIRROR) for _ in range(12)]
    deployment.engine.close()
    quiet = run("audit", "--policy", policy, "--json")
    told = json.loads(quiet.out)
    assert (quiet.code, {each["name"]: each["state"] for each in told["checks"]}) == (
        0,
        {"records": "ok", "replay": "ok"},
    )
    assert summed([]) == {"ok": 0, "out": 0, "unknown": 0}
    for stop in stops:
        deployment.label(stop, "wrong")
    loud = run("audit", "--policy", policy)
    assert (loud.code, "1 out of bounds" in loud.out) == (1, True)


def test_what_was_learned_for_another_version_is_out_of_bounds(
    deployment: Deployment, tmp_path: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"records: {{path: {deployment.records}, key: {deployment.policy.records.key}}}\n")
    deployment.people_label()
    deployment.promote()
    deployment.engine.close()
    arguments = ("audit", "--policy", policy, "--json", "--precision", "0", "--replay", "0")
    assert run(*arguments).code == 0
    monkeypatch.setattr("supervisor.version.VERSION", "99")
    (learned,) = [each for each in json.loads(run(*arguments).out)["checks"] if each["name"] == "what was learned"]
    assert learned["state"] == "out"
