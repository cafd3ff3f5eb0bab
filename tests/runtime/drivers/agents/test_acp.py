"""The dialect of agents that speak ACP, against a transcript of Gemini CLI."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.runtime.drivers.agents.acp import AcpDialect, actions_of
from supervisor.runtime.tasks.outcome import Ending
from supervisor.runtime.tasks.usage import Spent
from tests.runtime.drivers.agents.replay import Replay, golden

ONCE = {"kind": "allow_once", "optionId": "yes"}
ALWAYS = {"kind": "allow_always", "optionId": "allow_once"}  # an id that looks like something else
NEVER = {"kind": "reject_always", "optionId": "never"}


def test_a_transcript_of_the_real_program_is_understood(tmp_path: Path) -> None:
    replay = Replay("acp", tmp_path, AcpDialect, allows_unguarded=True)
    outcome = replay.run()
    assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done")
    assert replay.talk.spent == Spent(4, 0, 4)
    judged = [each for each in replay.guard.asked if each["hook_event_name"] == "PreToolUse"]
    asked = [(each["tool_name"], each["tool_input"]) for each in judged]
    assert asked[:2] == [("Bash", {"command": "touch block"}), ("Bash", {"command": "touch right && ls"})]
    assert asked[2] == ("Write", {"file_path": "/home/user/work/written.py", "content": "x = 1\n"})
    assert replay.talk.notes.ran[-1] == "edit Writing to written.py"


def test_it_is_not_told_its_task_where_every_worker_has_to_be_guarded(tmp_path: Path) -> None:
    replay = Replay("acp", tmp_path, AcpDialect)
    outcome = replay.run([{"out": {}}])
    assert outcome.ending is Ending.REFUSED
    assert outcome.reason.startswith("acp would run unguarded: its protocol has no hooks")
    assert replay.pipe.told == []


def test_a_turn_that_ends_otherwise_has_failed(tmp_path: Path) -> None:
    said = copy.deepcopy(golden("acp"))
    said[-1]["out"]["result"]["stopReason"] = "refusal"
    outcome = Replay("acp", tmp_path, AcpDialect, allows_unguarded=True).run(said)
    assert (outcome.ending, outcome.reason) == (Ending.FAILED, "its turn has ended: refusal. All done")


def test_a_mode_in_which_a_model_decides_is_left(tmp_path: Path) -> None:
    said = copy.deepcopy(golden("acp"))
    place = next(place for place, each in enumerate(said) if "sessionId" in each.get("out", {}).get("result", {}))
    said[place]["out"]["result"]["modes"]["currentModeId"] = "yolo"
    set_mode = {"jsonrpc": "2.0", "id": 3, "method": "session/set_mode", "params": {}}
    said[place + 1 : place + 1] = [{"in": set_mode}, {"out": {"jsonrpc": "2.0", "id": 3, "result": {}}}]
    for each in said[place + 3 :]:
        message = each.get("in") or each["out"]
        if message.get("id") == 3 and ("stopReason" in str(message) or message.get("method") == "session/prompt"):
            message["id"] = 4
    assert Replay("acp", tmp_path, AcpDialect, allows_unguarded=True).run(said).ending is Ending.SUCCEEDED


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ([ALWAYS, NEVER, ONCE], {"outcome": "selected", "optionId": "yes"}),
        ([ALWAYS, NEVER], {"outcome": "cancelled"}),
        ([], {"outcome": "cancelled"}),
    ],
)
def test_nothing_is_allowed_for_longer_than_once(options: list[Any], outcome: dict[str, str], tmp_path: Path) -> None:
    replay = Replay("acp", tmp_path, AcpDialect, allows_unguarded=True)
    replay.run()
    params = {"options": options, "toolCall": {"toolCallId": "c", "kind": "execute", "title": "ls"}}
    asked = {"id": 9, "method": "session/request_permission", "params": params}
    assert replay.dialect.asks(asked)
    assert anyio.run(replay.dialect.answer, asked)["result"] == {"outcome": outcome}


@pytest.mark.parametrize(
    ("call", "actions"),
    [
        ({"kind": "execute", "title": "ls"}, [("Bash", {"command": "ls"})]),
        ({"kind": "execute", "title": "run", "rawInput": {"command": "rm x"}}, [("Bash", {"command": "rm x"})]),
        ({"kind": "delete", "locations": [{"path": "/a b"}]}, [("Bash", {"command": "rm -- '/a b'"})]),
        ({"kind": "fetch", "title": "https://x.example"}, [("WebFetch", {"url": "https://x.example"})]),
        ({"title": "odd"}, [("acp_other", {"title": "odd", "paths": []})]),
        ({}, [("acp_other", {"title": "", "paths": []})]),
        (
            {"kind": "edit", "content": [{"type": "diff", "path": "a", "newText": "b"}, {"type": "diff", "path": "c"}]},
            [("Write", {"file_path": "a", "content": "b"}), ("Write", {"file_path": "c", "content": ""})],
        ),
    ],
)
def test_what_a_call_would_do(call: dict[str, Any], actions: list[Any]) -> None:
    assert actions_of(call) == actions


def test_what_is_not_offered_is_not_done(tmp_path: Path) -> None:
    replay = Replay("acp", tmp_path, AcpDialect, allows_unguarded=True)
    replay.run()
    answer = anyio.run(replay.dialect.answer, {"id": 9, "method": "fs/write_text_file", "params": {}})
    assert answer["error"]["code"] == -32601
