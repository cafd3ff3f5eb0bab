"""Claude Agent SDK, with the `claude` program that it brings, driven by a scripted model on loopback."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

sdk = pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed; `make adapters` tries it")

from supervisor.adapters.claude_agent import SupervisorHooks, supervised
from supervisor.adapters.function.guard import Guard
from tests.adapters.contract import SEEN, TASK, Contract, Played, _open, answers_of, asking_guard, made
from tests.hosts.model_server import Call, model

__all__ = ["asking_guard"]  # a fixture

NAME = "mcp__notes__note"


class TestClaudeAgent(Contract):
    knows_tools = False

    @pytest.fixture(autouse=True)
    def home(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def play(self, *texts: str) -> Played:
        played = Played()

        @sdk.tool("note", "Takes a note.", {"text": str})
        async def note(args: dict[str, Any]) -> dict[str, Any]:
            try:
                return {"content": [{"type": "text", "text": played.note(args["text"])}]}
            except ValueError as error:
                return {"content": [{"type": "text", "text": str(error)}], "is_error": True}

        servers = {"notes": sdk.create_sdk_mcp_server("notes", tools=[note])}
        options = made("claude_agent", tools=[NAME], servers=servers)["options"]
        with model(notes=[Call(NAME, {"text": text}) for text in texts]) as scripted:
            options.cwd = self.folder
            options.env = _environment(scripted.url, self.folder)
            asyncio.run(_ask(options))
        played.told = scripted.told
        return played


def _environment(url: str, home: Path) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "HOME": str(home),
    }


async def _ask(options: Any) -> None:
    async with sdk.ClaudeSDKClient(options) as client:
        await client.query(TASK)
        async for message in client.receive_response():
            if isinstance(message, sdk.ResultMessage):
                assert not message.is_error, message.result


def test_what_is_no_call_at_all_is_denied() -> None:
    """The SDK runs the tool where a hook raises."""
    hooks = SupervisorHooks(_open())
    answer = asyncio.run(hooks.before({"hook_event_name": "PreToolUse"}, None, None))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.parametrize("said", ["allow", "deny", "edit", "edit badly"])
def test_the_hosts_own_user_is_asked(asking_guard: Guard, tmp_path: Path, said: str) -> None:
    """An answer is recorded before the tool runs; who edits a call has it judged, and has not approved the first."""
    played, asked, answers = Played(), [], []

    @sdk.tool("note", "Takes a note.", {"text": str})
    async def note(args: dict[str, Any]) -> dict[str, Any]:
        answers.append(answers_of(asking_guard))
        return {"content": [{"type": "text", "text": played.note(args["text"])}]}

    async def can_use_tool(name: str, args: dict[str, Any], context: Any) -> Any:
        asked.append((name, args["text"], context.decision_reason))
        if said == "deny":
            return sdk.PermissionResultDeny(message="not today")
        edits = {"edit": {"text": "edited"}, "edit badly": {"text": "BLOCK it"}}
        return sdk.PermissionResultAllow(updated_input=edits.get(said))

    servers = {"notes": sdk.create_sdk_mcp_server("notes", tools=[note])}
    options = sdk.ClaudeAgentOptions(allowed_tools=[NAME], mcp_servers=servers, can_use_tool=can_use_tool)
    options = supervised(options, asking_guard)
    with model(notes=[Call(NAME, {"text": text}) for text in ("BLOCK", "please")]) as scripted:
        options.cwd, options.env = tmp_path, _environment(scripted.url, tmp_path)
        asyncio.run(_ask(options))
    assert asked == [(NAME, "BLOCK", "Supervisor: It says BLOCK.")]
    ran = {"allow": "BLOCK", "edit": "edited"}.get(said)
    assert played.ran == ([ran, "please"] if ran else ["please"])
    assert {"deny": "not today", "edit badly": "asked:judges"}.get(said, f"noted {ran}") in scripted.told[0]
    user = "the user of the Claude Agent SDK"
    recorded = {"allow": [("approved", user, "")], "deny": [("denied", user, "not today")]}.get(said, [])
    assert answers[0] == answers_of(asking_guard) == recorded
    assert [len(context.history) for _, context in SEEN][-1] == bool(ran)  # what the user let run is history, too
