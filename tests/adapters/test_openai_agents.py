"""OpenAI Agents SDK."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed")

from agents import Agent, Runner, WebSearchTool, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from supervisor.adapters.openai_agents import supervised
from tests.adapters.contract import END, TASK, Contract, Played, _open, made

set_tracing_disabled(True)


def test_whoever_is_handed_over_to_is_guarded_too() -> None:
    """Also where they hand over in a circle; what has no guardrails is named."""
    first = Agent(name="first", tools=[function_tool(Played().note)])
    second = Agent(name="second", tools=[function_tool(Played().note), WebSearchTool()], handoffs=[first])
    first.handoffs = [second]
    guarded = supervised(first, _open())
    other: Any = guarded.handoffs[0]
    assert other is not second
    assert other.handoffs == [guarded]
    assert [len(getattr(tool, "tool_input_guardrails", ())) for tool in other.tools] == [1, 0]


class TestOpenAIAgents(Contract):
    talks_again = True
    knows_failure, failure = False, "error occurred"  # the SDK makes a text of it before anyone is told

    def play(self, *texts: str) -> Played:
        played = Played()
        calls = [function_call("note", {"text": text}, call_id=f"call_{n}") for n, text in enumerate((*texts, END))]
        script = zip((*texts, END), calls, strict=True)
        model = ScriptedModel([[assistant_message("done") if text == END else call] for text, call in script])
        agent = made("openai_agents", model=model, tools=[function_tool(played.note)])["agent"]
        for _ in range(texts.count(END) + 1):
            ended = asyncio.run(Runner.run(agent, TASK))
        outputs: list[Any] = [item for item in ended.new_items if item.type == "tool_call_output_item"]
        played.told = [str(item.output) for item in outputs]
        return played
