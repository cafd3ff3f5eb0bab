"""Python values as JSON: what a tool was given is told exactly, what it returned in so many words."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.errors import BadInput
from supervisor.values import MAX_DEPTH, MAX_ITEMS, exact, plain
from tests.json_strategies import json_values, ordinary


class Hostile:
    """An object that raises at every question."""

    def __str__(self) -> str:
        raise RuntimeError("no")

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


python_values = st.recursive(
    json_values
    | st.binary()
    | st.decimals()
    | st.dates()
    | st.complex_numbers()
    | st.integers(min_value=10**400, max_value=10**401)
    | st.builds(Hostile)
    | st.builds(object),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers() | st.text() | st.none() | st.booleans(), inner, max_size=4)
        | st.frozensets(st.integers() | st.text(), max_size=3)
    ),
    max_leaves=10,
)


@settings(max_examples=500)
@given(python_values)
def test_plain_always_gives_what_can_be_written(value):
    told = plain(value)
    assert orjson.loads(orjson.dumps(told)) == told


@settings(max_examples=300)
@given(ordinary)
def test_nothing_that_json_can_hold_is_changed(value):
    assert exact(value) == value
    assert plain(value) == value


def test_plain_ends_on_what_never_does():
    endless: list[Any] = []
    endless.append(endless)
    assert json.dumps(plain(endless)).count("[") == MAX_DEPTH
    assert plain(list(range(2 * MAX_ITEMS))) == [*range(MAX_ITEMS - 1), "…"]  # the list itself is one of them
    assert len(plain("x" * 5_000_000)) < 1_100_000
    assert plain({Decimal("1.5"): {1}}) == {"1.5": [1]}
    assert plain(10**5000).startswith("0x")


@pytest.mark.parametrize(
    "lossy",
    [{"a\udcff": 1}, {"path": "\udcff"}, {1: "a", "1": "b"}, list(range(MAX_ITEMS + 1)), [[[[[]]]]] * MAX_ITEMS],
    ids=["surrogate key", "surrogate", "two keys in one", "too many", "too many lists"],
)
def test_exact_refuses_what_it_would_have_to_change(lossy):
    with pytest.raises(BadInput, match="cannot be judged as it is"):
        exact({"arg": lossy})
    orjson.dumps(plain({"arg": lossy}))


def test_exact_keeps_a_text_of_any_length():
    assert exact({"a": "x" * 5_000_000}) == {"a": "x" * 5_000_000}
