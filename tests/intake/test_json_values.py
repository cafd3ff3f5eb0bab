"""Python values as JSON: what a tool was given is told exactly, what it returned in so many words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.errors import BadInput
from supervisor.intake.json_values import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_PAST_ITEMS,
    SMALL_CHARACTERS,
    SMALL_ITEMS,
    PastCopy,
    exact,
    holds_at_most,
    is_small,
    plain,
)
from tests.intake.json_strategies import json_values, ordinary


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


def test_exact_keeps_a_text_that_an_output_would_lose():
    text = "x" * (MAX_CHARACTERS - 1)
    assert exact({"a": text}) == {"a": text}
    assert len(plain(text)) < len(text)


@pytest.mark.parametrize(
    "large",
    ["x" * (MAX_CHARACTERS + 1), ["x" * 1_000_000] * 5, {"k" * MAX_CHARACTERS: "v"}, b"\xff" * MAX_CHARACTERS],
    ids=["one text", "many texts", "a key", "bytes"],
)
def test_what_is_too_large_is_refused_and_an_output_cut(large):
    with pytest.raises(BadInput, match="more than 4,194,304 characters") as refused:
        exact({"arg": large})
    assert refused.value.code == "too_large"
    assert len(json.dumps(plain([large, "the end"]))) < MAX_CHARACTERS + 1000


def test_too_many_values_are_too_large():
    with pytest.raises(BadInput, match="more than 20,000 values") as refused:
        exact([None] * MAX_ITEMS)
    assert refused.value.code == "too_large"


def test_a_past_has_one_room_for_all_that_it_holds():
    told = PastCopy()
    steps = [told(list(range(1_000))) for _ in range(2 * MAX_PAST_ITEMS // 1_000)]
    assert steps[0] == list(range(1_000))
    assert steps[-1] == "…"
    assert sum(map(len, steps)) < MAX_PAST_ITEMS + len(steps)


@pytest.mark.parametrize("value", [[[]] * 99, {"a": [1] * 98}, {str(n): n for n in range(99)}, [["x"] * 49, [{}] * 48]])
def test_what_holds_so_many_values_is_counted_on_all_levels(value):
    assert holds_at_most(99, value)
    assert not holds_at_most(98, value)


class Model:
    """What pydantic's models look like from outside."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def model_dump(self) -> dict[str, Any]:
        return vars(self)


@dataclass(frozen=True, slots=True)
class Note:
    text: str


LARGE_TEXT = "x" * (SMALL_CHARACTERS + 1)
LARGE = {
    "text": LARGE_TEXT,
    "two halves": [LARGE_TEXT[: SMALL_CHARACTERS // 2 + 1]] * 2,
    "bytes": LARGE_TEXT.encode(),
    "key": {LARGE_TEXT: 1},
    "deep": [[{"a": ({LARGE_TEXT},)}]],
    "list": [None] * (SMALL_ITEMS + 1),
    "mapping": MappingProxyType(dict.fromkeys(range(SMALL_ITEMS + 1))),
    "dataclass": Note(LARGE_TEXT),
    "model": Model(text=LARGE_TEXT),
    "number": 1 << 9 * SMALL_CHARACTERS,
}


@pytest.mark.parametrize("value", LARGE.values(), ids=LARGE.keys())
def test_what_is_large_is_not_small_wherever_it_stands(value):
    assert not is_small(value)
    assert not is_small("bash", {"arg": [value]}, None)


def test_what_is_small_is_small():
    assert is_small()
    assert is_small("bash", {"command": "x" * (SMALL_CHARACTERS - 100)}, None, {"n": [1, 1.5, True]}, object(), Note)
    assert is_small({"a": Note("short"), "b": Model(text="short"), "c": range(10**9)})


def test_an_endless_value_is_not_small():
    endless: list[Any] = []
    endless.append(endless)
    assert not is_small(endless)


class HostileMapping(Mapping[str, Any]):
    """A mapping that raises at every question."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError("no")

    def __iter__(self) -> Any:
        raise RuntimeError("no")

    def __len__(self) -> int:
        raise RuntimeError("no")


def test_what_cannot_be_looked_at_is_not_small():
    assert not is_small({"a": HostileMapping()})
    assert is_small(Hostile())  # nothing of it is ever looked at, but its text


@settings(max_examples=300)
@given(python_values)
def test_any_value_is_small_or_not(value):
    assert is_small(value) in (True, False)
