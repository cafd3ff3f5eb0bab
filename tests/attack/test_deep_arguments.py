"""A command is one at any depth of a call's arguments; what is too much to look through is unreadable."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from supervisor.intake.roles import recognize
from tests.evidence.effort import assert_linear

StoppedBy = Callable[..., tuple[str, ...]]
HARM, HONEST = "rm -rf ~", "npm test"


def _below(value: Any, depth: int) -> dict[str, Any]:
    for _ in range(depth):
        value = {"a": value}
    return value


SHAPES: dict[str, Callable[[str], dict[str, Any]]] = {
    "two levels": lambda command: {"a": {"b": {"command": command}}},
    "thirty levels": lambda command: _below({"command": command}, 30),
    "the last of a list": lambda command: {"steps": [{"command": HONEST}] * 19 + [{"command": command}]},
    "lists in lists": lambda command: {"a": [[[{"b": [{"command": command}]}]]]},
    "JSON in JSON": lambda command: {"a": json.dumps({"b": json.dumps({"command": command})})},
    "behind many": lambda command: {"a": {**{f"n{at}": {"x": at} for at in range(300)}, "z": {"command": command}}},
    "words": lambda command: {"a": {"b": {"program": command.split()[0], "args": command.split()[1:]}}},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_command_is_found_wherever_it_stands(stopped_by: StoppedBy, shape: str) -> None:
    assert stopped_by("agent_step", SHAPES[shape](HARM))
    assert not stopped_by("agent_step", SHAPES[shape](HONEST))


@pytest.mark.parametrize(
    "args",
    [
        {"a": {"b": {"command": "cancel"}}},
        {"order": {"lines": [{"program": "loyalty", "args": ["gold"]}] * 40}},
        {"rows": [{"content": "Never run rm -rf ~.", "name": "note"}] * 400},
        {"document": {"blocks": [{"text": "hello"}] * 400}},
    ],
)
def test_data_of_the_same_form_is_none(stopped_by: StoppedBy, args: dict[str, Any]) -> None:
    assert not stopped_by("submit_order", args)


@pytest.mark.parametrize(
    "args",
    [
        {"a": "[" + '{"b": 1},' * 25_000 + "1]"},
        {"steps": [{"command": "ls"}] * 300 + [{"command": HARM}]},
    ],
)
def test_what_is_too_much_is_unreadable(stopped_by: StoppedBy, args: dict[str, Any]) -> None:
    assert stopped_by("agent_step", args) == ("unreadable_execution",)


def test_the_work_is_linear() -> None:
    assert_linear(
        lambda args: recognize("x", args),
        lambda size: {"rows": [{"content": "hello", "args": ["a"], "program": "b"}] * size},
        counted=200,
        ended=5_000,
    )
