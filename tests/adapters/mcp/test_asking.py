"""Where the policy has a person asked, an MCP client that can ask its user does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.mcp.gate import Gate
from tests.adapters.contract import answers_of, asking_guard
from tests.adapters.mcp.test_gate import call, line, opened

__all__ = ["asking_guard"]  # a fixture


def introduced(guard: Guard, folder: Path, **capabilities: Any) -> Gate:
    gate = opened(guard, folder)
    gate.from_client(line(id=0, method="initialize", params={"capabilities": capabilities}))
    return gate


def asked(gate: Gate, sent: bytes) -> dict[str, Any]:
    passage = gate.from_client(sent)
    (request,) = map(json.loads, passage.reply)
    assert passage.forward == []
    return dict(request)


@pytest.mark.parametrize(
    ("result", "answers"),
    [
        ({"action": "accept", "content": {"approve": True, "note": "mine"}}, ("approved", "mine")),
        ({"action": "accept", "content": {"approve": False}}, ("denied", "")),
        ({"action": "accept", "content": {"approve": "yes"}}, ("denied", "")),
        ({"action": "accept"}, ("denied", "")),
        ({"action": "decline"}, ("denied", "")),
        ({"action": "cancel"}, None),
        ({}, None),
    ],
)
def test_a_call_waits_for_the_clients_user(asking_guard: Guard, tmp_path: Path, result: Any, answers: Any) -> None:
    gate = introduced(asking_guard, tmp_path, elicitation={})
    sent = call(7, "BLOCK")
    request = asked(gate, sent)
    assert (request["method"], "It says BLOCK." in request["params"]["message"]) == ("elicitation/create", True)
    answer = line(id=request["id"], result=result)
    passage = gate.from_client(answer)
    if answers and answers[0] == "approved":
        assert (passage.reply, [each for each, _ in passage.forward]) == ([], [sent])
    else:
        (refused,) = map(json.loads, passage.reply)
        assert (passage.forward, refused["id"], refused["result"]["isError"]) == ([], 7, True)
    said = [(*answers[:1], "the user of the MCP client", *answers[1:])] if answers else []
    assert answers_of(asking_guard) == said
    again = gate.from_client(answer)
    assert (again.forward, again.reply) == ([], [])  # an answer that comes twice is neither passed on nor counted


def test_a_call_that_is_cancelled_is_not_run_when_the_answer_comes(asking_guard: Guard, tmp_path: Path) -> None:
    gate = introduced(asking_guard, tmp_path, elicitation={"form": {}})
    request = asked(gate, call(7, "BLOCK"))
    assert gate.from_client(line(method="notifications/cancelled", params={"requestId": 7})).forward
    passage = gate.from_client(line(id=request["id"], result={"action": "accept", "content": {"approve": True}}))
    assert (passage.forward, passage.reply) == ([], [])


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": None}, {"elicitation": {"url": {}}}])
def test_a_client_that_cannot_ask_is_told_of_the_queue(asking_guard: Guard, tmp_path: Path, capabilities: Any) -> None:
    gate = introduced(asking_guard, tmp_path, **capabilities)
    (refused,) = map(json.loads, gate.from_client(call(7, "BLOCK")).reply)
    assert '"code":"asked:judges"' in refused["result"]["content"][0]["text"]


def test_what_a_server_is_asked_is_not_taken_for_ours(asking_guard: Guard, tmp_path: Path) -> None:
    gate = introduced(asking_guard, tmp_path, elicitation={})
    asked(gate, call(7, "BLOCK"))
    theirs = line(id="supervisor-1", result={"action": "accept", "content": {"approve": True}})
    assert [each for each, _ in gate.from_client(theirs).forward] == [theirs]
    assert answers_of(asking_guard) == []
