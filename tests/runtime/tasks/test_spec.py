"""A task is checked when it is handed in."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.errors import BadInput
from supervisor.runtime.tasks.spec import Spec
from tests.runtime.tasks.test_policy import policies

words = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=20)
specs = st.builds(
    Spec,
    command=st.lists(words, min_size=1, max_size=5).map(tuple),
    folder=words.map(lambda word: f"/{word}"),
    title=st.text(st.characters(exclude_categories=("Cs",)), max_size=20),
    environment=st.dictionaries(st.sampled_from(["A", "B_2"]), words, max_size=2),
    worktree=st.booleans(),
    pool=st.sampled_from(["default", "gpu-1"]),
    priority=st.integers(0, 9),
    deadline=st.none() | st.floats(1, 1e10),
    timeout=st.none() | st.floats(0.1, 1e6),
    key=st.none() | words,
    after=st.lists(st.sampled_from(["a", "b"]), max_size=2).map(tuple),
    parent=st.none() | st.just("c"),
    policy=policies,
)


@given(specs)
def test_a_task_is_read_as_it_was_stored(spec: Spec) -> None:
    assert Spec.from_json(json.loads(json.dumps(spec.to_json()))) == spec


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"command": ()}, "command"),
        ({"command": ("",)}, "command"),
        ({"command": ("a\0b",)}, "command"),
        ({"command": ("a" * 120_001,)}, "command"),
        ({"command": ("a",) * 10_001}, "command"),
        ({"folder": "here"}, "here"),
        ({"environment": {"a b": "c"}}, "a b"),
        ({"environment": {"A": "c\0d"}}, "A"),
        ({"environment": {"SUPERVISOR_TASK": "1"}}, "SUPERVISOR_TASK"),
        ({"pool": "Gpu"}, "pool"),
        ({"pool": "a/b"}, "pool"),
        ({"pool": ""}, "pool"),
        ({"priority": 10}, "priority"),
        ({"priority": -1}, "priority"),
        ({"deadline": math.nan}, "deadline"),
        ({"timeout": 0.0}, "timeout"),
        ({"timeout": math.inf}, "timeout"),
        ({"title": "a" * 201}, "title"),
    ],
)
def test_what_cannot_be_done_is_told(wrong: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as told:
        Spec(**{"command": ("true",), "folder": "/", **wrong})
    assert told.value.place == place


def test_a_task_without_a_title_is_called_by_its_command() -> None:
    assert Spec(("make", "test"), "/").shown_title == "make test"
    assert len(Spec(("a" * 1000,), "/").shown_title) == 200
