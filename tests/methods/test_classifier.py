from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.methods import classifier
from supervisor.methods.classifier import MODELS, BadModel, Classifier

NAME = "agent_directed"
MODEL = Classifier.load(NAME)

counts = st.dictionaries(st.sampled_from(sorted(MODEL.weights)), st.integers(0, 6))


@given(counts)
def test_a_score_is_the_exact_sum_in_any_order(features: dict[str, int]) -> None:
    expected = MODEL.bias + sum(MODEL.weights[name] * count for name, count in features.items())
    backwards = dict(reversed(features.items()))
    assert MODEL.score(features) == MODEL.score(backwards) == expected
    assert type(MODEL.score(features)) is int


def test_unknown_features_do_not_count() -> None:
    assert MODEL.score({"no such feature": 7}) == MODEL.bias


@given(st.integers(-(10**9), 10**9))
def test_confidence_is_a_probability_that_grows_with_the_distance(score: int) -> None:
    confidence = MODEL.confidence(score)
    further = score + 1 if score >= MODEL.threshold else score - 1
    assert 0.5 <= confidence <= MODEL.confidence(further) <= 1
    assert confidence == round(confidence, 3)


def test_confidence_at_one_unit_of_log_odds() -> None:
    assert MODEL.confidence(MODEL.threshold + MODEL.scale) == round(1 / (1 + math.exp(-1)), 3)


def test_the_threshold_itself_says_yes() -> None:
    assert MODEL.says_yes(MODEL.threshold)
    assert not MODEL.says_yes(MODEL.threshold - 1)


def test_the_card_says_how_well_it_does_and_on_what() -> None:
    for measure in ("recall", "precision", "honest_stopped"):
        low, high = MODEL.card[measure]["interval"]
        assert low <= MODEL.card[measure]["value"] <= high
    assert MODEL.card["limits"]
    assert MODEL.card["versions"]["scikit-learn"]


def test_loading_needs_no_training_library() -> None:
    code = (
        "import sys; from supervisor.methods.classifier import Classifier; "
        f"Classifier.load({NAME!r}); sys.exit(any(name in sys.modules for name in ('sklearn', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=MODELS.parents[2], check=False).returncode == 0


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(classifier, "MODELS", tmp_path)
    classifier._load.cache_clear()
    yield tmp_path
    classifier._load.cache_clear()


@pytest.mark.parametrize(
    ("key", "value"),
    [("features", {"a": 0.5}), ("features", {"a": True}), ("bias", "1"), ("scale", 0), ("threshold", None)],
)
def test_a_model_that_is_not_of_integers_is_refused(models: Path, key: str, value: Any) -> None:
    good = {"name": "m", "version": "1", "features": {"a": 1}, "bias": 0, "threshold": 0, "scale": 1, "card": {}}
    (models / "good.json").write_text(json.dumps(good))
    (models / "bad.json").write_text(json.dumps({**good, key: value}))
    assert Classifier.load("good").score({"a": 3}) == 3
    with pytest.raises(BadModel):
        Classifier.load("bad")


@pytest.mark.parametrize("content", [None, "", "[]", "{}", "not json"])
def test_a_file_that_is_no_model_is_refused(models: Path, content: str | None) -> None:
    if content is not None:
        (models / "m.json").write_text(content)
    with pytest.raises(BadModel):
        Classifier.load("m")


def test_training_twice_gives_the_same_bytes() -> None:
    pytest.importorskip("sklearn")
    from benchmarks.training.agent_directed import train
    from benchmarks.training.recipe import written

    assert written(train(100)) == written(train(100))
