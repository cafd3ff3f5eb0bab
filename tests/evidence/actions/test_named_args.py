"""Arguments by their names: no twin, namesake or number of other arguments hides one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Step
from supervisor.evidence.actions.named_args import all_args, first_args, is_stated, named_args, outer_args
from supervisor.evidence.business import operation
from supervisor.intake.parsing import action_from, context_from

NAMES = st.sampled_from(["sendAt", "send_at", "send-at", "chars", "Chars", "meta"])
ARGS = st.recursive(
    st.dictionaries(NAMES, st.integers() | st.text(max_size=3), max_size=5),
    lambda inner: st.dictionaries(NAMES, inner | st.integers(), max_size=5),
    max_leaves=8,
)


def _count(args: Any) -> int:
    return sum(1 + _count(value) for value in args.values()) if isinstance(args, dict) else 0


@given(ARGS)
def test_every_argument_is_given(args: dict[str, Any]) -> None:
    assert len(all_args(Action("t", args))) == len(all_args(Step("t", args))) == _count(args)


@given(ARGS, st.integers())
def test_the_exact_outer_name_counts_first(args: dict[str, Any], value: int) -> None:
    assert named_args(Action("t", {**args, "send_at": value}))["send_at"] == value


def test_no_number_of_others_hides_one() -> None:
    args = {**{f"a{at}": at for at in range(2_000)}, "b": {"sendAt": 1}}
    assert named_args(Action("t", args))["send_at"] == 1


def test_the_names_as_they_stand_come_before_other_spellings() -> None:
    call = Action("click", {"Label": "View", "label": "Delete", "meta": {"element": "x"}})
    assert first_args(call, ("element", "label")) == ["Delete"]
    assert first_args(Action("click", {"meta": {"Label": "Delete"}}), ("element", "label")) == ["Delete"]


def test_outer_arguments_may_stand_in_one_object() -> None:
    assert outer_args(Action("t", {"request": {"sendAt": 1}})) == (("send_at", 1),)
    assert outer_args(Action("t", {"request": {"sendAt": 1}, "x": 2})) == (("request", {"sendAt": 1}), ("x", 2))


@pytest.mark.parametrize(
    ("args", "tries"),
    [
        ({"preview": True}, True),
        ({"request": {"dryRun": True, "order_id": "O-1"}}, True),
        ({"order_id": "O-1", "dryRun": True}, True),
        ({"order_id": "O-1", "notice": {"preview": True}}, False),
        ({"order_id": "O-1", "dryRun": True, "dry_run": False}, False),
        ({"order_id": "O-1", "dry_run": True, "options": {"dry_run": False}}, False),
    ],
)
@pytest.mark.parametrize("tool", ["cancel_order", "issue_refund"])
def test_only_a_whole_call_is_tried_out(tool: str, args: dict[str, Any], tries: bool) -> None:
    action = action_from({"tool": tool, "args": args})
    assert is_stated(action, ("dry_run", "preview"), lambda value: value is True) is tries
    assert operation(action, context_from({})).reads is tries
