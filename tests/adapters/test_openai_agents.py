"""OpenAI Agents SDK."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed")

from agents import Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from tests.adapters.contract import TASK, Contract, Played, made

set_tracing_disabled(True)


class TestOpenAIAgents(Contract):
    knows_failure, failure = False, "error occurred"  # the SDK makes a text of it before anyone is told

    def play(self, *texts: str) -> Played:
        played = Played()
        calls = [[function_call("note", {"text": text}, call_id=f"call_{n}")] for n, text in enumerate(texts)]
        model = ScriptedModel([*calls, [assistant_message("done")]])
        agent = made("openai_agents", model=model, tools=[function_tool(played.note)])["agent"]
        ended = asyncio.run(Runner.run(agent, TASK))
        outputs: list[Any] = [item for item in ended.new_items if item.type == "tool_call_output_item"]
        played.told = [str(item.output) for item in outputs]
        return played
