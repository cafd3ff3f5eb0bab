"""What is read from files: an entry, a policy, a model. Anything else is one error, in one line that names the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import strategies as st

from supervisor.catalog.failure_mode import FailureMode, read_entry
from supervisor.errors import BadPolicy, BadTaxonomy, SupervisorError
from supervisor.methods import classifier
from supervisor.methods.classifier import BadModel, Classifier
from supervisor.policy import Policy, policy_from, read_policy
from tests.catalog.taxonomies import entry
from tests.fuzz.corpus import entries, spoiled
from tests.fuzz.files import documents
from tests.fuzz.watch import fuzzed, one_line, watched
from tests.intake.json_strategies import ordinary


def loaded(load: Callable[[Path], Any], raw: bytes, path: Path, error: type[SupervisorError]) -> Any:
    """What a loader makes of a file, twice the same; None where it raises the one error that it may."""
    path.write_bytes(raw)
    with watched(raw):
        told = [_told(load, path, error) for _ in range(2)]
    assert told[0] == told[1]
    if not isinstance(told[0], str):
        return told[0]
    assert told[0].startswith(f"{path}:")
    return None


def _told(load: Callable[[Path], Any], path: Path, error: type[SupervisorError]) -> Any:
    try:
        return load(path)
    except error as raised:
        return one_line(raised)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("loaded")


ENTRIES = spoiled(st.sampled_from([entry("an_entry"), entry("a_nudge", verdict="nudge")]))


@fuzzed(documents(ENTRIES, st.deferred(lambda: st.sampled_from(sorted(entries().values(), key=len)[:8]))))
def test_an_entry_is_complete_or_bad_taxonomy(folder: Path, raw: bytes) -> None:
    mode = loaded(read_entry, raw, folder / "entry.yaml", BadTaxonomy)
    assert mode is None or isinstance(mode, FailureMode)


_POLICY = {
    "authority": {"default": "flag", "kinds": {"sql": "block"}, "specialists": {"table_dropped": {"sql": "nudge"}}},
    "budgets": {"pure_ms": 50, "doors_ms": 2000.5, "kinds": {"shell": 20}, "specialists": {"table_dropped": 10}},
    "patience": 3,
    "on_refuse": {"table_dropped": "block"},
    "tools": {"run": {"kind": "shell", "fields": {"command": "line"}}},
    "facts": {"workspace": "/home/u/p", "rules": ["Do not touch tests/."]},
    "doors": {
        "database": {"url": "sqlite:///a.db", "timeout_ms": 100},
        "http": {"allow_private": ["10.0.0.0/8", "wiki.local"], "max_bytes": 1000},
        "model": {"url": "http://localhost:11434/v1", "name": "m", "key_env": "KEY"},
    },
    "records": {"path": "~/records", "key": "~/key.pem", "on_failure": "flag", "durability": "sync"},
    "taxonomy": {"folders": ["/srv/own"], "plugins": [], "disabled": ["table_dropped"], "preview": True},
}


@fuzzed(documents(spoiled(st.just(_POLICY)), st.just(yaml.safe_dump(_POLICY).encode())))
def test_a_policy_holds_or_is_bad(folder: Path, raw: bytes) -> None:
    policy = loaded(read_policy, raw, folder / "policy.yaml", BadPolicy)
    if policy is not None:
        assert policy_from(json.loads(json.dumps(policy.to_json())), place="a record") == policy, "replay needs this"


@fuzzed(ordinary | spoiled(st.just(_POLICY), ordinary))
def test_plain_values_are_a_policy_or_a_bad_one(values: Any) -> None:
    with watched(values):
        try:
            assert isinstance(policy_from(values, place="here"), Policy)
        except BadPolicy as error:
            one_line(error)


_MODEL = {
    "name": "a model",
    "version": "1",
    "features": {"a": 3, "b": -2},
    "bias": -1,
    "threshold": 2,
    "scale": 4,
    "card": {"trained_on": "nothing"},
}


@fuzzed(documents(spoiled(st.just(_MODEL)), st.just(json.dumps(_MODEL).encode())))
def test_a_model_scores_or_is_bad(folder: Path, raw: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classifier, "MODELS", folder)
        model = loaded(lambda path: classifier._load.__wrapped__(path.stem), raw, folder / "model.json", BadModel)
    if model is not None:
        assert isinstance(model, Classifier)
        score = model.score({"a": 2, "c": 5})
        assert 0.5 <= model.confidence(score) <= 1
        assert isinstance(model.says_yes(score), bool)
