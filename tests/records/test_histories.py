"""Histories that records share are those that each of them has alone."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Step
from supervisor.errors import BadRecord
from supervisor.history import History
from supervisor.records import histories as histories_module
from supervisor.records.histories import Histories
from supervisor.records.read import Record

PARTS = st.lists(st.tuples(st.integers(0, 5), st.lists(st.sampled_from("abc"), max_size=3)), max_size=6)


def recorded(outputs: list[str]) -> tuple[Record, str | None]:
    """A record with a history of these outputs, and the address of its last step."""
    history = History(Step("bash", {}, output) for output in outputs)
    contents = dict(history.nodes())
    return Record("decision", {}, "0" * 64, "x.jsonl:1", contents), history.address()


@given(PARTS)
def test_each_is_as_if_it_were_read_alone(parts: list[tuple[int, list[str]]]) -> None:
    """Each goes on from a part of the one before, as sessions do, or as a branch of one does."""
    shared, outputs = Histories(), list[str]()
    for kept, new in parts:
        outputs = outputs[:kept] + new
        record, address = recorded(outputs)
        found = shared.of(record, address)
        assert list(found) == record.history(address)
        assert found.address() == address


def test_what_is_known_is_not_read_again() -> None:
    shared = Histories()
    record, address = recorded(["a", "b"])
    first = shared.of(record, address)
    longer, end = recorded(["a", "b", "c"])
    newest = {end: longer.contents[end]} if end else {}
    grown = shared.of(Record("decision", {}, "0" * 64, "x.jsonl:2", newest), end)
    assert [step.output for step in grown] == ["a", "b", "c"]
    assert grown.memory is first.memory


def test_a_step_that_is_missing_is_an_error() -> None:
    record, address = recorded(["a"])
    record.contents.clear()
    with pytest.raises(BadRecord):
        Histories().of(record, address)
    broken = Record("decision", {}, "0" * 64, "x.jsonl:1", {"f" * 64: orjson.dumps({"step": {}})})
    with pytest.raises(BadRecord):
        Histories().of(broken, "f" * 64)


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories_module, "_MOST", 3)
    shared = Histories()
    for number in range(20):
        shared.of(*recorded([f"{number}", "b"]))
        assert len(shared._known) <= 3
