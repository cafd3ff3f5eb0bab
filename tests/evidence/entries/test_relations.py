"""What a call does with the entries of a list does not hang on their order, their format, or the names around them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.evidence.entries.confidential import told_in_confidence
from supervisor.evidence.entries.counted import wider_of_counted
from supervisor.evidence.entries.described import neighbour_of_described
from supervisor.evidence.entries.details import changed_on_strange_word
from supervisor.evidence.entries.forbidden import forbidden_by_rule
from supervisor.evidence.entries.merged import parted_by_identifier
from supervisor.evidence.entries.opened import opened_to_all
from supervisor.evidence.entries.refusals import refused_in_list
from tests.evidence.effort import MOST, assert_linear, steps

_RELATIONS: tuple[Callable[[Action, Context], Any], ...] = (
    neighbour_of_described,
    wider_of_counted,
    parted_by_identifier,
    forbidden_by_rule,
    told_in_confidence,
    changed_on_strange_word,
    refused_in_list,
    opened_to_all,
)
_ROOMS = (("R-11", "Harbour hall", "Leith"), ("R-12", "Garden room", "Perth"), ("R-13", "Attic", "Perth"))
_FORMATS: dict[str, Callable[[Sequence[tuple[str, str, str]]], Any]] = {
    "objects": lambda rows: [{"id": a, "name": b, "city": c} for a, b, c in rows],
    "text of objects": lambda rows: json.dumps([{"id": a, "name": b, "city": c} for a, b, c in rows]),
    "by id": lambda rows: {a: {"name": b, "city": c} for a, b, c in rows},
    "comma-separated": lambda rows: "\n".join(["id,name,city", *(",".join(row) for row in rows)]),
    "table": lambda rows: "\n".join(["| id | name | city |", "|---|---|---|", *(f"| {' | '.join(r)} |" for r in rows)]),
    "lines": lambda rows: "\n".join("  ".join(row) for row in rows),
}


def booking(room: str, task: str, output: Any, tool: str = "rooms.reserve", name: str = "room") -> Any:
    history = (Step("rooms.list", {}, output),)
    return neighbour_of_described(Action(tool, {name: room}), Context(task=task, history=history))


@given(st.permutations(_ROOMS), st.sampled_from(sorted(_FORMATS)), st.sampled_from(["rooms.reserve", "hold", "x_put"]))
def test_the_entry_that_is_described_is_found_in_any_format_and_order(
    rows: list[tuple[str, str, str]], form: str, tool: str
) -> None:
    output = _FORMATS[form](rows)
    found = booking("R-12", "We need the harbour hall on Friday", output, tool, "ref")
    assert found is not None
    assert "Harbour hall" in found.described
    assert booking("R-11", "We need the harbour hall on Friday", output, tool) is None
    assert booking("R-12", "We need a room on Friday", output, tool) is None
    assert booking("R-12", "Not the harbour hall, please", output, tool) is None


_names = st.sampled_from(["id", "note_confidential", "email", "vat", "unsubscribed", "count", "From", "name", ""])
_TELLING = ("R-1", "a@x.example", "From: a@x.example\nIBAN LT121000011101001000", "internal, do not share", "true")
_numbers = st.booleans() | st.integers() | st.floats(allow_nan=False)
_plain = st.none() | _numbers | st.text(max_size=12) | st.sampled_from(_TELLING)
_json = st.recursive(_plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_names, inner, max_size=4))
_args = st.dictionaries(_names | st.sampled_from(["to", "iban", "text", "mergeWith", "skip_check"]), _json, max_size=5)
_tools = st.sampled_from(["crm.merge", "send_email", "hr_update", "wiki.read", "enroll", "delete", "Überweisung"])


@given(_tools, _args, st.lists(st.tuples(_tools, _args, _json), max_size=4), st.text(max_size=40))
def test_any_call_after_any_history_gets_an_answer(
    tool: str, args: dict[str, Any], past: list[tuple[str, dict[str, Any], Any]], task: str
) -> None:
    context = Context(task=task, history=tuple(Step(*each) for each in past))
    for relation in _RELATIONS:
        relation(Action(tool, args), context)


_OUTPUTS: dict[str, Callable[[int], str]] = {
    "lines": lambda size: "\n".join(f"R-{number} Garden hall in Leith" for number in range(size // 24)),
    "rules": lambda size: "Garden never sent, internal only. " * (size // 34),
    "addresses": lambda size: "from: a@x.example LT121000011101001000 " * (size // 39),
    "dots": lambda size: "a.a@a." * (size // 6),
    "objects": lambda size: json.dumps([{"id": f"R-{number}", "vat": number} for number in range(size // 30)]),
}


def judged(output: str) -> None:
    history = (Step("wiki.search", {"page": "rules"}, output),)
    args = {"ids": ["R-3", "R-4"], "iban": "LT121000011101001000", "text": "We never told you of the garden. " * 9}
    for relation in _RELATIONS:
        relation(Action("send_merge_update", args), Context(task="Take the hall in Leith", history=history))


@pytest.mark.parametrize("make", _OUTPUTS.values(), ids=_OUTPUTS)
def test_work_grows_no_faster_than_the_outputs(make: Callable[[int], str]) -> None:
    assert_linear(judged, make, counted=2_000, ended=100_000)


@pytest.mark.parametrize("make", _OUTPUTS.values(), ids=_OUTPUTS)
def test_no_output_takes_much_work(make: Callable[[int], str]) -> None:
    assert steps(judged, make(16_000)) < MOST
