"""What labels bring about in the deployment that the benchmark makes up, in one round of it."""

from __future__ import annotations

import random

import pytest

from benchmarks.learning import HARMFUL, HONEST, LATER, POISONED, Deployment, labelled


@pytest.fixture(scope="module")
def deployment() -> Deployment:
    return Deployment()


@pytest.mark.thorough
@pytest.mark.parametrize(("wrong", "most_left"), [(0.0, 0.2), (0.1, 0.5)])
def test_two_hundred_labels_take_most_false_alarms_and_nothing_else(
    deployment: Deployment, wrong: float, most_left: float
) -> None:
    rng = random.Random(0)
    given = labelled(deployment, rng, 200, wrong)
    figures = deployment.figures(deployment.learned(given), deployment.stream(rng, LATER, later=True))
    assert figures.left <= most_left
    assert figures.lost <= 0.005


@pytest.mark.thorough
def test_a_targeted_poisoning_lets_nothing_run(deployment: Deployment) -> None:
    rng = random.Random(1_000)
    given = labelled(deployment, rng, HONEST, 0.0)
    target = rng.choice(list(HARMFUL))
    aimed = [deployment.one(rng, target, later=later, is_harmful=True) for later in (False, True) for _ in range(60)]
    poison = [(each, True, "mallory") for each in aimed[:60] if each.by][:POISONED]
    assert len(poison) == POISONED
    learned = deployment.learned([*given, *poison])
    assert learned is not None
    assert not any(deployment.runs(learned, each) for each in aimed if each.by)
