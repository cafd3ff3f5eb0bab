"""A history in JSON is read as it would be read alone, and what is known of it is not read again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Step
from supervisor.errors import BadInput
from supervisor.intake import parsing, told_steps
from supervisor.intake.json_values import PastCopy
from supervisor.intake.parsing import context_from
from supervisor.intake.told_steps import ReadHistories, ToldSteps, chain_of, of_step

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=4), parts, max_size=3),
    max_leaves=5,
)
STEPS = st.fixed_dictionaries(
    {"tool": st.sampled_from(["bash", "read_file"])},
    optional={"args": VALUES, "output": VALUES, "failed": st.booleans()},
) | st.text(max_size=5)


def read_alone(history: Sequence[Any]) -> list[Step]:
    copy = PastCopy()
    return [parsing._step_from(value, number, copy) for number, value in enumerate(history)]


@given(st.lists(st.tuples(st.integers(0, 6), st.lists(STEPS, max_size=4)), max_size=6))
def test_each_is_read_as_if_it_were_the_first(calls: list[tuple[int, list[Any]]]) -> None:
    """Each goes on from a part of the one before it, as a session does, or a branch of it."""
    reading, history = ReadHistories(parsing._step_from), list[Any]()
    for kept, new in calls:
        history = history[:kept] + new
        assert repr(list(reading.steps(history))) == repr(read_alone(history))  # NaN is not equal to itself


def test_what_is_known_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: list[int] = []

    def counted(value: Any, number: int, plain: PastCopy) -> Step:
        numbers.append(number)
        return parsing._step_from(value, number, plain)

    reading, history = ReadHistories(counted), [{"tool": "bash", "output": f"{number}"} for number in range(8)]
    reading.steps(history[:5])
    reading.steps(history[:5])
    reading.steps(history)
    assert numbers == list(range(8))
    reading.steps([*history[:7], {"tool": "bash", "output": "another"}])
    assert numbers == [*range(8), *range(8)], "a branch is read from its beginning"


def test_the_limits_are_those_of_the_whole_history(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.intake.json_values.MAX_PAST_CHARACTERS", 100)
    history = [{"tool": "bash", "output": "x" * 30} for _ in range(6)]
    reading = ReadHistories(parsing._step_from)
    for length in range(1, 7):
        assert list(reading.steps(history[:length])) == read_alone(history[:length])
    assert read_alone(history)[-1].output == "…"


def test_a_wrong_step_is_an_error_with_its_number_each_time() -> None:
    good = [{"tool": "bash", "output": "fine"}] * 2
    context_from({"history": good})
    for _ in range(2):
        with pytest.raises(BadInput) as raised:
            context_from({"history": [*good, 7]})
        assert raised.value.place == "context.history[2]"


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_steps, "_MOST_BYTES", 2_000)
    monkeypatch.setattr(told_steps, "_MOST_HISTORIES", 5)
    reading = ReadHistories(parsing._step_from)
    for number in range(50):
        reading.steps([{"tool": "bash", "output": f"{number} {'x' * (number * 20)}"}])
        assert reading._size <= 2_000
        assert len(reading._known) <= 5
        assert reading._size == sum(each.size for each in reading._known.values())


def test_a_callers_own_objects_are_read_without_being_kept() -> None:
    reading = ReadHistories(parsing._step_from)
    steps = reading.steps([{"tool": "bash", "output": object}])
    assert not isinstance(steps, ToldSteps)
    assert reading._known == {}


@given(st.lists(STEPS, min_size=1, max_size=4))
def test_a_history_goes_on_with_the_actions_own_step(history: list[Any]) -> None:
    steps, ran = ReadHistories(parsing._step_from).steps(history), Step("bash", {}, "done")
    assert isinstance(steps, ToldSteps)
    longer = steps.goes_on_with(ran)
    assert repr(list(longer)) == repr([*steps, ran])
    assert list(longer.chain) == [*chain_of(history), *chain_of([of_step(ran)], chain_of(history)[-1][0])]
