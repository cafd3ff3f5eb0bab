"""Claude Agent SDK, with the `claude` program that it brings, driven by a scripted model on loopback."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

sdk = pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed")

from supervisor.adapters.claude_agent import SupervisorHooks
from tests.adapters.anthropic_server import Script, serving
from tests.adapters.contract import TASK, Contract, Played, _open, made

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
        script = Script([(NAME, {"text": text}) for text in texts])
        with serving(script) as url:
            options.cwd = self.folder
            options.env = {
                "ANTHROPIC_BASE_URL": url,
                "ANTHROPIC_API_KEY": "dummy",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "DISABLE_AUTOUPDATER": "1",
                "HOME": str(self.folder),
            }
            asyncio.run(_ask(options))
        played.told = script.told
        return played


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
