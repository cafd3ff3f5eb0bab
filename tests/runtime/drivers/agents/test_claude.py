"""Claude Code's dialect, against a transcript of the real program."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.runtime.drivers.agents.claude import ClaudeDialect
from supervisor.runtime.drivers.agents.claude_hooks import hook_output
from supervisor.runtime.drivers.agents.judging import Answer
from supervisor.runtime.processes.states import State
from supervisor.runtime.tasks.outcome import Ending
from supervisor.runtime.tasks.usage import Spent, Usage, total
from tests.runtime.drivers.agents.replay import Replay, golden


def test_a_transcript_of_the_real_program_is_understood(tmp_path: Path) -> None:
    replay = Replay("claude", tmp_path, ClaudeDialect)
    outcome = replay.run()
    assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done")
    assert replay.talk.spent == Spent(3, 0, 3, pytest.approx(0.00009))
    assert replay.talk.notes.ran == [
        'Bash {"command": "touch block"} (it has failed, or was refused)',
        'Bash {"command": "touch right && ls"}',
    ]
    assert replay.talk.notes.session
    assert [each["tool_input"] for each in replay.guard.asked if each["hook_event_name"] == "PreToolUse"] == [
        {"command": "touch block"},
        {"command": "touch right && ls"},
    ]
    assert replay.liveness.state is State.MODEL_WAIT


def test_without_hooks_the_task_is_not_told(tmp_path: Path) -> None:
    """The trial prompt went to the model: somebody has switched the hooks off."""
    begun = golden("claude")[:8]
    unguarded = [each for each in begun if "hook_callback" not in str(each) and "It is guarded" not in str(each)]
    unguarded.append(begun[-1])
    replay = Replay("claude", tmp_path, ClaudeDialect)
    outcome = replay.run(unguarded)
    assert (outcome.ending, outcome.reason) == (
        Ending.REFUSED,
        "claude would run unguarded: its hooks do not ask the guard",
    )
    assert "please tidy up" not in json.dumps(replay.pipe.told)


def test_a_call_that_no_hook_has_seen_is_noticed(tmp_path: Path) -> None:
    seen = [
        each
        for each in golden("claude")
        if "toolu_2" not in json.dumps(each.get("out", {})) or each["out"]["type"] != "control_request"
    ]
    asked = [each["out"]["request_id"] for each in golden("claude") if each not in seen]
    seen = [each for each in seen if each.get("in", {}).get("response", {}).get("request_id") not in asked]
    outcome = Replay("claude", tmp_path, ClaudeDialect).run(seen)
    assert outcome.ending is Ending.REFUSED
    assert outcome.reason == 'claude ran unguarded: no hook has asked about Bash {"command": "touch right && ls"}'


def test_money_counts_from_where_the_session_before_ended(tmp_path: Path) -> None:
    """Some versions count on when a session is resumed, others begin anew."""
    counted_on = copy.deepcopy(golden("claude"))
    for each in counted_on:
        if each.get("out", {}).get("type") == "result":
            each["out"]["total_cost_usd"] += 0.5
            for model in each["out"]["modelUsage"].values():
                model["inputTokens"] += 1000
            each["out"].setdefault("modelUsage", {}).setdefault("before", {"inputTokens": 1000})
    replay = Replay("claude", tmp_path, ClaudeDialect)
    replay.run(counted_on)
    spent = replay.talk.spent
    assert spent is not None
    assert spent.cost == pytest.approx(0.00009)


@pytest.mark.parametrize(
    ("info", "ending"),
    [({"status": "rejected", "resetsAt": 1}, Ending.LIMITED), ({"status": "allowed_warning"}, Ending.FAILED)],
)
def test_a_quota_that_is_used_up_is_no_failure(info: dict[str, Any], ending: Ending, tmp_path: Path) -> None:
    limited = copy.deepcopy(golden("claude"))
    limited[-1]["out"] |= {"is_error": True, "result": "Limit reached"}
    limited.insert(-1, {"out": {"type": "rate_limit_event", "rate_limit_info": info}})
    outcome = Replay("claude", tmp_path, ClaudeDialect).run(limited)
    assert (outcome.ending, outcome.reason) == (ending, "Limit reached")
    assert outcome.wait == (45.0 if ending is Ending.LIMITED else 0.0)


@pytest.mark.parametrize(
    ("answer", "output"),
    [
        (Answer("before", refused=False), {"permissionDecision": "allow"}),
        (Answer("before", refused=True, reason="no"), {"permissionDecision": "deny", "permissionDecisionReason": "no"}),
    ],
)
def test_an_action_is_allowed_or_denied_with_the_reason(answer: Answer, output: dict[str, str]) -> None:
    assert hook_output(answer) == {"hookSpecificOutput": {"hookEventName": "PreToolUse", **output}}


def test_what_else_a_hook_says() -> None:
    assert hook_output(Answer("finish", refused=True, reason="go on")) == {"decision": "block", "reason": "go on"}
    assert hook_output(Answer("after", refused=False)) == {}
    asks = {"hookSpecificOutput": {"permissionDecision": "ask"}}
    assert hook_output(Answer("before", refused=False, output=asks)) == asks


def test_what_the_hook_has_not_let_through_is_judged_at_the_question_for_permission(tmp_path: Path) -> None:
    replay = Replay("claude", tmp_path, ClaudeDialect)
    replay.run()
    about = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "unseen"}
    asked = {"type": "control_request", "request_id": "q", "request": about}
    assert replay.dialect.asks(asked)
    answer = anyio.run(replay.dialect.answer, asked)
    assert answer["response"]["response"] == {"behavior": "allow", "updatedInput": {"command": "ls"}}
    assert replay.guard.asked[-1]["tool_name"] == "Bash"


def test_what_a_resumed_session_repeats_is_not_spent_again(tmp_path: Path) -> None:
    """Before its first turn, Claude Code may print the messages of the session so far."""
    said = {"id": "msg_old", "model": "m", "usage": {"input_tokens": 5000, "output_tokens": 50}, "content": []}
    repeated: list[dict[str, Any]] = [{"out": {"type": "assistant", "message": said}}, *golden("claude")]
    replay, told = Replay("claude", tmp_path, ClaudeDialect), list[Usage]()
    replay.spends = told.append
    replay.run(repeated)
    assert replay.talk.spent == Spent(3, 0, 3, pytest.approx(0.00009))
    assert max(total(each).tokens for each in told) == 6


def test_what_a_turn_has_read_is_told_before_its_end(tmp_path: Path) -> None:
    """Two of three requests: what was written counts at the end of the turn."""
    replay, told = Replay("claude", tmp_path, ClaudeDialect), list[Usage]()
    replay.spends = told.append
    replay.run()
    read = [total(each).input for each in told]
    assert read == sorted(read)
    assert 0 < read[1] < read[-1] == 3
