"""The models that are checked in are those that the recipes make of what the code reads today."""

from __future__ import annotations

import pytest

from supervisor.methods.classifier import MODELS, Classifier


@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.json")))
def test_no_model_is_stale(name: str) -> None:
    """Who changes how texts are read, or a template, trains the models anew: `make models`."""
    pytest.importorskip("sklearn")
    from benchmarks.training import agent_directed, recipe
    from benchmarks.training.subjects import SUBJECTS, others

    if name == agent_directed.NAME:
        now = agent_directed.reads(agent_directed.texts(agent_directed.SIZE, agent_directed.SEED))
    else:
        (subject,) = (each for each in SUBJECTS if each.name == name)
        now = recipe.reads(recipe.texts(subject, others(subject), recipe.SIZE, recipe.SEED))
    assert Classifier.load(name).card["reads"] == now
