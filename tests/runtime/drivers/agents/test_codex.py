"""Codex's dialect, against a transcript of the real program, and the door at which its hooks knock."""

from __future__ import annotations

import copy
import json
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from supervisor.runtime.drivers.agents import door, hook
from supervisor.runtime.drivers.agents.codex import CodexDialect
from supervisor.runtime.drivers.agents.judging import Answer
from supervisor.runtime.tasks.outcome import Ending
from supervisor.runtime.tasks.usage import Spent
from tests.runtime.drivers.agents.replay import Replay, golden


def test_a_transcript_of_the_real_program_is_understood(tmp_path: Path) -> None:
    replay = Replay("codex", tmp_path, CodexDialect)
    outcome = replay.run()
    assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done")
    assert replay.talk.spent == Spent(3, 0, 3)
    assert replay.talk.notes.ran == ["commandExecution \"/bin/bash -lc 'touch right && ls'\""]
    assert replay.hooked[0] == ("UserPromptSubmit", (2, "", "It is guarded."))
    assert [name for name, _ in replay.hooked] == [
        "UserPromptSubmit",
        "UserPromptSubmit",
        "PreToolUse",
        "PreToolUse",
        "PostToolUse",
        "Stop",
    ]
    assert {stat.S_IMODE(each.stat().st_mode) for each in (tmp_path / "codex").iterdir()} == {0o600}


def test_hooks_that_are_not_trusted_keep_it_from_its_task(tmp_path: Path) -> None:
    said = json.loads(json.dumps(golden("codex")).replace('"trustStatus": "trusted"', '"trustStatus": "modified"'))
    outcome = Replay("codex", tmp_path, CodexDialect).run(_until_the_trial(said))
    assert (outcome.ending, outcome.reason) == (
        Ending.REFUSED,
        "codex would run unguarded: 5 of its hooks are not trusted",
    )


def test_hooks_that_do_not_ask_keep_it_from_its_task(tmp_path: Path) -> None:
    said = [each for each in golden("codex") if each.get("out", {}).get("method") != "hook/started"]
    replay = Replay("codex", tmp_path, CodexDialect)
    outcome = replay.run(_until_the_trial(said))
    assert (outcome.ending, outcome.reason) == (
        Ending.REFUSED,
        "codex would run unguarded: its hooks do not ask the guard",
    )
    assert "please tidy up" not in json.dumps(replay.pipe.told)


def test_a_call_that_no_hook_has_seen_is_noticed(tmp_path: Path) -> None:
    def is_asked(each: Mapping[str, Any]) -> bool:
        return "call_2" in json.dumps(each) and each.get("out", {}).get("method") == "hook/started"

    outcome = Replay("codex", tmp_path, CodexDialect).run([each for each in golden("codex") if not is_asked(each)])
    assert outcome.ending is Ending.REFUSED
    assert outcome.reason.startswith("codex ran unguarded: no hook has asked about commandExecution")


def test_a_quota_that_is_used_up_is_no_failure(tmp_path: Path) -> None:
    said = copy.deepcopy(golden("codex"))
    error = {"message": "Limit reached", "codexErrorInfo": "usageLimitExceeded"}
    said[-1]["out"]["params"]["turn"] |= {"status": "failed", "error": error}
    outcome = Replay("codex", tmp_path, CodexDialect).run(said)
    assert (outcome.ending, outcome.reason, outcome.wait) == (Ending.LIMITED, "Limit reached", 45.0)


@pytest.mark.parametrize(
    ("method", "params", "result"),
    [
        ("item/commandExecution/requestApproval", {"itemId": "call_2"}, {"decision": "accept"}),
        ("item/commandExecution/requestApproval", {"itemId": "other"}, {"decision": "decline"}),
        ("item/fileChange/requestApproval", {}, {"decision": "decline"}),
        ("item/permissions/requestApproval", {}, {"permissions": {}}),
        ("mcpServer/elicitation/request", {}, {"action": "decline"}),
    ],
)
def test_only_what_the_hook_has_let_through_is_approved(
    method: str, params: Mapping[str, Any], result: Mapping[str, Any], tmp_path: Path
) -> None:
    replay = Replay("codex", tmp_path, CodexDialect)
    replay.run()
    asked = {"id": 7, "method": method, "params": params}
    assert replay.dialect.asks(asked)
    assert anyio.run(replay.dialect.answer, asked) == {"id": 7, "result": result}


def test_what_it_does_not_know_it_says(tmp_path: Path) -> None:
    replay = Replay("codex", tmp_path, CodexDialect)
    replay.run()
    answer = anyio.run(replay.dialect.answer, {"id": 8, "method": "new/thing"})
    assert answer["error"]["code"] == -32601


def _until_the_trial(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A transcript up to the end of the trial."""
    ends = [place for place, each in enumerate(said) if each.get("out", {}).get("method") == "turn/completed"]
    return said[: ends[0] + 1]


@pytest.mark.parametrize(
    ("answer", "code", "out", "error"),
    [
        (Answer("before", refused=False), 0, "", ""),
        (Answer("before", refused=True, reason="no"), 2, "", "no\n"),
        (Answer("after", refused=False, reason="guard_failed"), 1, "", "guard_failed\n"),
        (Answer("after", refused=False, output={"a": 1}), 0, '{"a": 1}', ""),
    ],
)
def test_a_hook_ends_as_the_answer_says(answer: Answer, code: int, out: str, error: str, tmp_path: Path) -> None:
    heard: list[Mapping[str, Any]] = []

    async def hear(event: Mapping[str, Any]) -> door.Exit:
        heard.append(event)
        return door.exit_of(answer)

    async def knock() -> subprocess.CompletedProcess[str]:
        async with door.opened(tmp_path, hear) as socket:
            return await anyio.to_thread.run_sync(run_hook, door.command_of(socket, refuses=True))

    ran = anyio.run(knock)
    assert (ran.returncode, ran.stdout, ran.stderr) == (code if code != 1 else 2, out, ran.stderr)
    assert ran.stderr.startswith(error)
    assert heard == [{"hook_event_name": "PreToolUse"}]


def run_hook(command: str) -> subprocess.CompletedProcess[str]:
    """Runs a hook as Codex does."""
    event = json.dumps({"hook_event_name": "PreToolUse"})
    return subprocess.run(["/bin/sh", "-c", command], input=event, capture_output=True, text=True, check=False)


def test_nobody_behind_the_door_refuses(tmp_path: Path) -> None:
    ran = run_hook(door.command_of(tmp_path / "none", refuses=True))
    assert ran.returncode == 2
    assert "guard_failed: no answer from the executor" in ran.stderr


def test_a_client_that_cannot_start_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonesuch")
    ran = run_hook(door.command_of(tmp_path / "none", refuses=True))
    assert ran.returncode == 2
    assert "the hook has failed, so nothing runs" in ran.stderr


def test_what_is_no_event_gets_no_answer_and_is_refused(tmp_path: Path) -> None:
    async def hear(event: Mapping[str, Any]) -> door.Exit:
        return door.Exit()

    async def knock() -> None:
        async with door.opened(tmp_path, hear) as socket:
            await anyio.to_thread.run_sync(hook.ask, str(socket), b"[]")

    with pytest.raises(ExceptionGroup) as told:
        anyio.run(knock)
    assert told.group_contains(ValueError)
